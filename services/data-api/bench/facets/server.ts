/**
 * The data API as a process that the bench calls for facets: fixed principals and no credits, so
 * that facets are what is measured. `sql` or `columnar` names the engine.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createColumnarEngine } from '../../src/categories/columnar-engine.ts';
import { logger, startApi } from '../data-api.ts';

const connectionString = process.env.DATABASE_URL ?? '';
const columnar = createColumnarEngine({ connection: { connectionString }, logger });
const isColumnar = process.argv[2] === 'columnar';
if (isColumnar) columnar.start();
while (isColumnar && !columnar.state().ready) await delay(50);
const { url } = await startApi({
  connectionString,
  connections: 8,
  statementMsMax: 120_000,
  ...(isColumnar && { facets: columnar }),
});
process.send?.(url);
