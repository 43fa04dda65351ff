/**
 * The data API as a process to be measured. `metered`: keys are checked with access-api and credits
 * held and charged in Redis, as in production. `unmetered`: fixed principals, no credits.
 * Everything else is the same.
 */
import { ownerKey, type Principal } from '@vcds/credentials';
import { createRedisLedger } from '@vcds/metering/redis';
import { createRedis, redisReady } from '@vcds/service-kit';
import { createAuthenticator } from '../../src/authenticate/index.ts';
import { readDataApiConfig } from '../../src/config.ts';
import { type Hold, Meter, type PricedCall } from '../../src/credits/meter.ts';
import { fixedPrincipal, logger, startApi } from '../data-api.ts';

/** The figures between two messages. */
export interface Lap {
  /** Processor time of the process. */
  readonly cpuMicros: number;
  /** Of each call, the time it waited for authenticate, reserve and settle together. */
  readonly meteringMs: readonly number[];
}

const waited = new WeakMap<Principal, number>();
let meteringMs: number[] = [];
let cpu = process.cpuUsage();

const config = readDataApiConfig(process.env);

class MeasuredMeter extends Meter {
  override async reserve(priced: PricedCall): Promise<Hold> {
    const { principal } = priced.call;
    const hold = await waitFor(principal, () => super.reserve(priced));
    return {
      release: hold.release,
      settle: async (records) => {
        await waitFor(principal, () => hold.settle(records));
        meteringMs.push(waited.get(principal) ?? 0);
      },
    };
  }
}

const metered = process.argv[2] === 'metered' ? await openMetered() : undefined;
const authenticate = metered?.authenticate ?? fixedPrincipal;
const { url } = await startApi({
  connectionString: config.DATABASE_URL,
  connections: config.DATABASE_CONNECTIONS,
  statementMsMax: config.STATEMENT_TIMEOUT_MS,
  ...metered,
  createMeter: (options) => new MeasuredMeter(options),
  authenticate: async (request, parameters) => {
    const startedMs = performance.now();
    // A copy for each call, under which its time is added up.
    const principal = { ...(await authenticate(request, parameters)) };
    waited.set(principal, performance.now() - startedMs);
    return principal;
  },
});
process.send?.(url);
process.on('message', () => {
  const { user, system } = process.cpuUsage(cpu);
  const lap: Lap = { cpuMicros: user + system, meteringMs };
  process.send?.(lap);
  meteringMs = [];
  cpu = process.cpuUsage();
});

async function waitFor<T>(principal: Principal, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const done = await work();
  waited.set(principal, (waited.get(principal) ?? 0) + performance.now() - startedMs);
  return done;
}

async function openMetered() {
  const redis = createRedis({ url: config.REDIS_URL, name: 'bench', logger });
  await redisReady(redis);
  const { authenticate } = createAuthenticator({
    accessInternalUrl: config.ACCESS_INTERNAL_URL,
    serviceTokenSecret: config.SERVICE_TOKEN_SECRET,
    redisUrl: config.REDIS_URL,
    isIssued: async (digest) => (await redis.exists(ownerKey(digest))) === 1,
    logger,
  });
  return { authenticate, ledger: createRedisLedger({ redis }).ledger };
}
