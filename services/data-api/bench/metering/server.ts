/**
 * The data API as a process to be measured. `metered`: keys are checked with access-api and credits
 * held and charged in Redis, as in earnest. `unmetered`: one principal for every call, no
 * credits. Everything else is the same.
 */
import type { AddressInfo } from 'node:net';
import type { Principal } from '@vcds/credentials';
import type { Ledger } from '@vcds/metering';
import { createRedisLedger } from '@vcds/metering/redis';
import {
  createHttpServer,
  createLogger,
  createMetrics,
  createRedis,
  redisReady,
} from '@vcds/service-kit';
import { AccountShares } from '../../src/admission/index.ts';
import { createDataApp } from '../../src/app.ts';
import { type Authenticate, createAuthenticator } from '../../src/authenticate/index.ts';
import { sqlCategories } from '../../src/categories/sql-engine/sql-engine.ts';
import { readDataApiConfig } from '../../src/config.ts';
import { type Hold, Meter, type MeterOptions, type PricedCall } from '../../src/credits/meter.ts';
import { createMeterMetrics } from '../../src/credits/metrics.ts';
import { Database } from '../../src/postgres/database.ts';
import { createCursorCodec } from '../../src/signals/index.ts';
import { unmeteredLedger } from '../unmetered-ledger.ts';

/** The figures between two messages. */
export interface Lap {
  /** Processor time of the process. */
  readonly cpuMicros: number;
  /** Of each call, the time it waited for authenticate, reserve and settle together. */
  readonly meteringMs: readonly number[];
}

const ACCOUNTS = 64;
const waited = new WeakMap<Principal, number>();
let meteringMs: number[] = [];
let cpu = process.cpuUsage();

const config = readDataApiConfig(process.env);
const logger = createLogger({ service: 'bench', level: 'silent' });
const metrics = createMetrics('bench');

class MeasuredMeter extends Meter {
  override async reserve(priced: PricedCall): Promise<Hold> {
    const { principal } = priced.call;
    const hold = await timed(principal, () => super.reserve(priced));
    return {
      release: hold.release,
      settle: async (records) => {
        await timed(principal, () => hold.settle(records));
        meteringMs.push(waited.get(principal) ?? 0);
      },
    };
  }
}

const { authenticate, ledger } = process.argv[2] === 'metered' ? await metered() : unmetered();
const options: MeterOptions = {
  ledger,
  purchaseUrl: config.ACCESS_API_PUBLIC_URL,
  metrics: createMeterMetrics(metrics.registry),
};
const database = new Database({
  connectionString: config.DATABASE_URL,
  connectionsMax: config.DATABASE_CONNECTIONS,
  statementMsMax: config.STATEMENT_TIMEOUT_MS,
  logger,
});
const app = createDataApp({
  logger,
  metrics,
  settings: { requireHttps: false, trustProxy: undefined },
  services: {
    database,
    // No account is bounded: what is measured is what metering adds.
    shares: new AccountShares({
      slots: config.DATABASE_CONNECTIONS,
      slotsPerAccount: config.DATABASE_CONNECTIONS,
      registry: metrics.registry,
    }),
    categories: sqlCategories(database),
    cursors: createCursorCodec([config.CURSOR_SECRET]),
    meter: new MeasuredMeter(options),
    baseUrl: config.DATA_API_PUBLIC_URL,
    authenticate: async (request, parameters) => {
      const startedMs = performance.now();
      // A copy for each call, under which its time is added up.
      const principal = { ...(await authenticate(request, parameters)) };
      waited.set(principal, performance.now() - startedMs);
      return principal;
    },
  },
});
const server = createHttpServer(app).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => {
  const { user, system } = process.cpuUsage(cpu);
  const lap: Lap = { cpuMicros: user + system, meteringMs };
  process.send?.(lap);
  meteringMs = [];
  cpu = process.cpuUsage();
});

async function timed<T>(principal: Principal, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const done = await work();
  waited.set(principal, (waited.get(principal) ?? 0) + performance.now() - startedMs);
  return done;
}

async function metered(): Promise<{ authenticate: Authenticate; ledger: Ledger }> {
  const redis = createRedis({ url: config.REDIS_URL, name: 'bench', logger });
  await redisReady(redis);
  const { authenticate } = createAuthenticator({
    accessInternalUrl: config.ACCESS_INTERNAL_URL,
    serviceTokenSecret: config.SERVICE_TOKEN_SECRET,
    redisUrl: config.REDIS_URL,
    logger,
  });
  return { authenticate, ledger: createRedisLedger({ redis }).ledger };
}

function unmetered(): { authenticate: Authenticate; ledger: Ledger } {
  const principals = Array.from({ length: ACCOUNTS }, (_, number): Principal => {
    const accountId = `account-${number}`;
    return { accountId, keyId: 'key', plan: 'scale', scopes: null, expiresAt: null };
  });
  let calls = 0;
  return {
    ledger: unmeteredLedger,
    authenticate: async () => {
      const principal = principals[calls++ % ACCOUNTS];
      if (principal === undefined) throw new Error('There is no principal.');
      return principal;
    },
  };
}
