import {
  type Config,
  EDGE_VARIABLES,
  hostVariable,
  portVariable,
  REDIS_SCHEMES,
  readConfig,
  TRACE_VARIABLES,
  urlVariable,
  type Variables,
} from '@vcds/service-kit';
import { SITE_VARIABLES, siteTestAddress } from '@vcds/site-facts/reader';
import { assertClickHouse, CLICKHOUSE_VARIABLES } from '../facet-tables/clickhouse-variables.ts';
import { WORKER_DATABASE_VARIABLES, workerDatabaseUrl } from '../postgres/worker-database.ts';
import { SNAPSHOT_VARIABLES } from '../replica/snapshot-variables.ts';
import { scheduleVariable } from './jobs/schedule.ts';

const VARIABLES = {
  LOG_LEVEL: EDGE_VARIABLES.LOG_LEVEL,
  ...TRACE_VARIABLES,
  DATA_WORKER_INTERNAL_HOST: hostVariable('address of the internal listener'),
  DATA_WORKER_INTERNAL_PORT: portVariable(9083, 'port of the internal listener'),
  ...WORKER_DATABASE_VARIABLES,
  REDIS_URL: urlVariable(REDIS_SCHEMES, 'Redis', { required: true }),
  ...CLICKHOUSE_VARIABLES,
  TRAIN_SCHEDULE: scheduleVariable('15 2 * * *', 'when models are trained'),
  PREDICT_STAGES_SCHEDULE: scheduleVariable('0 3 * * *', 'when next stages are predicted'),
  ...SNAPSHOT_VARIABLES,
  SNAPSHOT_SCHEDULE: scheduleVariable(
    '0 1 * * *',
    'when snapshots are made, if SNAPSHOT_URL is set',
  ),
  STATUS_SWEEP: {
    type: 'string',
    enum: ['on', 'off'],
    description: 'whether the data worker visits the sites of companies every night',
    default: 'off',
  },
  STATUS_SWEEP_SCHEDULE: scheduleVariable('30 3 * * *', 'when it does'),
  STATUS_SWEEP_SITES: {
    type: 'integer',
    description: 'sites that it visits in a night',
    default: 1_000,
    minimum: 1,
    maximum: 20_000,
  },
  QUEUE_REDIS_URL: urlVariable(REDIS_SCHEMES, 'Redis for the queue of jobs, unless REDIS_URL', {}),
  ...SITE_VARIABLES,
} as const satisfies Variables;

export type DataWorkerConfig = Config<typeof VARIABLES> & {
  readonly databaseUrl: string;
  readonly queueRedisUrl: string;
};

/** The configuration of the data worker. @throws ConfigError that lists every invalid variable. */
export function readDataWorkerConfig(environment: NodeJS.ProcessEnv): DataWorkerConfig {
  const config = readConfig(VARIABLES, environment, [
    workerDatabaseUrl,
    siteTestAddress,
    assertClickHouse,
  ]);
  return {
    ...config,
    databaseUrl: workerDatabaseUrl(config),
    queueRedisUrl: config.QUEUE_REDIS_URL ?? config.REDIS_URL,
  };
}
