import { ACCESS_BASE_PATH, type Route, sendJson } from '@vcds/service-kit';
import { ACCESS_PARAMETERS, accessUrl, dataUrl, type PublicUrls } from '../keys/endpoints.ts';
import { readQuery } from '../keys/read-query.ts';
import { iconRoute } from './mark.ts';
import { PLACES } from './page.ts';

/** The icon, and the description of the API at `/` and {auth_url}. */
export function rootRoutes(urls: PublicUrls): Route[] {
  const root = {
    service: 'access-api',
    version: ACCESS_BASE_PATH.split('/').at(-1),
    auth_url: accessUrl(urls),
    base_url: dataUrl(urls),
    endpoints: Object.entries(ACCESS_PARAMETERS).map(([path, parameters]) => ({
      path,
      parameters,
    })),
  };
  return [
    iconRoute,
    {
      method: 'GET',
      path: '/',
      handler: (request, response) => {
        response.setHeader('Vary', 'Accept');
        if (request.accepts(['json', 'html']) === 'html') response.redirect(303, PLACES.account);
        else sendJson(response, 200, root);
      },
    },
    {
      method: 'GET',
      path: ACCESS_BASE_PATH,
      handler: (request, response) => {
        readQuery(request, []);
        sendJson(response, 200, root);
      },
    },
  ];
}
