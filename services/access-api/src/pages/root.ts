import { RATE_CARD } from '@vcds/metering';
import {
  ACCESS_BASE_PATH,
  DATA_BASE_PATH,
  nearestPath,
  type Route,
  seeUrl,
  sendJson,
} from '@vcds/service-kit';
import type { Request, Response } from 'express';
import { dataUrl, type PublicUrls } from '../keys/endpoints.ts';
import { readQuery } from '../keys/read-query.ts';
import { EXCHANGE_ENDPOINT, type Legacy } from '../legacy/open-legacy.ts';
import { iconRoute } from './assets.ts';
import { PLACES } from './layout.ts';
import { LISTED_ENDPOINTS, rootListing } from './root-listing.ts';

/** The icon, and the description of the API at `/` and {auth_url}. */
export function rootRoutes(
  urls: PublicUrls & { readonly legacy: Pick<Legacy, 'publicRoutes'> },
): Route[] {
  const { publicRoutes } = urls.legacy;
  const listed = LISTED_ENDPOINTS.filter(
    (endpoint) => endpoint !== EXCHANGE_ENDPOINT || publicRoutes.length > 0,
  );
  const root = JSON.stringify(rootListing(urls, listed));
  const sendRoot = (request: Request, response: Response): void => {
    readQuery(request, []);
    sendJson(response, 200, root);
  };
  return [
    iconRoute,
    {
      method: 'GET',
      path: '/',
      handler: (request, response) => {
        response.setHeader('Vary', 'Accept');
        if (request.accepts(['json', 'html']) === 'html') response.redirect(303, PLACES.account);
        else sendRoot(request, response);
      },
    },
    { method: 'GET', path: ACCESS_BASE_PATH, handler: sendRoot },
  ];
}

const DATA_PATHS = RATE_CARD.map(({ path }) => path.split('/'));

/** The suggestion for an unknown path: an endpoint of the data API, else the nearest route. */
export function suggestPath(
  path: string,
  routes: readonly Route[],
  urls: PublicUrls,
): string | undefined {
  const patterns = new Set(routes.map((route) => route.path).filter((each) => !each.includes('*')));
  return dataUrlOf(path, urls) ?? nearestPath(path, [...patterns]);
}

/**
 * The full URL of an endpoint of the data API that was requested at this host, with or without a
 * version before it; undefined for any other path.
 */
function dataUrlOf(path: string, urls: PublicUrls): string | undefined {
  const asked = below(below(path, DATA_BASE_PATH), ACCESS_BASE_PATH).replace(/\/$/, '').split('/');
  const isServed = DATA_PATHS.some(
    (pattern) =>
      pattern.length === asked.length &&
      pattern.every((part, i) => (part.startsWith('{') ? asked[i] !== '' : part === asked[i])),
  );
  if (!isServed) return undefined;
  return seeUrl(dataUrl(urls), asked.map(encodeURIComponent).join('/'));
}

function below(path: string, base: string): string {
  return path.startsWith(`${base}/`) ? path.slice(base.length) : path;
}
