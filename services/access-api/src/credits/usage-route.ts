import type { Ledger } from '@vcds/metering';
import { ACCESS_BASE_PATH, type Route, readQueryString, sendJson } from '@vcds/service-kit';
import type { AccessEndpoint } from '../keys/endpoints.ts';
import { type Checks, identifyCaller } from '../keys/identify-caller.ts';
import { acceptQuery } from '../keys/read-query.ts';
import { creditsBody, readBalance, setFreeCallHeaders } from './credits-body.ts';

export const USAGE_ENDPOINT = Object.freeze<AccessEndpoint>({
  path: `${ACCESS_BASE_PATH}/usage`,
  methods: ['GET'],
  summary: 'The credits of the account, free of charge.',
  fields: {},
  requires: [[]],
  limits: [],
});

export interface UsageRouteOptions extends Checks {
  readonly ledger: Pick<Ledger, 'balance'>;
}

/**
 * `GET /usage`: the credits of the caller's account, for a key in any of its three forms or a
 * token of the older exchange. Free. 401 without a valid key, 503 while keys or balances are
 * unavailable.
 */
export function usageRoute(options: UsageRouteOptions): Route {
  return {
    method: 'GET',
    path: USAGE_ENDPOINT.path,
    handler: async (request, response) => {
      const query = readQueryString(request);
      const { accountId, plan } = await identifyCaller(request, query.parameters, options);
      const balance = await readBalance(options.ledger, accountId, plan);
      setFreeCallHeaders(response, balance);
      acceptQuery(query, []);
      sendJson(response, 200, creditsBody(balance));
    },
  };
}
