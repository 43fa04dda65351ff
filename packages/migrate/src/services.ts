import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A service that owns a PostgreSQL schema. */
export interface ServiceSchema {
  readonly service: 'data-api' | 'access-api';
  readonly schema: string;
  /** Absolute path of its migrations. */
  readonly migrationsDir: string;
  /** Environment variables that may hold its connection string, first set one wins. */
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
    databaseVariables: ['DATABASE_URL'],
  },
  {
    service: 'access-api',
    schema: 'access',
    migrationsDir: join(repositoryRoot, 'services/access-api/prisma/migrations'),
    databaseVariables: ['ACCESS_DATABASE_URL', 'DATABASE_URL'],
  },
];

/** The connection string a service is to use, or undefined when no variable holds one. */
export function databaseUrl(
  { databaseVariables }: ServiceSchema,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  return databaseVariables.map((name) => environment[name]).find(Boolean);
}
