import type { PlanId, Principal } from '@vcds/credentials';
import {
  type Balance,
  creditHeaders,
  type KeyShare,
  keyBody,
  type Ledger,
  PLANS,
} from '@vcds/metering';
import {
  ACCESS_BASE_PATH,
  ApiError,
  contextOf,
  type ErrorCode,
  type Route,
  readQueryString,
  sendJson,
} from '@vcds/service-kit';
import type { ErrorRequestHandler, Response } from 'express';
import type { AccessEndpoint } from '../keys/endpoints.ts';
import { type Checks, identifyCaller } from '../keys/identify-caller.ts';
import { acceptQuery } from '../keys/read-query.ts';

export const USAGE_ENDPOINT = Object.freeze<AccessEndpoint>({
  path: `${ACCESS_BASE_PATH}/usage`,
  methods: ['GET'],
  summary: 'The credits of the account, free of charge.',
  fields: {},
  requires: [[]],
  limits: [],
  operations: { GET: 'usage' },
  tag: 'Credits',
  credentials: 'key',
  response: { status: 200, text: 'The balance.', schema: 'Usage' },
  errors: ['unauthorized'],
});

interface UsageRouteOptions extends Checks {
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
    takesKey: true,
    handler: async (request, response) => {
      const query = readQueryString(request);
      const principal = await identifyCaller(request, query.parameters, options);
      const balance = await readBalanceOf(options.ledger, principal);
      setFreeCallHeaders(response, balance);
      acceptQuery(query, []);
      sendJson(response, 200, usageBody(balance));
    },
  };
}

/** The credits object of responses. */
export function creditsBody({ limit, remaining, resetAt }: Balance) {
  return { limit, remaining, reset: resetAt.toISOString() };
}

/** The response: the credits of the account, and of a key with a monthly limit of its own. */
export function usageBody(balance: Balance) {
  return { ...creditsBody(balance), key: keyBody(balance.key) };
}

function readBalanceOf(
  ledger: Pick<Ledger, 'balance'>,
  { accountId, plan, keyId, creditLimit }: Principal,
): Promise<Balance> {
  return readBalance(ledger, accountId, plan, { keyId, keyLimit: creditLimit });
}

/** The balance of an account on a plan, and of one of its keys. @throws ApiError `unavailable` without an answer. */
export async function readBalance(
  ledger: Pick<Ledger, 'balance'>,
  accountId: string,
  plan: PlanId,
  key?: KeyShare,
): Promise<Balance> {
  const answer = await ledger.balance(accountId, PLANS[plan].creditsPerMonth, key);
  if (answer.status === 'known') return answer.balance;
  const message = 'Balances are temporarily unavailable. Retry later.';
  throw new ApiError('unavailable', message, {}, { cause: answer.cause });
}

/** Sets the credit headers of an authenticated response without a charge. */
function setFreeCallHeaders(response: Response, balance: Balance): void {
  const { limit, remaining, resetAt, key } = balance;
  const headers = creditHeaders({ charged: 0, limit, remaining, resetAt, key });
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

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
        const principal = await identifyCaller(request, parameters, options);
        setFreeCallHeaders(response, await readBalanceOf(options.ledger, principal));
      } catch (failure) {
        if (!(failure instanceof ApiError)) throw failure;
      }
    }
    next(error);
  };
}
