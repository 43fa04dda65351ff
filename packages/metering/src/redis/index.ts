/** The Redis adapter of the ledger, `@vcds/metering/redis`. The rest of the package is pure. */
export { assertLedgerServes } from './readiness.ts';
export { createRedisLedger, type RedisLedgerOptions } from './redis-ledger.ts';
export { type RedisClient, RedisUnavailable } from './run-script.ts';
