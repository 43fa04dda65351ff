import {
  ConfigError,
  type Given,
  POSTGRES_SCHEMES,
  REDIS_SCHEMES,
  urlVariable,
  type Variables,
} from '@vcds/service-kit';

/** The stores of accounts, keys and charges. */
export const STORE_VARIABLES = {
  ACCESS_DATABASE_URL: urlVariable(POSTGRES_SCHEMES, 'PostgreSQL for accounts and keys', {}),
  DATABASE_URL: urlVariable(POSTGRES_SCHEMES, 'PostgreSQL, unless ACCESS_DATABASE_URL is set', {}),
  REDIS_URL: urlVariable(REDIS_SCHEMES, 'Redis for keys and credits', { required: true }),
} as const satisfies Variables;

/** @throws ConfigError when neither variable is set. */
export function databaseUrlOf(config: Given<typeof STORE_VARIABLES>): string {
  const url = config.ACCESS_DATABASE_URL ?? config.DATABASE_URL;
  if (url === undefined) {
    throw new ConfigError(['DATABASE_URL is not set, nor is ACCESS_DATABASE_URL (PostgreSQL).']);
  }
  return url;
}
