import { ACCESS_BASE_PATH, type Route, sendJson } from '@vcds/service-kit';
import type { Request, Response } from 'express';
import type { PublicUrls } from '../keys/endpoints.ts';
import { readQuery } from '../keys/read-query.ts';
import { EXCHANGE_ENDPOINT, type Legacy } from '../legacy/open-legacy.ts';
import { iconRoute } from './mark.ts';
import { PLACES } from './page.ts';
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
    {
      method: 'GET',
      path: ACCESS_BASE_PATH,
      handler: sendRoot,
    },
  ];
}
