import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SchemaPrivileges } from './privileges.ts';

/** A service that owns a PostgreSQL schema. */
export interface ServiceSchema {
  readonly service: 'data-api' | 'access-api';
  readonly schema: string;
  /** Absolute path of its migrations. */
  readonly migrationsDir: string;
  /** Privileges of the roles that use it. */
  readonly privileges: SchemaPrivileges;
  /** Environment variables that may hold its owner's connection string, first set one wins. */
  readonly databaseVariables: readonly string[];
}

/** The repository root, which is the same seen from `src` and from `dist`. */
const repositoryRoot = fileURLToPath(new URL('../../..', import.meta.url));

/** Each service owns its schema and its migrations; one server or two. */
export const serviceSchemas: readonly ServiceSchema[] = [
  {
    service: 'data-api',
    schema: 'venture',
    migrationsDir: join(repositoryRoot, 'services/data-api/prisma/migrations'),
    privileges: {
      roles: ['vcds_data_api', 'vcds_data_worker', 'vcds_importer'],
      file: join(repositoryRoot, 'services/data-api/prisma/privileges.sql'),
    },
    databaseVariables: ['MIGRATION_DATABASE_URL', 'DATABASE_URL'],
  },
  {
    service: 'access-api',
    schema: 'access',
    migrationsDir: join(repositoryRoot, 'services/access-api/prisma/migrations'),
    privileges: {
      roles: ['vcds_access_api'],
      file: join(repositoryRoot, 'services/access-api/prisma/privileges.sql'),
    },
    // Its own server first: the owner of data-api's may be on another one.
    databaseVariables: [
      'ACCESS_MIGRATION_DATABASE_URL',
      'ACCESS_DATABASE_URL',
      'MIGRATION_DATABASE_URL',
      'DATABASE_URL',
    ],
  },
];

/** The connection string a service's schema is migrated over, or undefined when no variable holds one. */
export function databaseUrl(
  { databaseVariables }: ServiceSchema,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  return databaseVariables.map((name) => environment[name]).find(Boolean);
}
