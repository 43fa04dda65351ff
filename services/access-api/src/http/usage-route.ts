import { extractCredential, unauthorized, unauthorizedToken } from '@vcds/credentials';
import { type Ledger, PLANS } from '@vcds/metering';
import { ApiError, contextOf, type Route, readQueryString, sendJson } from '@vcds/service-kit';
import type { TokenCheck } from '../legacy/token-check.ts';
import type { KeyChecker } from '../store/key-check.ts';
import { creditsBody, setFreeCallHeaders } from './credits.ts';
import { ACCESS_BASE_PATH } from './public-routes.ts';
import { acceptQuery } from './registration-input.ts';

export interface UsageRouteOptions {
  readonly checker: KeyChecker;
  readonly tokenCheck: TokenCheck;
  readonly ledger: Pick<Ledger, 'balance'>;
}

/**
 * `GET /usage` (spec §4.6): the credits of the key's account, for a key in any of its three
 * forms or a token of the older exchange. Free. 401 without a valid key, 503 while keys or balances cannot be asked about.
 */
export function usageRoute({ checker, tokenCheck, ledger }: UsageRouteOptions): Route {
  return {
    method: 'GET',
    path: `${ACCESS_BASE_PATH}/usage`,
    handler: async (request, response) => {
      const query = readQueryString(request);
      const credential = extractCredential(request, query.parameters);
      const isToken = credential.kind === 'legacy';
      const check = isToken
        ? await tokenCheck.check(credential.token)
        : await checker.check(credential.digest);
      if ('rejected' in check) {
        throw isToken ? unauthorizedToken(check.rejected) : unauthorized(check.rejected);
      }
      const { accountId, keyId, plan } = check.principal;
      contextOf(request).caller = { accountId, keyId };
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
