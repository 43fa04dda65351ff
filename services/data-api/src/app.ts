import {
  createPublicApp,
  type EdgeSettings,
  type Logger,
  type Metrics,
  type Route,
} from '@vcds/service-kit';
import { suggestPath } from '@vcds/suggestions';
import type { Express } from 'express';
import { coverageRoute } from './coverage/coverage.ts';
import { endpoints } from './endpoints.ts';
import { openMcpOAuth } from './mcp/oauth.ts';
import { mcpRoutes } from './mcp/route.ts';
import { odataRoutes } from './odata/route.ts';
import type { Endpoint } from './serve/endpoint.ts';
import { type ErrorServices, handleErrors } from './serve/errors.ts';
import { rootRoutes } from './serve/root.ts';
import { routeOf, type Services } from './serve/serve.ts';

export interface DataAppOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: EdgeSettings;
  readonly services: Services & ErrorServices;
  /** {auth_url}: the public root of the access API with its version segment. */
  readonly authUrl: string;
  /** The routes of a sandbox. */
  readonly sandbox?: readonly Route[] | undefined;
  /** Whether assistants can be connected with the address of `/mcp` alone. Default: not. */
  readonly hasOAuth?: boolean;
  /** Default: {@link endpoints}. */
  readonly served?: readonly Endpoint[];
}

/**
 * The routes of the data API: the table of endpoints under `/v2`, listed at its root, and `/mcp`.
 *
 * @param app the app that answers the calls of the tools.
 */
export function dataRoutes(options: DataAppOptions, app: () => Express): Route[] {
  const { services, authUrl, served = endpoints } = options;
  const { baseUrl } = services;
  const context = { ...services, suggestPath: suggester(options) };
  const oauth = options.hasOAuth === true ? openMcpOAuth({ baseUrl, authUrl }) : undefined;
  return [
    ...rootRoutes(served, { baseUrl, authUrl }),
    coverageRoute(services.database),
    ...served.map((row) => routeOf(row, context)),
    ...mcpRoutes(services, app, oauth),
    ...odataRoutes(context),
    ...(options.sandbox ?? []),
  ];
}

/** The data API on its public port. */
export function createDataApp(options: DataAppOptions): Express {
  const { logger, metrics, settings, services, authUrl } = options;
  const app = createPublicApp({
    logger,
    metrics,
    settings,
    routes: dataRoutes(options, () => app),
    beforeError: handleErrors(services),
    see: services.baseUrl,
    authUrl,
    suggestPath: suggester(options),
  });
  return app;
}

function suggester({ authUrl, served = endpoints }: DataAppOptions) {
  return (path: string) => suggestPath(path, { paths: served, authUrl });
}
