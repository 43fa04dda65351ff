import { secretsVariable } from '@vcds/credentials';
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
  TRACE_VARIABLES,
  urlsVariable,
  urlVariable,
  type Variables,
} from '@vcds/service-kit';
import { SITE_VARIABLES, siteTestAddress } from '@vcds/site-facts/reader';
import { assertClickHouse, CLICKHOUSE_VARIABLES } from './facet-tables/clickhouse-variables.ts';
import { POOLERS } from './postgres/read-pool.ts';
import { SNAPSHOT_VARIABLES } from './replica/snapshot-variables.ts';

const VARIABLES = {
  ...EDGE_VARIABLES,
  ...TRACE_VARIABLES,
  ...SITE_VARIABLES,
  DATA_API_HOST: hostVariable('address of the public listener'),
  DATA_API_PORT: portVariable(8080, 'port of the public listener'),
  DATA_API_INTERNAL_HOST: hostVariable('address of the internal listener'),
  DATA_API_INTERNAL_PORT: portVariable(9080, 'port of the internal listener'),
  DATA_API_PUBLIC_URL: urlVariable(HTTP_SCHEMES, 'public URL of this service', {
    default: 'http://127.0.0.1:8080',
  }),
  ACCESS_INTERNAL_URL: urlVariable(HTTP_SCHEMES, "access-api's internal listener", {
    default: 'http://127.0.0.1:9081',
  }),
  MCP_OAUTH: {
    type: 'string',
    enum: ['on', 'off'],
    default: 'on',
    description: 'whether assistants can be connected with the address of /mcp alone (OAuth)',
  },
  SERVICE_TOKEN_SECRET: secretsVariable('signs calls between the services'),
  DATABASE_URL: urlVariable(POSTGRES_SCHEMES, 'PostgreSQL', { required: true }),
  DATABASE_DIRECT_URL: urlVariable(
    POSTGRES_SCHEMES,
    'PostgreSQL for background jobs, if DATABASE_URL leads to a connection pooler',
    {},
  ),
  ...CLICKHOUSE_VARIABLES,
  CLICKHOUSE_SHADOW: {
    type: 'string',
    pattern: '^(?:0(?:\\.\\d{1,6})?|1(?:\\.0{1,6})?)$',
    expected: 'a share from 0 to 1, such as 0.01',
    description:
      'the share of calls that the engine in memory answers and ClickHouse repeats, to compare',
  },
  ...SNAPSHOT_VARIABLES,
  CURSOR_SECRET: secretsVariable(
    'authenticates the cursors of collections and feeds, which never expire',
  ),
  DATABASE_POOLER: {
    type: 'string',
    description: 'the pooler of DATABASE_URL and DATABASE_REPLICA_URL: none, transaction, prepared',
    enum: POOLERS,
    default: 'none',
  },
  DATABASE_REPLICA_URL: urlsVariable(POSTGRES_SCHEMES, 'PostgreSQL replicas for reads'),
  REPLICA_MAX_LAG_MS: {
    type: 'integer',
    description: 'milliseconds by which a replica for reads may be behind',
    default: 10_000,
    minimum: 100,
    maximum: 30_000,
  },
  DATABASE_CONNECTIONS: {
    type: 'integer',
    description: 'connections of the read pool',
    default: 10,
    minimum: 1,
    maximum: 500,
  },
  ACCOUNT_CONNECTIONS: {
    type: 'integer',
    description: 'concurrent reads of one account; default a quarter of DATABASE_CONNECTIONS',
    minimum: 1,
    maximum: 500,
  },
  SCAN_TIMEOUT_MS: {
    type: 'integer',
    description: 'milliseconds after which a read that scans a whole table is cancelled',
    default: 2_000,
    minimum: 100,
    maximum: 60_000,
  },
  STATEMENT_TIMEOUT_MS: {
    type: 'integer',
    description: 'milliseconds after which a read is cancelled',
    default: 10_000,
    minimum: 100,
    maximum: 60_000,
  },
  SANDBOX: {
    type: 'string',
    description: 'on: serve the invented data of the sandbox to everyone, without keys and charges',
    enum: ['on', 'off'],
    default: 'off',
  },
  FACET_ENGINE: {
    type: 'string',
    description: 'facet engine: columnar (in memory, once loaded) or sql (in the database)',
    enum: ['columnar', 'sql'],
    default: 'columnar',
  },
  FACET_MEMORY_MB: {
    type: 'integer',
    description: 'most megabytes of the columnar engine; beyond it the database counts',
    default: 2_048,
    minimum: 1,
    maximum: 1_048_576,
  },
  REDIS_URL: urlVariable(REDIS_SCHEMES, 'Redis for credits and keys', { required: true }),
} as const satisfies Variables;

export type DataApiConfig = Config<typeof VARIABLES>;

/** The connection strings of the replicas. */
export function replicaUrlsOf({ DATABASE_REPLICA_URL: urls }: DataApiConfig): readonly string[] {
  return urls?.split(',').map((url) => url.trim()) ?? [];
}

/** @throws ConfigError if there is no ClickHouse to compare with. */
function assertShadow({
  CLICKHOUSE_SHADOW: share,
  CLICKHOUSE_URL: url,
}: Given<typeof VARIABLES>): void {
  if (share === undefined || url !== undefined) return;
  throw new ConfigError(['CLICKHOUSE_SHADOW is set, but CLICKHOUSE_URL is not: set both.']);
}

/** @throws ConfigError that lists every invalid variable. */
export function readDataApiConfig(environment: NodeJS.ProcessEnv): DataApiConfig {
  return readConfig(VARIABLES, environment, [siteTestAddress, assertClickHouse, assertShadow]);
}
