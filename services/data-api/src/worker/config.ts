import {
  type Config,
  ConfigError,
  EDGE_VARIABLES,
  type Given,
  hostVariable,
  POSTGRES_SCHEMES,
  portVariable,
  REDIS_SCHEMES,
  readConfig,
  urlVariable,
  type Variables,
} from '@vcds/service-kit';
import { SITE_VARIABLES, siteTestAddress } from '@vcds/site-reader';

const VARIABLES = {
  LOG_LEVEL: EDGE_VARIABLES.LOG_LEVEL,
  DATA_WORKER_INTERNAL_HOST: hostVariable('address of the internal listener'),
  DATA_WORKER_INTERNAL_PORT: portVariable(9083, 'port of the internal listener'),
  DATA_WORKER_DATABASE_URL: urlVariable(POSTGRES_SCHEMES, 'PostgreSQL of the data worker', {}),
  DATABASE_URL: urlVariable(
    POSTGRES_SCHEMES,
    'PostgreSQL, unless DATA_WORKER_DATABASE_URL is set',
    {},
  ),
  REDIS_URL: urlVariable(REDIS_SCHEMES, 'Redis', { required: true }),
  QUEUE_REDIS_URL: urlVariable(REDIS_SCHEMES, 'Redis for the queue of jobs, unless REDIS_URL', {}),
  ...SITE_VARIABLES,
} as const satisfies Variables;

export type DataWorkerConfig = Config<typeof VARIABLES> & {
  readonly databaseUrl: string;
  readonly queueRedisUrl: string;
};

/** The configuration of the data worker. @throws ConfigError that lists every invalid variable. */
export function readDataWorkerConfig(environment: NodeJS.ProcessEnv): DataWorkerConfig {
  const config = readConfig(VARIABLES, environment, [databaseUrlOf, siteTestAddress]);
  return {
    ...config,
    databaseUrl: databaseUrlOf(config),
    queueRedisUrl: config.QUEUE_REDIS_URL ?? config.REDIS_URL,
  };
}

function databaseUrlOf(config: Given<typeof VARIABLES>): string {
  const url = config.DATA_WORKER_DATABASE_URL ?? config.DATABASE_URL;
  if (url === undefined) {
    throw new ConfigError([
      'DATABASE_URL is not set, nor is DATA_WORKER_DATABASE_URL (PostgreSQL).',
    ]);
  }
  return url;
}
