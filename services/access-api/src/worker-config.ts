import {
  type Config,
  EDGE_VARIABLES,
  hostVariable,
  portVariable,
  readConfig,
  type Variables,
} from '@vcds/service-kit';
import { databaseUrlOf, STORE_VARIABLES } from './config.ts';
import { assertMailSettings, MAIL_QUEUE_VARIABLES, MAIL_VARIABLES } from './mail/mail-settings.ts';
import { CODE_SECRET_VARIABLES } from './registration/registration-config.ts';

const VARIABLES = {
  ...STORE_VARIABLES,
  ...CODE_SECRET_VARIABLES,
  ...MAIL_QUEUE_VARIABLES,
  ...MAIL_VARIABLES,
  LOG_LEVEL: EDGE_VARIABLES.LOG_LEVEL,
  WORKER_INTERNAL_HOST: hostVariable('address of the internal listener'),
  WORKER_INTERNAL_PORT: portVariable(9082, 'port of the internal listener'),
} as const satisfies Variables;

export type WorkerConfig = Config<typeof VARIABLES> & { readonly databaseUrl: string };

/** @throws ConfigError naming every fault at once. */
export function readWorkerConfig(environment: NodeJS.ProcessEnv): WorkerConfig {
  const config = readConfig(VARIABLES, environment, [databaseUrlOf, assertMailSettings]);
  return { ...config, databaseUrl: databaseUrlOf(config) };
}
