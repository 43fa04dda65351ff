/** The callers of the sandbox: every text is a key (docs/spec/sandbox.md 29.2). */
import { createHash } from 'node:crypto';
import { type Principal, readCredentialText } from '@vcds/credentials';
import { contextOf, unauthorized } from '@vcds/service-kit';
import type { Authenticate } from '../authenticate/index.ts';
import { assertNotEarly, requestedError } from './requested-error.ts';

const KEY = /^[!-~]{1,512}$/;
/** The account of a call that asks for `credits_exhausted`: the ledger has no credits for it. */
const EXHAUSTED = '00000000';

/** The key of calls without one. They have no run. */
export const NO_KEY = uuidOf('no key');

/**
 * The principal of a call: its account is the network, so that all keys of a network share its bounds, and its key
 * is the run. It has every right, unless the call asks for the error of one that is missing.
 *
 * @throws ApiError `unauthorized` for a text that can be no key; the requested error, if it is one that comes
 *   before the authentication.
 */
export const sandboxAuthenticate: Authenticate = async (request, parameters) => {
  const text = readCredentialText(request, parameters);
  if (typeof text === 'object') throw unauthorized('malformed', text.message);
  if (text !== undefined && !KEY.test(text)) {
    const message = 'A key of the sandbox has 1 to 512 visible ASCII characters.';
    throw unauthorized('malformed', message);
  }
  const code = requestedError(request);
  assertNotEarly(code);
  const accountId = uuidOf(contextOf(request).work.network);
  const principal: Principal = {
    accountId: code === 'credits_exhausted' ? `${EXHAUSTED}${accountId.slice(8)}` : accountId,
    keyId: text === undefined ? NO_KEY : uuidOf(text),
    plan: 'scale',
    scopes: code === 'not_entitled' ? new Set() : null,
    ...{ expiresAt: null, creditLimit: null },
  };
  contextOf(request).caller = { accountId: principal.accountId, keyId: principal.keyId };
  return principal;
};

/** Whether the account has no credits. */
export function isExhausted(accountId: string): boolean {
  return accountId.startsWith(EXHAUSTED);
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(`vcds sandbox ${text}`).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
