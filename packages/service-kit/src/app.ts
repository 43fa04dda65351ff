import express, { type ErrorRequestHandler, type Express } from 'express';
import { type EdgeSettings, edge } from './edge.ts';
import { errorHandler } from './error-handler.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { type Route, routesHandler, unknownPath } from './routes.ts';
import { readTrustedProtocol, trustProxySetting } from './trust-proxy.ts';

export interface PublicAppOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: EdgeSettings;
  readonly routes: readonly Route[];
  /** Runs before the error response is written; it must pass the error on. */
  readonly beforeError?: ErrorRequestHandler;
  /** The default `see` of every error that names a field, parameter or value. */
  readonly see?: string;
  /** {auth_url}: errors then name the way to a key, the plans and the page for assistants. */
  readonly authUrl?: string;
  /** Suggests a path for an unknown one; default: the nearest of the routes. */
  readonly suggestPath?: (path: string) => string | undefined;
}

/**
 * The app on a service's public port: request ids, CORS, the HTTPS rule,
 * compression, a table of routes with 404, 405 and OPTIONS derived from it, error bodies.
 */
export function createPublicApp(options: PublicAppOptions): Express {
  const { logger, metrics, settings, routes, beforeError, see, suggestPath } = options;
  const app = bareApp();
  app.set('trust proxy', trustProxySetting(settings.trustProxy));
  readTrustedProtocol(app);
  app.use(edge(logger, metrics, settings));
  app.use(routesHandler(routes));
  app.use(unknownPath(routes, suggestPath));
  if (beforeError !== undefined) app.use(beforeError);
  app.use(errorHandler(see, options.authUrl));
  return app;
}

/** An Express app without `X-Powered-By`, ETags and the query parser. */
export function bareApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  app.enable('case sensitive routing');
  return app;
}
