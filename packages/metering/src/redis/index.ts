/** The Redis adapter of the ledger, `@vcds/metering/redis`. The rest of the package is pure. */
export { defineScript, isScriptError, type RedisClient, type Script } from './define-script.ts';
export { assertLedgerServes } from './readiness.ts';
export { createRedisLedger, type RedisLedgerOptions } from './redis-ledger.ts';
export { RedisUnavailable } from './run-script.ts';
