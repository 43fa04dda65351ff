import { extractCredential, type KeyCheck, type Principal } from '@vcds/credentials';
import { contextOf, unauthorized, unauthorizedToken } from '@vcds/service-kit';
import { misnamedKey } from '@vcds/service-kit/api-errors';
import type { Request } from 'express';
import type { KeyChecker } from './check-key.ts';

/**
 * Checks the key behind a token of the older exchange. Removes an expired token.
 *
 * @throws ApiError `unauthorized` for an invalid token; `unavailable`.
 */
export type TokenChecker = (token: string) => Promise<KeyCheck>;

export interface Checks {
  readonly checkKey: KeyChecker;
  readonly checkToken: TokenChecker;
}

/**
 * The principal of a request, by a key in any of its three forms or a token of the older exchange.
 * The access log names its account and key.
 *
 * @throws ApiError `unauthorized` without a valid credential, `unavailable`, `too_many_requests` if the
 *   account is beyond a bound of its work.
 */
export async function identifyCaller(
  request: Request,
  parameters: ReadonlyMap<string, string>,
  { checkKey, checkToken }: Checks,
): Promise<Principal> {
  const credential = extractCredential(request, parameters);
  if (credential.kind === 'invalid') {
    const { reason, message } = credential;
    throw unauthorized(
      reason,
      message ?? (reason === 'missing' ? misnamedKey(parameters) : undefined),
    );
  }
  const isToken = credential.kind === 'legacy';
  const check = isToken ? await checkToken(credential.token) : await checkKey(credential.digest);
  if ('rejected' in check) {
    throw isToken ? unauthorizedToken(check.rejected) : unauthorized(check.rejected);
  }
  const { accountId, keyId } = check.principal;
  const context = contextOf(request);
  context.caller = { accountId, keyId };
  context.work.assignTo(accountId);
  return check.principal;
}
