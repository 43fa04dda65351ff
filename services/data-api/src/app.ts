import {
  createPublicApp,
  DATA_BASE_PATH,
  type EdgeSettings,
  type Logger,
  type Metrics,
  type Route,
  readParameters,
  seeUrl,
  sendJson,
} from '@vcds/service-kit';
import { suggestPath } from '@vcds/suggestions';
import type { Express } from 'express';
import { withoutCredential } from './authenticate/without-credential.ts';
import { endpoints } from './endpoints.ts';
import { mcpRoute } from './mcp/route.ts';
import type { Endpoint } from './pipeline/endpoint.ts';
import { type ErrorServices, handleErrors } from './pipeline/errors.ts';
import { routeOf, type Services } from './pipeline/serve.ts';
import { assertAccepted } from './request/parameter-reader.ts';
import { namesOf } from './request/parameters.ts';

export interface DataAppOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly settings: EdgeSettings;
  readonly services: Services & ErrorServices;
  /** {auth_url}: the public root of the access API with its version segment. */
  readonly authUrl?: string;
  /** Default: {@link endpoints}. */
  readonly served?: readonly Endpoint[];
}

/** The data API on its public port: the table of endpoints under `/v2`, listed at its root. */
export function createDataApp(options: DataAppOptions): Express {
  const { logger, metrics, settings, services, authUrl, served = endpoints } = options;
  const { baseUrl } = services;
  const suggest = (path: string) => suggestPath(path, { paths: served, authUrl });
  const context = { ...services, suggestPath: suggest };
  const app = createPublicApp({
    logger,
    metrics,
    settings,
    routes: [
      rootRoute(served, baseUrl),
      ...served.map((row) => routeOf(row, context)),
      mcpRoute(services, () => app),
    ],
    beforeError: handleErrors(services),
    see: baseUrl,
    suggestPath: suggest,
  });
  return app;
}

/** Lists every endpoint with its parameters, fields and relations: free and without a key. */
function rootRoute(served: readonly Endpoint[], baseUrl: string): Route {
  const listed = served.filter((endpoint) => endpoint.listed !== false);
  const body = JSON.stringify({
    service: 'data-api',
    version: 'v2',
    base_url: baseUrl,
    pricing: seeUrl(baseUrl, '/pricing'),
    paths: listed.map(({ path }) => templateOf(path)),
    endpoints: listed.map(({ path, accepts, resource }) => ({
      path: templateOf(path),
      parameters: namesOf(accepts),
      ...(resource && { fields: [...resource.fields.keys()] }),
      ...(resource && { relations: [...resource.relations.keys()] }),
    })),
  });
  return {
    method: 'GET',
    path: DATA_BASE_PATH,
    handler: (request, response) => {
      assertAccepted(withoutCredential(readParameters(request)), []);
      sendJson(response, 200, body);
    },
  };
}

function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}
