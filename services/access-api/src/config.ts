import { secretsVariable } from '@vcds/credentials';
import {
  type Config,
  EDGE_VARIABLES,
  HTTP_SCHEMES,
  hostVariable,
  portVariable,
  readConfig,
  TRACE_VARIABLES,
  urlVariable,
  type Variables,
} from '@vcds/service-kit';
import { databaseUrlOf, STORE_VARIABLES } from './accounts/store-config.ts';
import { configuredKeys, LEGACY_VARIABLES } from './legacy/legacy-config.ts';
import { assertMailSettings, MAIL_QUEUE_VARIABLES, MAIL_VARIABLES } from './mail/settings.ts';
import { readDomainsFile } from './registration/disposable-domains.ts';
import {
  CODE_SECRET_VARIABLES,
  dnsServersOf,
  REGISTRATION_VARIABLES,
} from './registration/registration-config.ts';

const ACCESS_API_VARIABLES = {
  ...STORE_VARIABLES,
  ...EDGE_VARIABLES,
  ...TRACE_VARIABLES,
  ACCESS_API_HOST: hostVariable('address of the public listener'),
  ACCESS_API_PORT: portVariable(8081, 'port of the public listener'),
  ACCESS_API_INTERNAL_HOST: hostVariable('address of the internal listener'),
  ACCESS_API_INTERNAL_PORT: portVariable(9081, 'port of the internal listener'),
  ACCESS_API_PUBLIC_URL: urlVariable(HTTP_SCHEMES, 'public URL of this service', {
    default: 'http://127.0.0.1:8081',
  }),
  DATA_API_PUBLIC_URL: urlVariable(HTTP_SCHEMES, 'public URL of the data API', {
    default: 'http://127.0.0.1:8080',
  }),
  SERVICE_TOKEN_SECRET: secretsVariable('secret that signs calls between the services'),
  ...REGISTRATION_VARIABLES,
  ...MAIL_QUEUE_VARIABLES,
  ...LEGACY_VARIABLES,
  MCP_OAUTH: {
    type: 'string',
    enum: ['on', 'off'],
    default: 'on',
    description: 'whether assistants can be connected with the address of /mcp alone (OAuth)',
  },
  SUPPORT_EMAIL: {
    type: 'string',
    pattern: '^[^\\s@<>"\'&?]+@[^\\s@<>"\'&?]+$',
    expected: 'an email address',
    description: 'contact address, on the page of credits and in the footer',
  },
  IMPRINT_URL: urlVariable(HTTP_SCHEMES, 'page that says who runs the service', {}),
  SANDBOX_PUBLIC_URL: urlVariable(HTTP_SCHEMES, 'public URL of a sandbox of the data API', {}),
} as const satisfies Variables;

const WORKER_VARIABLES = {
  ...STORE_VARIABLES,
  ...CODE_SECRET_VARIABLES,
  ...MAIL_QUEUE_VARIABLES,
  ...MAIL_VARIABLES,
  LOG_LEVEL: EDGE_VARIABLES.LOG_LEVEL,
  CHARGE_RETENTION_MONTHS: {
    type: 'integer',
    minimum: 12,
    maximum: 1_200,
    default: 24,
    description: 'how many months of single charges are kept; their sums are kept permanently',
  },
  ...TRACE_VARIABLES,
  WORKER_INTERNAL_HOST: hostVariable('address of the internal listener'),
  WORKER_INTERNAL_PORT: portVariable(9082, 'port of the internal listener'),
} as const satisfies Variables;

export type AccessConfig = Config<typeof ACCESS_API_VARIABLES> & {
  readonly databaseUrl: string;
  /** Undefined: the system's resolvers. */
  readonly dnsServers: readonly string[] | undefined;
  /** The operator's own list of disposable domains. */
  readonly blockedDomains: ReadonlySet<string>;
};

export type WorkerConfig = Config<typeof WORKER_VARIABLES> & { readonly databaseUrl: string };

/** The configuration of access-api. @throws ConfigError with every invalid variable. */
export function readAccessConfig(environment: NodeJS.ProcessEnv): AccessConfig {
  const config = readConfig(ACCESS_API_VARIABLES, environment, [
    databaseUrlOf,
    ({ DNS_SERVERS }) => dnsServersOf(DNS_SERVERS),
    ({ DISPOSABLE_DOMAINS_FILE }) => readDomainsFile(DISPOSABLE_DOMAINS_FILE),
    configuredKeys,
  ]);
  return {
    ...config,
    databaseUrl: databaseUrlOf(config),
    dnsServers: dnsServersOf(config.DNS_SERVERS),
    blockedDomains: readDomainsFile(config.DISPOSABLE_DOMAINS_FILE),
  };
}

/** The configuration of the worker. @throws ConfigError with every invalid variable. */
export function readWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  const config = readConfig(WORKER_VARIABLES, environment, [databaseUrlOf, assertMailSettings]);
  return { ...config, databaseUrl: databaseUrlOf(config) };
}
