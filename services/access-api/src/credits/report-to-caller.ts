import { type Ledger, PLANS } from '@vcds/metering';
import { ApiError, contextOf, type ErrorCode, readQueryString } from '@vcds/service-kit';
import type { ErrorRequestHandler } from 'express';
import { type Checks, identifyCaller } from '../keys/identify-caller.ts';
import { ACCESS_BASE_PATH } from '../pages/root-routes.ts';
import { setFreeCallHeaders } from './credits-body.ts';

const ROUTER_ERRORS: ReadonlySet<ErrorCode> = new Set(['unknown_path', 'method_not_allowed']);

/**
 * Puts the balance on 404 and 405 below {auth_url} for a request with a valid key. Without one, or
 * while keys or balances are unavailable, the error is sent as it is.
 */
export function reportToCaller(
  options: Checks & { readonly ledger: Pick<Ledger, 'balance'> },
): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const isOfRouter = error instanceof ApiError && ROUTER_ERRORS.has(error.code);
    const isBelow = request.path.startsWith(`${ACCESS_BASE_PATH}/`);
    if (isOfRouter && isBelow && contextOf(request).caller === undefined) {
      const { parameters } = readQueryString(request);
      const identified = identifyCaller(request, parameters, options);
      const principal = await identified.catch(ignoreApiError);
      if (principal !== undefined) {
        const { accountId, plan } = principal;
        const answer = await options.ledger.balance(accountId, PLANS[plan].creditsPerMonth);
        if (answer.status === 'known') setFreeCallHeaders(response, answer.balance);
      }
    }
    next(error);
  };
}

function ignoreApiError(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}
