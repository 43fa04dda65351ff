import { ApiError, type UnauthorizedReason } from '@vcds/service-kit';

const MESSAGES: Readonly<Record<UnauthorizedReason, string>> = {
  missing:
    'This call needs an API key: in X-Api-Key, Authorization: Bearer, or the parameter token.',
  malformed: 'The key is not well-formed; part of it may be missing or mistyped.',
  unknown: 'The key is not known.',
  revoked: 'The key has been revoked.',
  expired: 'The key has expired; register again with the same address for a fresh one.',
};

/** A 401 with its reason (decisions §4). Never says more about the credential than that. */
export function unauthorized(reason: UnauthorizedReason, message = MESSAGES[reason]): ApiError {
  return new ApiError('unauthorized', message, { reason });
}
