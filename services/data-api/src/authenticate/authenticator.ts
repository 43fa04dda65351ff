import type { IncomingMessage } from 'node:http';
import {
  extractCredential,
  type KeyCheck,
  type KeyDigest,
  type Principal,
  unauthorized,
} from '@vcds/credentials';
import {
  ApiError,
  type Clock,
  contextOf,
  createRedis,
  type Logger,
  systemClock,
} from '@vcds/service-kit';
import { type CacheResult, createKeyCache } from './key-cache.ts';
import { type KeyChangesTail, tailKeyChanges } from './key-changes-tail.ts';
import { createKeyCheckClient } from './key-check-client.ts';

// The tail is heard from every half second; a connection silent for longer is dead.
const TAIL_COMMAND_MS_MAX = 1_500;
const TAIL_SOCKET_MS_MAX = 3_000;

export interface AuthenticatorOptions {
  /** Root of access-api's internal listener, such as `http://127.0.0.1:9081`. */
  readonly accessInternalUrl: string;
  /** Secrets of SERVICE_TOKEN_SECRET, the current one first. */
  readonly serviceTokenSecret: string;
  /** Redis with the stream of key changes. Without one nothing is cached. */
  readonly redisUrl?: string | undefined;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** Hears how each key was checked, for the measures. */
  readonly onCacheResult?: (result: CacheResult) => void;
}

/** The first step of a request: who is calling. */
export interface Authenticator {
  /**
   * The principal of a call (spec §5.1). Form and checksum are checked without asking anybody; then
   * what this process knows, 5 s old at most; then access-api.
   *
   * @throws ApiError `unauthorized` with its reason (missing, malformed, unknown, revoked, expired);
   *   `unavailable` when access-api cannot say. Never lets anyone in unasked.
   */
  authenticate(
    request: IncomingMessage,
    parameters: ReadonlyMap<string, string>,
  ): Promise<Principal>;
  close(): Promise<void>;
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { logger, clock = systemClock } = options;
  const client = createKeyCheckClient({ ...options, clock });
  let tail: KeyChangesTail | undefined;
  const cache = createKeyCache({
    clock,
    lookUp: (digest) => client.check(digest),
    isTailLive: () => tail?.isLive() ?? false,
    ...(options.onCacheResult === undefined ? {} : { onResult: options.onCacheResult }),
  });
  if (options.redisUrl !== undefined) {
    const redis = createRedis({
      url: options.redisUrl,
      name: 'data-api-key-changes',
      logger,
      commandTimeoutMs: TAIL_COMMAND_MS_MAX,
      socketTimeoutMs: TAIL_SOCKET_MS_MAX,
    });
    const [onChange, onGap] = [cache.forget, cache.forgetAll];
    tail = tailKeyChanges({ redis, clock, logger, onChange, onGap });
  }
  return {
    authenticate: async (request, parameters) => {
      const credential = extractCredential(request, parameters);
      // Tokens of the older exchange (spec §5.3): no issuer of theirs is known here.
      if (credential.kind === 'legacy') throw unauthorized('unknown', 'The token is not known.');
      const principal = admit(await ask(cache.check, credential.digest), clock);
      contextOf(request).caller = { accountId: principal.accountId, keyId: principal.keyId };
      return principal;
    },
    close: async () => {
      client.close();
      await tail?.close();
    },
  };
}

async function ask(
  check: (digest: KeyDigest) => Promise<KeyCheck>,
  digest: KeyDigest,
): Promise<KeyCheck> {
  try {
    return await check(digest);
  } catch (error) {
    const message = 'Keys cannot be checked at the moment; retry once later.';
    throw new ApiError('unavailable', message, {}, { cause: error });
  }
}

// A remembered key may have expired since it was asked about.
function admit(check: KeyCheck, clock: Clock): Principal {
  if ('refused' in check) throw unauthorized(check.refused);
  const { principal } = check;
  if (principal.expiresAt !== null && principal.expiresAt.getTime() <= clock.wallMs()) {
    throw unauthorized('expired');
  }
  return principal;
}
