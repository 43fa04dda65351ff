import {
  ConfigError,
  createLogger,
  createMetrics,
  type Logger,
  type Service,
  startInternalService,
  systemClock,
} from '@vcds/service-kit';
import { type ColumnarOptions, openColumnarEngine } from '../categories/columnar-engine.ts';
import { createFacetMetrics } from '../categories/facet-metrics.ts';
import { leadsToPooler } from '../postgres/direct-connection.ts';
import type { FacetsConfig } from './config.ts';
import { facetRoutes } from './facet-routes.ts';

const NAME = 'facets';

/**
 * Starts the facet process: it loads the columnar engine, keeps it current and counts for data-api
 * processes. `/ready` passes while the engine can count.
 *
 * @throws ConfigError if the database is a connection pooler. ListenError if the port cannot be opened.
 */
export async function startFacets(
  config: FacetsConfig,
  options: {
    readonly logger?: Logger;
    /** Settings of the engine's threads. For tests. */
    readonly engine?: Pick<ColumnarOptions, 'threads' | 'pollMs' | 'execArgv'>;
  } = {},
): Promise<Service> {
  const connectionString = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (await leadsToPooler(connectionString)) {
    throw new ConfigError([
      'The database of the facet process is a connection pooler, but loading needs a session of its ' +
        'own: set DATABASE_DIRECT_URL to PostgreSQL.',
    ]);
  }
  const logger = options.logger ?? createLogger({ service: NAME, level: config.LOG_LEVEL });
  const metrics = createMetrics(NAME);
  const { registry } = metrics;
  const engine = openColumnarEngine({
    connectionString,
    name: NAME,
    memoryMb: config.FACET_MEMORY_MB,
    logger,
    registry,
    ...options.engine,
  });
  engine.start();
  return startInternalService({
    name: NAME,
    logger,
    metrics,
    checks: {
      facets: async () => {
        const { ready, status } = engine.state();
        if (!ready) throw new Error(`The facet engine is ${status}.`);
      },
    },
    routes: facetRoutes({
      engine,
      metrics: createFacetMetrics(registry, engine),
      serviceTokenSecret: config.SERVICE_TOKEN_SECRET,
      clock: systemClock,
    }),
    host: config.FACETS_INTERNAL_HOST,
    port: config.FACETS_INTERNAL_PORT,
    variable: 'FACETS_INTERNAL_PORT',
    resources: [{ name: 'facets', close: () => engine.close() }],
  });
}
