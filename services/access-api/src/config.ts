import { SERVICE_SECRET_LENGTH_MIN } from '@vcds/credentials';
import {
  type Config,
  ConfigError,
  EDGE_VARIABLES,
  type Given,
  HTTP_SCHEMES,
  hostVariable,
  POSTGRES_SCHEMES,
  portVariable,
  REDIS_SCHEMES,
  readConfig,
  secretsVariable,
  urlVariable,
  type Variables,
} from '@vcds/service-kit';
import { configuredKeys, LEGACY_VARIABLES } from './legacy/legacy-config.ts';
import { MAIL_QUEUE_VARIABLES } from './mail/mail-settings.ts';
import { ACCOUNT_AREA_VARIABLES } from './pages/pages-config.ts';
import { readDomainsFile } from './registration/disposable-domains.ts';
import { dnsServersOf, REGISTRATION_VARIABLES } from './registration/registration-config.ts';

/** Where accounts, keys and charges are kept. */
export const STORE_VARIABLES = {
  ACCESS_DATABASE_URL: urlVariable(POSTGRES_SCHEMES, 'PostgreSQL for accounts and keys', {}),
  DATABASE_URL: urlVariable(POSTGRES_SCHEMES, 'PostgreSQL, unless ACCESS_DATABASE_URL is set', {}),
  REDIS_URL: urlVariable(REDIS_SCHEMES, 'Redis for keys and credits', { required: true }),
} as const satisfies Variables;

const SERVICE_VARIABLES = {
  ...STORE_VARIABLES,
  ...EDGE_VARIABLES,
  ACCESS_API_HOST: hostVariable('address of the public listener'),
  ACCESS_API_PORT: portVariable(8081, 'port of the public listener'),
  ACCESS_API_INTERNAL_HOST: hostVariable('address of the internal listener'),
  ACCESS_API_INTERNAL_PORT: portVariable(9081, 'port of the internal listener'),
  ACCESS_API_PUBLIC_URL: urlVariable(HTTP_SCHEMES, 'how the public reaches this service', {
    default: 'http://127.0.0.1:8081',
  }),
  DATA_API_PUBLIC_URL: urlVariable(HTTP_SCHEMES, 'how the public reaches the data API', {
    default: 'http://127.0.0.1:8080',
  }),
  SERVICE_TOKEN_SECRET: secretsVariable(
    SERVICE_SECRET_LENGTH_MIN,
    'signs calls between the services',
  ),
  ...REGISTRATION_VARIABLES,
  ...MAIL_QUEUE_VARIABLES,
  ...LEGACY_VARIABLES,
  ...ACCOUNT_AREA_VARIABLES,
} as const satisfies Variables;

const ADMIN_VARIABLES = {
  ...STORE_VARIABLES,
  LOCAL_DIR: { type: 'string', description: 'state of the embedded default' },
} as const satisfies Variables;

export type AccessConfig = Config<typeof SERVICE_VARIABLES> & {
  readonly databaseUrl: string;
  /** Undefined: the system's resolvers. */
  readonly dnsServers: readonly string[] | undefined;
  /** The operator's own list of disposable domains. */
  readonly refusedDomains: ReadonlySet<string>;
};
export type AdminConfig = Config<typeof ADMIN_VARIABLES> & { readonly databaseUrl: string };

/** @throws ConfigError naming every fault at once. */
export function readAccessConfig(environment: NodeJS.ProcessEnv): AccessConfig {
  const config = readConfig(SERVICE_VARIABLES, environment, [
    databaseUrlOf,
    ({ DNS_SERVERS }) => dnsServersOf(DNS_SERVERS),
    ({ DISPOSABLE_DOMAINS_FILE }) => readDomainsFile(DISPOSABLE_DOMAINS_FILE),
    configuredKeys,
  ]);
  return {
    ...config,
    databaseUrl: databaseUrlOf(config),
    dnsServers: dnsServersOf(config.DNS_SERVERS),
    refusedDomains: readDomainsFile(config.DISPOSABLE_DOMAINS_FILE),
  };
}

/** @throws ConfigError naming every fault at once. */
export function readAdminConfig(environment: NodeJS.ProcessEnv): AdminConfig {
  const config = readConfig(ADMIN_VARIABLES, environment, [databaseUrlOf]);
  return { ...config, databaseUrl: databaseUrlOf(config) };
}

/** @throws ConfigError when neither variable is set. */
export function databaseUrlOf(config: Given<typeof STORE_VARIABLES>): string {
  const url = config.ACCESS_DATABASE_URL ?? config.DATABASE_URL;
  if (url === undefined) {
    throw new ConfigError(['DATABASE_URL is not set, nor is ACCESS_DATABASE_URL (PostgreSQL).']);
  }
  return url;
}
