import type { IncomingMessage } from 'node:http';
import {
  extractCredential,
  isGenuineAccessToken,
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
  orUnavailable,
  systemClock,
  unauthorized,
  unauthorizedToken,
  workInProcess,
} from '@vcds/service-kit';
import { misnamedKey } from '@vcds/service-kit/api-errors';
import { createKeyCache, type KeyCache, STALE_MS_MAX } from './key-cache.ts';
import { consumeKeyChanges, type KeyChangesConsumer } from './key-changes-consumer.ts';
import { createKeyCheckClient, type KeyCheckClient } from './key-check-client.ts';
import type { KeyMetrics } from './key-metrics.ts';
import { createTokenCheck, type TokenCheck } from './token-check.ts';

// XREAD returns every half second, even without entries; a connection silent for longer is lost.
const STREAM_COMMAND_MS_MAX = 1_500;
const STREAM_SOCKET_MS_MAX = 3_000;
const MCP_URL = /^\/mcp(?:\/?(?:\?|$))/;
const NOT_HERE = 'An access token of an assistant is accepted by /mcp only. Use an API key here.';
const HEADER_ONLY = 'An access token of an assistant is accepted in the Authorization header only.';
const CANNOT_CHECK = 'Keys cannot be checked at the moment. Retry later.';

export interface AuthenticatorOptions {
  /** Root of access-api's internal listener, such as `http://127.0.0.1:9081`. */
  readonly accessInternalUrl: string;
  /** Secrets of SERVICE_TOKEN_SECRET, the current one first. */
  readonly serviceTokenSecret: string;
  /** Redis with the stream of key changes; without it, nothing is cached. */
  readonly redisUrl?: string | undefined;
  /**
   * Whether Redis has the owner of a key. A key is stored there before it is shown, so that any other
   * one is unknown, unless Redis has lost writes. Rejects if Redis does not respond.
   */
  readonly isIssued: (digest: KeyDigest) => Promise<boolean>;
  /** {resource}: the URL that access tokens of assistants are for. Undefined: none are accepted. */
  readonly resource?: string | undefined;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly metrics?: KeyMetrics;
}

/** The first step of a request: identifies the caller. */
export type Authenticator = ReturnType<typeof createAuthenticator>;

export function createAuthenticator(options: AuthenticatorOptions) {
  const { clock = systemClock, metrics } = options;
  const client = createKeyCheckClient({ ...options, clock });
  const isStreamLive = (): boolean => changes?.isLive() ?? false;
  const shared = { clock, isStreamLive, ...(metrics && { onResult: metrics.cacheResult }) };
  const keys = createKeyCache<KeyDigest>({
    ...shared,
    lookUp: (digest, wasAccepted) => lookUp(options, client, digest, wasAccepted),
  });
  const tokens = createTokenCheck({ ...shared, client });
  const access = createKeyCache<KeyDigest>({
    ...shared,
    lookUp: (digest) => client.check({ digest, resource: options.resource }),
  });
  const changes = followKeyChanges(options, clock, keys, [tokens, access]);
  return {
    /**
     * The principal of a call. Form, checksum and a token's signature are checked locally. Then the
     * cache is read (at most 5 s old), then access-api; while access-api does not respond, the last
     * result for an accepted key is used (at most 60 s old).
     *
     * @throws ApiError `unauthorized` with its reason (missing, malformed, unknown, revoked,
     *   expired); `unavailable` if the key cannot be checked. No call is accepted without a check.
     */
    authenticate: async (
      request: IncomingMessage,
      parameters: ReadonlyMap<string, string>,
    ): Promise<Principal> => {
      const credential = extractCredential(request, parameters);
      if (credential.kind === 'invalid') {
        const { reason, message, isAccessToken = false } = credential;
        if (isAccessToken) throw unauthorizedAccess(reason, message);
        const misnamed = reason === 'missing' ? misnamedKey(parameters) : undefined;
        throw unauthorized(reason, message ?? misnamed);
      }
      if (credential.kind === 'access') {
        const { socket, url } = request;
        // The calls of the tools have the credential of their request in a header of keys.
        const isOfTool = workInProcess(socket) !== undefined;
        const isForMcp = isOfTool || MCP_URL.test(url ?? '');
        if (options.resource === undefined || !isForMcp) throw unauthorized('unknown', NOT_HERE);
        if (!isOfTool && !credential.isBearer) throw unauthorizedAccess('malformed', HEADER_ONLY);
        // Of tokens that were made up, no number delays a check of another one.
        if (!isGenuineAccessToken(credential.token, options.serviceTokenSecret)) {
          throw unauthorizedAccess('unknown');
        }
        const check = await checked(access.check(credential.digest));
        const owner = principalOf(check, clock, (reason) => unauthorizedAccess(reason));
        contextOf(request).caller = { accountId: owner.accountId, keyId: owner.keyId };
        return owner;
      }
      const principal =
        credential.kind === 'legacy'
          ? principalOf(await checked(tokens.check(credential.token)), clock, unauthorizedToken)
          : principalOf(await checked(keys.check(credential.digest)), clock, unauthorized);
      contextOf(request).caller = { accountId: principal.accountId, keyId: principal.keyId };
      return principal;
    },
    /** Rejects if access-api does not respond and has not responded for 60 s. */
    ready: async (): Promise<void> => {
      try {
        await client.probe();
      } catch (error) {
        if (clock.monotonicMs() - client.answeredAtMs() >= STALE_MS_MAX) throw error;
      }
    },
    close: async (): Promise<void> => {
      client.close();
      await changes?.close();
    },
  };
}

