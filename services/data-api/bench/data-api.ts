import type { AddressInfo } from 'node:net';
import { AccountShares } from '@vcds/admission';
import type { Principal } from '@vcds/credentials';
import { type Balance, type Ledger, resetOf } from '@vcds/metering';
import { createHttpServer, createLogger, createMetrics } from '@vcds/service-kit';
import { createCursors } from '../src/activity/position.ts';
import { createDataApp } from '../src/app.ts';
import type { Authenticate } from '../src/authenticate/index.ts';
import type { FacetEngine } from '../src/categories/facet-schema.ts';
import { sqlCategories } from '../src/categories/sql-engine/sql-engine.ts';
import { Meter, type MeterOptions } from '../src/credits/meter.ts';
import { createMeterMetrics } from '../src/credits/metrics.ts';
import { KeptPages } from '../src/find/kept-pages.ts';
import { PageReader } from '../src/find/page-reader.ts';
import { openMatching } from '../src/matching/open-matching.ts';
import { Database } from '../src/postgres/database.ts';

/** Under which the API of a bench encodes cursors. */
export const CURSOR_SECRET = 'the-cursor-secret-of-a-bench-run-only';

export const logger = createLogger({ service: 'bench', level: 'silent' });

const ACCOUNTS = 64;
const PERIOD = 203_001;
const none = { used: 0, held: 0, purchased: 0, period: PERIOD, resetAt: resetOf(PERIOD) };
const balanceOf = (limit: number): Balance => ({ ...none, limit, remaining: limit });

/** A ledger that grants every call and stores nothing, to measure calls without metering. */
const unmeteredLedger: Ledger = {
  reserve: async ({ max, limit }) => {
    const expiresAt = none.resetAt;
    return { status: 'held', amount: max, expiresAt, balance: balanceOf(limit) };
  },
  settle: async (_, actual) => ({ status: 'settled', charged: actual, balance: balanceOf(0) }),
  release: async () => ({ status: 'settled', charged: 0, balance: balanceOf(0) }),
  charge: async ({ actual, limit }) => {
    return { status: 'settled', charged: actual, balance: balanceOf(limit) };
  },
  balance: async (_, limit) => ({ status: 'known', balance: balanceOf(limit) }),
};

const principals = Array.from({ length: ACCOUNTS }, (_, number): Principal => {
  const accountId = `account-${number}`;
  return { accountId, keyId: 'key', plan: 'scale', scopes: null, expiresAt: null };
});
let calls = 0;

/** One fixed principal for each call, by turns. */
export const fixedPrincipal: Authenticate = async () => principals[calls++ % ACCOUNTS] as Principal;

/** The data API of a bench, and in which respects it differs from one that meters nothing. */
export interface BenchApiOptions {
  readonly connectionString: string;
  readonly connections: number;
  readonly statementMsMax: number;
  readonly authenticate?: Authenticate;
  readonly ledger?: Ledger;
  readonly facets?: FacetEngine;
  readonly createMeter?: (options: MeterOptions) => Meter;
}

/** Starts the data API in this process; its root, and a function that stops it. */
export async function startApi(options: BenchApiOptions) {
  const { connectionString, connections, statementMsMax } = options;
  const metrics = createMetrics('bench');
  const { registry } = metrics;
  const database = new Database({
    connectionString,
    connectionsMax: connections,
    statementMsMax,
    logger,
  });
  const { values, facets } = sqlCategories(database);
  const meter: MeterOptions = {
    ledger: options.ledger ?? unmeteredLedger,
    purchaseUrl: 'http://access.example/account/credits',
    metrics: createMeterMetrics(registry),
  };
  const matching = openMatching({ connectionString, pool: database.pool, registry, logger });
  const app = createDataApp({
    logger,
    metrics,
    settings: { requireHttps: false, trustProxy: undefined },
    services: {
      database,
      sites: { readSite: () => Promise.reject(new Error('A bench reads no sites.')) },
      pages: new PageReader({}),
      kept: new KeptPages(),
      observe: async () => undefined,
      // No account has a bound of its own.
      shares: new AccountShares({
        slots: connections,
        slotsPerAccount: connections,
        isOutage: () => false,
        registry,
      }),
      matching,
      categories: { values, facets: options.facets ?? facets },
      meter: options.createMeter?.(meter) ?? new Meter(meter),
      baseUrl: 'http://data.example/v2',
      cursors: createCursors([CURSOR_SECRET]),
      authenticate: options.authenticate ?? fixedPrincipal,
    },
    authUrl: 'http://access.example/api/v1',
  });
  const server = createHttpServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await matching.close();
      await database.close();
    },
  };
}
