#!/usr/bin/env node
/** Indexes all records that the facet index does not contain yet, after a large import. */
import { createLogger } from '@vcds/service-kit';
import { catchUpFacets } from './catch-up.ts';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort());

const connectionString = process.env.DATABASE_URL;
if (connectionString === undefined || connectionString === '') {
  process.stderr.write('DATABASE_URL is not set. Set it to the database to index.\n');
  process.exitCode = 2;
} else {
  const logger = createLogger({ service: 'index-facets', level: 'error' });
  await catchUpFacets({ connectionString, logger, signal: stop.signal });
}