/**
 * A check of an issued key, or of any other one in a queue of its own: so guessed keys, of any
 * number, delay no check of an issued one. While Redis does not tell which is which, keys that were
 * not accepted of late share that queue, and beyond it the service fails rather than the key.
 *
 * @throws ApiError `too_many_requests` for a key that was never issued, `unavailable`.
 */
async function lookUp(
  { isIssued }: AuthenticatorOptions,
  client: KeyCheckClient,
  digest: KeyDigest,
  wasAccepted: boolean,
): Promise<KeyCheck> {
  if (wasAccepted) return client.check({ digest });
  let isKnown: boolean;
  try {
    isKnown = await isIssued(digest);
  } catch {
    return orUnavailable(client.checkOther({ digest }), CANNOT_CHECK);
  }
  return isKnown ? client.check({ digest }) : client.checkOther({ digest });
}

function followKeyChanges(
  { redisUrl, logger }: AuthenticatorOptions,
  clock: Clock,
  keys: KeyCache<KeyDigest>,
  others: readonly Pick<TokenCheck, 'invalidateAll' | 'expireAll'>[],
): KeyChangesConsumer | undefined {
  if (redisUrl === undefined) return undefined;
  const redis = createRedis({
    url: redisUrl,
    name: 'data-api-key-changes',
    logger,
    commandTimeoutMs: STREAM_COMMAND_MS_MAX,
    socketTimeoutMs: STREAM_SOCKET_MS_MAX,
  });
  return consumeKeyChanges({
    redis,
    clock,
    logger,
    onChange: (digest) => {
      keys.invalidate(digest);
      for (const other of others) other.invalidateAll();
    },
    onGap: () => {
      keys.expireAll();
      for (const other of others) other.expireAll();
    },
  });
}

async function checked(check: Promise<KeyCheck>): Promise<KeyCheck> {
  try {
    return await check;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('unavailable', CANNOT_CHECK, {}, { cause: error });
  }
}

function unauthorizedAccess(
  reason: KeyRejection | 'missing' | 'malformed',
  message = 'The access token is over: the client has to refresh it, or to connect again.',
): ApiError {
  return new ApiError('unauthorized', message, { reason, isAccessToken: true });
}

// A cached key may have expired since it was checked.
function principalOf(
  check: KeyCheck,
  clock: Clock,
  errorOf: (reason: KeyRejection) => ApiError,
): Principal {
  if ('rejected' in check) throw errorOf(check.rejected);
  const { principal } = check;
  if (principal.expiresAt !== null && principal.expiresAt.getTime() <= clock.wallMs()) {
    throw errorOf('expired');
  }
  return principal;
}
