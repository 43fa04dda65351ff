import type { Ledger } from '@vcds/metering';
import {
  ACCESS_BASE_PATH,
  ApiError,
  contextOf,
  type ErrorCode,
  readQueryString,
} from '@vcds/service-kit';
import type { ErrorRequestHandler } from 'express';
import { type Checks, identifyCaller } from '../keys/identify-caller.ts';
import { readBalance, setFreeCallHeaders } from './credits-body.ts';

const ROUTER_ERRORS: ReadonlySet<ErrorCode> = new Set(['unknown_path', 'method_not_allowed']);

/**
 * Sets the credit headers on 404 and 405 below {auth_url} for a request with a valid key. Without
 * one, or while keys or balances are unavailable, the error is sent as it is.
 */
export function reportBalance(
  options: Checks & { readonly ledger: Pick<Ledger, 'balance'> },
): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const isOfRouter = error instanceof ApiError && ROUTER_ERRORS.has(error.code);
    const isBelow = request.path.startsWith(`${ACCESS_BASE_PATH}/`);
    if (isOfRouter && isBelow && contextOf(request).caller === undefined) {
      try {
        const { parameters } = readQueryString(request);
        const { accountId, plan } = await identifyCaller(request, parameters, options);
        setFreeCallHeaders(response, await readBalance(options.ledger, accountId, plan));
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
      }
    }
    next(error);
  };
}
