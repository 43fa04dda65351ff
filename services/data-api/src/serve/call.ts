import type { Principal } from '@vcds/credentials';
import type { CreditReport } from '@vcds/metering';
import { contextOf, keepPrivate, readQueryString } from '@vcds/service-kit';
import type { Parameters } from '@vcds/suggestions';
import type { Request, Response } from 'express';
import type { Authenticate } from '../authenticate/index.ts';
import { withoutCredential } from '../authenticate/without-credential.ts';

/** An authenticated request. */
export interface Call {
  readonly request: Request;
  readonly response: Response;
  readonly principal: Principal;
  /** The parameters of the query string, without the credential. */
  readonly parameters: Parameters;
  /** The credits that the response reports; undefined until the ledger has replied. */
  credits: CreditReport | undefined;
  /** The call repeats one that was charged before, by its idempotency key. */
  isRepeated?: boolean;
  /** The credits that remain of the limit of its key; undefined without one. */
  keyRemaining?: number | undefined;
}

const CALL = Symbol('call');
type WithCall = Request & { [CALL]?: Call };

/**
 * Authenticates a request.
 *
 * @throws ApiError `unauthorized`, `unavailable`; after the authentication `too_many_requests` if the
 *   account is beyond a bound, and the error of an invalid query string.
 */
export async function openCall(
  authenticate: Authenticate,
  request: Request,
  response: Response,
): Promise<Call> {
  const { parameters, error } = readQueryString(request);
  const principal = await authenticate(request, parameters);
  const { accountId, keyId } = principal;
  const context = contextOf(request);
  context.caller = { accountId, keyId };
  context.work.resume();
  keepPrivate(response);
  const call: Call = {
    request,
    response,
    principal,
    parameters: withoutCredential(parameters),
    credits: undefined,
  };
  (request as WithCall)[CALL] = call;
  context.work.assignTo(accountId);
  if (error !== undefined) throw error;
  return call;
}

/** The call of a request; undefined before the authentication. */
export function callOf(request: Request): Call | undefined {
  return (request as WithCall)[CALL];
}
