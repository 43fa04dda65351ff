import {
  ConfigError,
  type Given,
  POSTGRES_SCHEMES,
  urlVariable,
  type Variables,
} from '@vcds/service-kit';

/** The database of the data worker and of the commands that do its work. */
export const WORKER_DATABASE_VARIABLES = {
  DATA_WORKER_DATABASE_URL: urlVariable(POSTGRES_SCHEMES, 'PostgreSQL of the data worker', {}),
  DATABASE_URL: urlVariable(
    POSTGRES_SCHEMES,
    'PostgreSQL, unless DATA_WORKER_DATABASE_URL is set',
    {},
  ),
} as const satisfies Variables;

/** @throws ConfigError if none is set. */
export function workerDatabaseUrl(config: Given<typeof WORKER_DATABASE_VARIABLES>): string {
  const url = config.DATA_WORKER_DATABASE_URL ?? config.DATABASE_URL;
  if (url === undefined) {
    throw new ConfigError([
      'DATABASE_URL is not set, nor is DATA_WORKER_DATABASE_URL (PostgreSQL).',
    ]);
  }
  return url;
}
