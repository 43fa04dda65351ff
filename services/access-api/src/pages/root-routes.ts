import { type Route, seeUrl, sendJson } from '@vcds/service-kit';
import { readQuery } from '../registration/input.ts';
import { iconRoute } from './mark.ts';
import { PLACES } from './page.ts';

/** {auth_url} below the public root. */
export const ACCESS_BASE_PATH = '/api/v1';
export const ACCESS_VERSION = 'v1';

/** The parameters of each endpoint below {auth_url}. */
export const ACCESS_PARAMETERS = {
  '/auth/register': ['email'],
  '/auth/verify': ['request_id', 'email', 'code'],
  '/auth/status': ['request_id'],
  '/usage': [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export interface PublicRoutesOptions {
  /** Public roots of both services, without a version segment. */
  readonly accessPublicUrl: string;
  readonly dataPublicUrl: string;
}

/** The endpoints on the public port. */
export function publicRoutes({ accessPublicUrl, dataPublicUrl }: PublicRoutesOptions): Route[] {
  const root = {
    service: 'access-api',
    version: ACCESS_VERSION,
    auth_url: seeUrl(accessPublicUrl, ACCESS_BASE_PATH),
    base_url: seeUrl(dataPublicUrl, '/v2'),
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
