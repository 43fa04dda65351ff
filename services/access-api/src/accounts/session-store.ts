import { createHash, randomBytes } from 'node:crypto';
import { type Clock, orUnavailable, type RedisClient } from '@vcds/service-kit';

const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[\w-]{43}$/;
/** A session ends this long after the sign-in, used or not. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** A sign-in. The token is a secret that only the person's cookie contains. */
export interface Session {
  readonly token: string;
  readonly accountId: string;
}

export type SessionStore = ReturnType<typeof createSessionStore>;

/**
 * Sessions of the account area, in Redis under the SHA-256 of their tokens. They are not in the
 * journal: if Redis loses its data, all users are signed out.
 *
 * Each method rejects with ApiError `unavailable` while Redis does not respond.
 */
export function createSessionStore(redis: RedisClient, clock: Clock) {
  return {
    /** Starts a session with a new token. */
    begin: async (accountId: string): Promise<Session> => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const value = `${clock.wallMs()} ${accountId}`;
      await answered(redis.set(keyOf(token), value, 'EX', SESSION_SECONDS));
      return { token, accountId };
    },
    /** The session of a token; undefined for an unknown or expired one. */
    find: async (token: string): Promise<Session | undefined> => {
      if (!TOKEN_SHAPE.test(token)) return undefined;
      const value = await answered(redis.get(keyOf(token)));
      const [beganAt, accountId] = value?.split(' ') ?? [];
      if (accountId === undefined) return undefined;
      const beganAtMs = Number(beganAt);
      if (clock.wallMs() >= beganAtMs + SESSION_SECONDS * 1000) return undefined;
      const endedAtMs = await answered(redis.get(endedKey(accountId)));
      if (endedAtMs !== null && beganAtMs <= Number(endedAtMs)) return undefined;
      return { token, accountId };
    },
    /** Idempotent. */
    end: async (token: string): Promise<void> => {
      await answered(redis.del(keyOf(token)));
    },
    /** Ends every session of an account that has begun. */
    endAll: async (accountId: string): Promise<void> => {
      // It expires no earlier than the last session that it ends.
      await answered(redis.set(endedKey(accountId), clock.wallMs(), 'EX', SESSION_SECONDS));
    },
  };
}

function keyOf(token: string): string {
  return `session:${createHash('sha256').update(token).digest('hex')}`;
}

/** When the sessions of an account were last ended. */
function endedKey(accountId: string): string {
  return `sessions-ended:${accountId}`;
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'Sessions are temporarily unavailable. Retry later.');
}
