export { freePort, isPortFree } from './ports.ts';
export { type PostgresOptions, type PostgresServer, startPostgres } from './postgres/server.ts';
export { type Forget, type Guardian, openGuardian } from './processes/guardian.ts';
export type { ManagedProcess, ProcessEnd } from './processes/managed-process.ts';
export { findRedis, type RedisSearch } from './redis/discover.ts';
export type { RedisProgram } from './redis/program.ts';
export { type RedisOptions, type RedisServer, startRedis } from './redis/server.ts';
export { curlLines } from './stack/banner.ts';
export { repositoryRoot, rootHome, type StateFolders, stateFolders } from './state.ts';
