import { JWKS_PATH } from '@vcds/credentials';
import { DATA_BASE_PATH, type Route, sendJson } from '@vcds/service-kit';
import { readQuery } from '../keys/read-query.ts';
import { readBasicCredentials } from './basic-credentials.ts';
import type { Exchange } from './exchange.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Relative to the public root: the older scheme has its own version. */
export const EXCHANGE_PATH = `${DATA_BASE_PATH}/auth/token`;

/** `POST /v2/auth/token`: 200 `{token}`, 400, 401, 429. */
export function exchangeRoute({ exchange }: Exchange): Route {
  return {
    method: 'POST',
    path: EXCHANGE_PATH,
    handler: async (request, response) => {
      readQuery(request, []);
      const token = await exchange(readBasicCredentials(request), request.ip);
      sendJson(response, 200, { token });
    },
  };
}

/** The public keys, also on the internal listener for data-api. */
export function keySetRoute({ published }: Pick<SigningKeys, 'published'>): Route {
  const body = JSON.stringify({ keys: published });
  return {
    method: 'GET',
    path: JWKS_PATH,
    handler: (request, response) => {
      readQuery(request, []);
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, 200, body);
    },
  };
}
