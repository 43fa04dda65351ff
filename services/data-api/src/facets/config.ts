import {
  type Config,
  EDGE_VARIABLES,
  hostVariable,
  portVariable,
  readConfig,
  TRACE_VARIABLES,
  type Variables,
} from '@vcds/service-kit';
import { FACET_VARIABLES } from '../categories/facet-variables.ts';

const VARIABLES = {
  LOG_LEVEL: EDGE_VARIABLES.LOG_LEVEL,
  ...TRACE_VARIABLES,
  FACETS_INTERNAL_HOST: hostVariable('address of the internal listener'),
  FACETS_INTERNAL_PORT: portVariable(9084, 'port of the internal listener'),
  ...FACET_VARIABLES,
} as const satisfies Variables;

export type FacetsConfig = Config<typeof VARIABLES>;

/** @throws ConfigError that lists every invalid variable. */
export function readFacetsConfig(environment: NodeJS.ProcessEnv): FacetsConfig {
  return readConfig(VARIABLES, environment);
}
