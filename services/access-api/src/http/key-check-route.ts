import {
  encodeKeyCheck,
  KEY_CHECK_PARTIES,
  KEY_CHECK_PATH,
  type KeyDigest,
  parseDigest,
  ServiceTokenError,
  verifyServiceToken,
} from '@vcds/credentials';
import {
  ApiError,
  type Clock,
  contextOf,
  type Route,
  readJsonBody,
  sendJson,
} from '@vcds/service-kit';
import type { Request } from 'express';
import type { Keeper } from '../store/keeper.ts';

export interface KeyCheckRouteOptions {
  readonly keeper: Pick<Keeper, 'check'>;
  readonly serviceTokenSecret: string;
  readonly clock: Clock;
}

/**
 * `POST /internal/v1/keys/check` (decisions §7): `{digest}` under a signed service token; answers
 * `{principal}` or `{refused}`, both 200. 401 for a token not to be believed, 400 for anything
 * but a digest, 503 while keys cannot be checked.
 */
export function keyCheckRoute({ keeper, serviceTokenSecret, clock }: KeyCheckRouteOptions): Route {
  return {
    method: 'POST',
    path: KEY_CHECK_PATH,
    handler: async (request, response) => {
      assertService(request, serviceTokenSecret, clock);
      const check = await keeper.check(readDigest(await readJsonBody(request)));
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, 200, encodeKeyCheck(check));
    },
  };
}

function assertService(request: Request, secret: string, clock: Clock): void {
  const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
  try {
    if (scheme !== 'Bearer') throw new ServiceTokenError('There is no service token.');
    verifyServiceToken(token, secret, KEY_CHECK_PARTIES, clock);
  } catch (error) {
    if (!(error instanceof ServiceTokenError)) throw error;
    contextOf(request).logger.warn({ error }, 'service token refused');
    throw new ApiError('unauthorized', error.message, { reason: 'malformed' });
  }
}

function readDigest(body: unknown): KeyDigest {
  const digest = parseDigest((body as { digest?: unknown } | null)?.digest);
  if (digest === undefined) {
    throw new ApiError('bad_parameter', 'The body must hold a digest: 64 hexadecimal digits.', {
      parameter: 'digest',
    });
  }
  return digest;
}
