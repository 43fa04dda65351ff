import { type Ledger, PLANS } from '@vcds/metering';
import { ApiError, type Route, readQueryString, sendJson } from '@vcds/service-kit';
import { type Checks, identifyCaller } from '../keys/identify-caller.ts';
import { ACCESS_BASE_PATH } from '../pages/root-routes.ts';
import { acceptQuery } from '../registration/input.ts';
import { creditsBody, setFreeCallHeaders } from './credits-body.ts';

export interface UsageRouteOptions extends Checks {
  readonly ledger: Pick<Ledger, 'balance'>;
}

/**
 * `GET /usage` (spec §4.6): the credits of the key's account, for a key in any of its three
 * forms or a token of the older exchange. Free. 401 without a valid key, 503 while keys or balances cannot be asked about.
 */
export function usageRoute({ ledger, ...checks }: UsageRouteOptions): Route {
  return {
    method: 'GET',
    path: `${ACCESS_BASE_PATH}/usage`,
    handler: async (request, response) => {
      const query = readQueryString(request);
      const { accountId, plan } = await identifyCaller(request, query.parameters, checks);
      const answer = await ledger.balance(accountId, PLANS[plan].creditsPerMonth);
      if (answer.status === 'unavailable') {
        const message = 'Balances are not known at the moment; retry once later.';
        throw new ApiError('unavailable', message, {}, { cause: answer.cause });
      }
      setFreeCallHeaders(response, answer.balance);
      acceptQuery(query, []);
      sendJson(response, 200, creditsBody(answer.balance));
    },
  };
}
