export { freePort, isPortFree } from './ports.ts';
export { type PostgresOptions, type PostgresServer, startPostgres } from './postgres/server.ts';
export { type Forget, type Guardian, openGuardian } from './processes/guardian.ts';
export type { ManagedProcess, ProcessEnd } from './processes/managed-process.ts';
export { repositoryRoot, rootHome, type StateFolders, stateFolders } from './state.ts';
