/**
 * The data API as a process to be asked for facets: one principal for every call and no credits,
 * so that facets are what is measured. `sql` or `columnar` names the engine.
 */
import type { AddressInfo } from 'node:net';
import type { Principal } from '@vcds/credentials';
import { ColumnarFacetEngine } from '@vcds/facet-engine';
import { createHttpServer, createLogger, createMetrics } from '@vcds/service-kit';
import { AccountShares } from '../../src/admission/index.ts';
import { createDataApp } from '../../src/app.ts';
import { sqlCategories } from '../../src/categories/sql-engine/sql-engine.ts';
import { Meter } from '../../src/credits/meter.ts';
import { createMeterMetrics } from '../../src/credits/metrics.ts';
import { Database } from '../../src/postgres/database.ts';
import { createCursorCodec } from '../../src/signals/index.ts';
import { unmeteredLedger } from '../unmetered-ledger.ts';

const ACCOUNTS = 64;
const STATEMENT_MS_MAX = 120_000;
const connectionString = process.env.DATABASE_URL ?? '';
const logger = createLogger({ service: 'bench', level: 'silent' });
const metrics = createMetrics('bench');
const database = new Database({
  connectionString,
  connectionsMax: 8,
  statementMsMax: STATEMENT_MS_MAX,
  logger,
});
const { values, facets: sql } = sqlCategories(database);
const columnar =
  process.argv[2] === 'columnar'
    ? new ColumnarFacetEngine({ connection: { connectionString }, logger })
    : undefined;
columnar?.start();
while (columnar?.state().ready === false) await new Promise((resolve) => setTimeout(resolve, 50));

let calls = 0;
const BASE_URL = 'http://127.0.0.1/v2';
const app = createDataApp({
  logger,
  metrics,
  settings: { requireHttps: false, trustProxy: undefined },
  services: {
    database,
    shares: new AccountShares({ slots: 10, slotsPerAccount: 10, registry: metrics.registry }),
    categories: { values, facets: columnar ?? sql },
    meter: new Meter({
      ledger: unmeteredLedger,
      purchaseUrl: BASE_URL,
      metrics: createMeterMetrics(metrics.registry),
    }),
    baseUrl: BASE_URL,
    cursors: createCursorCodec(['the-cursor-secret-of-a-bench-run-only']),
    authenticate: async (): Promise<Principal> => ({
      accountId: `account-${calls++ % ACCOUNTS}`,
      keyId: 'key',
      plan: 'scale',
      scopes: null,
      expiresAt: null,
    }),
  },
});
const server = createHttpServer(app).listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
