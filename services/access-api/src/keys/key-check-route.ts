import {
  decodeKeyCheckRequest,
  encodeKeyCheck,
  KEY_CHECK_PARTIES,
  KEY_CHECK_PATH,
  type KeyCheck,
  type KeyCheckRequest,
  type KeyDigest,
} from '@vcds/credentials';
import { ApiError, type Clock, type Route, serviceRoute } from '@vcds/service-kit';
import type { KeyChecker } from './check-key.ts';

interface KeyCheckRouteOptions {
  readonly checkKey: KeyChecker;
  /** The valid tokens of the older exchange. */
  readonly tokens: { has(tokenId: string, digest: KeyDigest): Promise<boolean> };
  /** Access tokens of assistants. Undefined: assistants cannot be connected. */
  readonly grants?: { check(digest: KeyDigest, resource: string): Promise<KeyCheck> } | undefined;
  readonly serviceTokenSecret: string;
  readonly clock: Clock;
}

/**
 * `POST /internal/v1/keys/check` (docs/spec/authentication.md 2.7): `{digest}`, and `{token_id}`
 * for a token of the older exchange, with a signed service token. Responds `{principal}` or
 * `{rejected}`, both 200. 401 for an invalid service token, 400 for an invalid digest, 503 while
 * keys are unavailable.
 */
export function keyCheckRoute(options: KeyCheckRouteOptions): Route {
  const { checkKey, tokens, grants, serviceTokenSecret, clock } = options;
  const check = async ({ digest, tokenId, resource }: KeyCheckRequest): Promise<KeyCheck> => {
    if (resource !== undefined) return grants?.check(digest, resource) ?? { rejected: 'unknown' };
    if (tokenId !== undefined && !(await tokens.has(tokenId, digest))) {
      return { rejected: 'unknown' };
    }
    return checkKey(digest);
  };
  return serviceRoute({
    ...{ path: KEY_CHECK_PATH, parties: KEY_CHECK_PARTIES, serviceTokenSecret, clock },
    respond: async (body) => encodeKeyCheck(await check(readQuestion(body))),
  });
}

function readQuestion(body: unknown): KeyCheckRequest {
  const question = decodeKeyCheckRequest(body);
  if (question === undefined) {
    throw new ApiError('bad_parameter', 'The body must contain a digest: 64 hexadecimal digits.', {
      parameter: 'digest',
    });
  }
  return question;
}
