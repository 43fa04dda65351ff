import type { IncomingMessage } from 'node:http';
import {
  extractCredential,
  type KeyCheck,
  type KeyDigest,
  type KeyRejection,
  type Principal,
} from '@vcds/credentials';
import {
  ApiError,
  type Clock,
  contextOf,
  createRedis,
  type Logger,
  systemClock,
  unauthorized,
  unauthorizedToken,
} from '@vcds/service-kit';
import { createKeyCache, type KeyCache, STALE_MS_MAX } from './key-cache.ts';
import { type KeyChangesTail, tailKeyChanges } from './key-changes-tail.ts';
import { createKeyCheckClient } from './key-check-client.ts';
import type { KeyMetrics } from './key-metrics.ts';
import { createTokenCheck, type TokenCheck } from './token-check.ts';

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
  readonly metrics?: KeyMetrics;
}

/** The first step of a request: who is calling. */
export interface Authenticator {
  /**
   * The principal of a call. Form, checksum and a token's signature are checked without
   * asking anybody; then what this process knows, 5 s old at most; then access-api; and while that
   * cannot say, what this process knew of a key that opened, 60 s old at most.
   *
   * @throws ApiError `unauthorized` with its reason (missing, malformed, unknown, revoked, expired);
   *   `unavailable` when access-api cannot say. Never lets anyone in unasked.
   */
  authenticate(
    request: IncomingMessage,
    parameters: ReadonlyMap<string, string>,
  ): Promise<Principal>;
  /** Rejects when keys cannot be checked: access-api does not answer, nor has it for 60 s. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { clock = systemClock, metrics } = options;
  const client = createKeyCheckClient({ ...options, clock });
  const isTailLive = (): boolean => tail?.isLive() ?? false;
  const shared = { clock, isTailLive, ...(metrics && { onResult: metrics.cacheResult }) };
  const keys = createKeyCache<KeyDigest>({
    ...shared,
    lookUp: (digest) => client.check({ digest }),
  });
  const tokens = createTokenCheck({ ...shared, client });
  const tail = followKeyChanges(options, clock, keys, tokens);
  return {
    authenticate: async (request, parameters) => {
      const credential = extractCredential(request, parameters);
      if (credential.kind === 'invalid') throw unauthorized(credential.reason, credential.message);
      const principal =
        credential.kind === 'legacy'
          ? admit(await ask(tokens.check(credential.token)), clock, unauthorizedToken)
          : admit(await ask(keys.check(credential.digest)), clock, unauthorized);
      contextOf(request).caller = { accountId: principal.accountId, keyId: principal.keyId };
      return principal;
    },
    ready: async () => {
      try {
        await client.probe();
      } catch (error) {
        if (clock.monotonicMs() - client.answeredAtMs() >= STALE_MS_MAX) throw error;
      }
    },
    close: async () => {
      client.close();
      await tail?.close();
    },
  };
}

function followKeyChanges(
  { redisUrl, logger }: AuthenticatorOptions,
  clock: Clock,
  keys: KeyCache<KeyDigest>,
  tokens: TokenCheck,
): KeyChangesTail | undefined {
  if (redisUrl === undefined) return undefined;
  const redis = createRedis({
    url: redisUrl,
    name: 'data-api-key-changes',
    logger,
    commandTimeoutMs: TAIL_COMMAND_MS_MAX,
    socketTimeoutMs: TAIL_SOCKET_MS_MAX,
  });
  return tailKeyChanges({
    redis,
    clock,
    logger,
    onChange: (digest) => {
      keys.forget(digest);
      tokens.forgetAll();
    },
    onGap: () => {
      keys.distrustAll();
      tokens.distrustAll();
    },
  });
}

async function ask(check: Promise<KeyCheck>): Promise<KeyCheck> {
  try {
    return await check;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const message = 'Keys cannot be checked at the moment; retry once later.';
    throw new ApiError('unavailable', message, {}, { cause: error });
  }
}

// A remembered key may have expired since it was asked about.
function admit(
  check: KeyCheck,
  clock: Clock,
  refusal: (reason: KeyRejection) => ApiError,
): Principal {
  if ('rejected' in check) throw refusal(check.rejected);
  const { principal } = check;
  if (principal.expiresAt !== null && principal.expiresAt.getTime() <= clock.wallMs()) {
    throw refusal('expired');
  }
  return principal;
}
