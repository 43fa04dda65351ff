import { type Config, readConfig, type Variables } from '@vcds/service-kit';
import { databaseUrlOf, STORE_VARIABLES } from '../accounts/store-config.ts';

const VARIABLES = {
  ...STORE_VARIABLES,
  LOCAL_DIR: { type: 'string', description: 'folder of the state of the local stack' },
} as const satisfies Variables;

export type AdminConfig = Config<typeof VARIABLES> & { readonly databaseUrl: string };

/** @throws ConfigError with every invalid variable. */
export function readAdminConfig(environment: NodeJS.ProcessEnv): AdminConfig {
  const config = readConfig(VARIABLES, environment, [databaseUrlOf]);
  return { ...config, databaseUrl: databaseUrlOf(config) };
}
