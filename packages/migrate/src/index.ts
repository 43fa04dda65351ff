export {
  type AppliedMigrations,
  applyMigrations,
  checkHistory,
  checkMigrations,
  type MigrationTarget,
  resolveMigration,
} from './apply.ts';
export { MigrationError, type MigrationErrorCode } from './errors.ts';
export {
  type FrozenRelease,
  freezeMigrations,
  readFrozen,
  unfrozenMigrations,
} from './frozen.ts';
export { rolePasswords } from './passwords.ts';
export type { SchemaPrivileges } from './privileges.ts';
export {
  databaseUrl,
  type ServiceSchema,
  serviceSchemas,
} from './services.ts';
