import type { UnauthorizedReason } from './error-table.ts';
import { ApiError } from './errors.ts';

const MESSAGES: Readonly<Record<UnauthorizedReason, string>> = {
  missing:
    'This call needs an API key: in X-Api-Key, Authorization: Bearer, or the parameter token.',
  malformed: 'The key is malformed: part of it may be missing or mistyped.',
  unknown: 'The key does not exist.',
  revoked: 'The key has been revoked.',
  expired: 'The key has expired; register again with the same address to get a new one.',
};

/** A 401 with its reason, without other details of the credential. */
export function unauthorized(reason: UnauthorizedReason, message = MESSAGES[reason]): ApiError {
  return new ApiError('unauthorized', message, { reason });
}

const TOKEN_MESSAGES: Readonly<Partial<Record<UnauthorizedReason, string>>> = {
  unknown: 'The token does not exist; exchange your credentials for a new one.',
  revoked: 'The key or password of the token has been revoked.',
  expired: 'The token or its key has expired.',
};

/** A 401 for a token of the older exchange (docs/spec/legacy-tokens.md 15.2). */
export function unauthorizedToken(reason: UnauthorizedReason): ApiError {
  return unauthorized(reason, TOKEN_MESSAGES[reason]);
}
