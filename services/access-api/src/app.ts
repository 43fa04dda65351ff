import { NO_KEY } from '@vcds/credentials';
import {
  createInternalApp,
  createPublicApp,
  edgeSettings,
  type Route,
  type WorkGate,
} from '@vcds/service-kit';
import type { Express } from 'express';
import { assertSchema } from './accounts/schema-check.ts';
import { reportBalance, usageRoute } from './credits/usage-route.ts';
import type { AccessDeps } from './deps.ts';
import { accessUrl } from './keys/endpoints.ts';
import { keyCheckRoute } from './keys/key-check-route.ts';
import { oauthRoutes } from './oauth/routes.ts';
import { accountPages } from './pages/account.ts';
import { areaRoutes } from './pages/area.ts';
import { changeKeyPages } from './pages/change-key.ts';
import { chargesPages } from './pages/charges.ts';
import { connectPages, showRejection } from './pages/connect.ts';
import { creditsPages } from './pages/credits.ts';
import { explorePages } from './pages/explore.ts';
import { newKeyPages } from './pages/new-key.ts';
import { rootRoutes, suggestPath } from './pages/root.ts';
import { signInPages } from './pages/sign-in.ts';
import { usagePages } from './pages/usage.ts';
import { registrationRoutes } from './registration/routes.ts';
import { siteRoutes } from './site/routes.ts';

/** The routes of the public app. */
export function accessRoutes(deps: AccessDeps): Route[] {
  const pages = [
    ...[signInPages, newKeyPages, explorePages, changeKeyPages, usagePages, chargesPages],
    ...[creditsPages, accountPages],
  ].flatMap((pagesOf) => pagesOf(deps));
  const { oauth } = deps;
  if (oauth !== undefined) pages.push(...connectPages({ ...deps, ...oauth }));
  return [
    ...rootRoutes(deps), // /, /icon.svg, /api/v1
    ...registrationRoutes(deps), // /api/v1/auth/register, /verify, /status
    usageRoute(deps), // /api/v1/usage
    ...(oauth === undefined ? [] : oauthRoutes({ ...deps, ...oauth, showRejection })), // /oauth, /.well-known/oauth-…
    ...deps.legacy.publicRoutes, // /v2/auth/token, /.well-known/jwks.json
    ...areaRoutes(deps, pages), // /account
    ...siteRoutes(deps), // /docs, /llms.txt, /api/v1/openapi.json
  ];
}

/**
 * The apps of access-api; the internal app has the key check for data-api, `/live`, `/ready` and
 * `/metrics`. `/ready` passes once a key could be checked, in Redis or in the journal; an outage of
 * both must not take every process out of a load balancer. `isStopping`: `/ready` then fails. Without
 * `gate` nothing bounds the work of a network.
 */
export function createAccessApp(
  deps: AccessDeps,
  isStopping = () => false,
  gate?: WorkGate,
): { readonly publicApp: Express; readonly internalApp: Express } {
  const { config, logger, metrics, checkKey, legacy, database } = deps;
  const routes = accessRoutes(deps);
  const publicApp = createPublicApp({
    logger,
    metrics,
    settings: { ...edgeSettings(config), cacheControl: 'no-store', gate },
    see: accessUrl(deps),
    authUrl: accessUrl(deps),
    suggestPath: (path) => suggestPath(path, routes, deps),
    beforeError: reportBalance(deps),
    routes,
  });
  const internalApp = createInternalApp({
    logger,
    metrics,
    stores: { keys: () => checkKey(NO_KEY), schema: () => assertSchema(database) },
    gate,
    routes: [keyCheckRoute({ ...deps, grants: deps.oauth?.grants }), ...legacy.internalRoutes],
    isStopping,
  });
  return { publicApp, internalApp };
}
