import { createPublicApp, type EdgeSettings, type Logger, type Metrics } from '@vcds/service-kit';
import type { Express } from 'express';
import { endpoints } from './endpoints.ts';
import { routeOf, type Services } from './pipeline/serve.ts';

export interface DataAppOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: EdgeSettings;
  readonly services: Services;
}

/** The data API on its public port: the table of endpoints under `/v2`. */
export function createDataApp({ logger, metrics, settings, services }: DataAppOptions): Express {
  const routes = endpoints.map((endpoint) => routeOf(endpoint, services));
  return createPublicApp({ logger, metrics, settings, routes });
}
