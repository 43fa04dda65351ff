#!/usr/bin/env node
/** Indexes all records that the facet index does not contain yet, after a large import. */
import { ConfigError, createLogger, readConfig } from '@vcds/service-kit';
import { WORKER_DATABASE_VARIABLES, workerDatabaseUrl } from '../../postgres/worker-database.ts';
import { catchUpFacets } from './catch-up.ts';

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort());

try {
  const config = readConfig(WORKER_DATABASE_VARIABLES, process.env, [workerDatabaseUrl]);
  const logger = createLogger({ service: 'index-facets', level: 'error' });
  await catchUpFacets({
    connectionString: workerDatabaseUrl(config),
    logger,
    signal: stop.signal,
  });
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  for (const line of error.errors) process.stderr.write(`${line}\n`);
  process.exitCode = 2;
}
