import jwt from 'jsonwebtoken';
import { parseSecrets } from './secrets.ts';
import { systemClock, type WallClock } from './wall-clock.ts';

const ALGORITHM = 'HS256';
/** Maximum lifetime of a service token; one with a longer lifetime is rejected. */
const SERVICE_TOKEN_SECONDS_MAX = 60;
const CLOCK_SKEW_SECONDS = 5;

/** The calling and the called service. */
export interface ServiceTokenParties {
  readonly issuer: string;
  readonly audience: string;
}

/** An invalid service token. The message has the reason and no part of the token. */
export class ServiceTokenError extends Error {
  override readonly name = 'ServiceTokenError';
}

/**
 * A source of tokens for calls to another service. A token is reused for half its lifetime, so
 * most calls need no signature.
 *
 * @param secret SERVICE_TOKEN_SECRET, of which the first secret signs.
 */
export function createServiceTokenSigner(
  secret: string,
  { issuer, audience }: ServiceTokenParties,
  clock: WallClock = systemClock,
): () => string {
  const [key] = parseSecrets(secret);
  let token = '';
  let issuedAtSeconds = Number.NEGATIVE_INFINITY;
  return () => {
    const nowSeconds = Math.floor(clock.wallMs() / 1000);
    const ageSeconds = nowSeconds - issuedAtSeconds;
    // The age is negative after the clock was set back: verifiers reject tokens from the future.
    if (ageSeconds < 0 || ageSeconds >= SERVICE_TOKEN_SECONDS_MAX / 2) {
      const claims = { iat: nowSeconds, exp: nowSeconds + SERVICE_TOKEN_SECONDS_MAX };
      token = jwt.sign(claims, key, { algorithm: ALGORITHM, issuer, audience });
      issuedAtSeconds = nowSeconds;
    }
    return token;
  };
}

/**
 * Checks a token another service signed: algorithm, signature under any of the secrets, issuer,
 * audience, and a lifetime of at most 60 s.
 *
 * @throws ServiceTokenError
 */
export function verifyServiceToken(
  token: string,
  secret: string,
  { issuer, audience }: ServiceTokenParties,
  clock: WallClock = systemClock,
): void {
  const clockTimestamp = Math.floor(clock.wallMs() / 1000);
  for (const key of parseSecrets(secret)) {
    const claims = verified(token, key, {
      algorithms: [ALGORITHM],
      issuer,
      audience,
      clockTimestamp,
      clockTolerance: CLOCK_SKEW_SECONDS,
    });
    if (claims === undefined) continue;
    const { iat, exp } = claims;
    // The library checks neither when it is absent; `iat` may be of any type.
    if (!isInstant(iat) || !isInstant(exp)) {
      throw new ServiceTokenError('The service token has no numeric iat and exp.');
    }
    if (exp - iat > SERVICE_TOKEN_SECONDS_MAX) {
      throw new ServiceTokenError('The lifetime of the service token is too long.');
    }
    if (iat > clockTimestamp + CLOCK_SKEW_SECONDS) {
      throw new ServiceTokenError('The service token is from the future.');
    }
    return;
  }
  throw new ServiceTokenError('The service token is not signed by a known secret.');
}

function isInstant(claim: unknown): claim is number {
  return typeof claim === 'number' && Number.isFinite(claim);
}

// Undefined: signed with another secret. Any other error is final.
function verified(
  token: string,
  key: string,
  options: jwt.VerifyOptions,
): jwt.JwtPayload | undefined {
  try {
    const claims = jwt.verify(token, key, { ...options, complete: false });
    return typeof claims === 'string' ? {} : claims;
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError && error.message === 'invalid signature') {
      return undefined;
    }
    const why = error instanceof Error ? error.message : 'unreadable';
    throw new ServiceTokenError(`The service token is not valid: ${why}.`);
  }
}
