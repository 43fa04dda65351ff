import { createHash, randomBytes } from 'node:crypto';
import { type Clock, orUnavailable, type RedisClient } from '@vcds/service-kit';

const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[\w-]{43}$/;
/** A session ends this long after the sign-in, used or not. */
export const SESSION_SECONDS = 12 * 60 * 60;

/** Who is signed in. The token is a secret: it stands in the person's cookie and nowhere else. */
export interface Session {
  readonly token: string;
  readonly accountId: string;
}

/**
 * Sessions of the account area, in Redis under the SHA-256 of their tokens. They are not in the
 * journal: a Redis that is wiped signs everybody out, and that is all.
 *
 * Each method rejects with ApiError `unavailable` while Redis does not answer.
 */
export interface SessionStore {
  /** A session under a token nobody had before. */
  begin(accountId: string): Promise<Session>;
  /** The session, if the token is one and its time is not over. */
  find(token: string): Promise<Session | undefined>;
  /** Idempotent. */
  end(token: string): Promise<void>;
  /** Ends every session of an account that began until now. */
  endAll(accountId: string): Promise<void>;
}

export function createSessionStore(redis: RedisClient, clock: Clock): SessionStore {
  return {
    begin: async (accountId) => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const value = `${clock.wallMs()} ${accountId}`;
      await answered(redis.set(keyOf(token), value, 'EX', SESSION_SECONDS));
      return { token, accountId };
    },
    find: async (token) => {
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
    end: async (token) => {
      await answered(redis.del(keyOf(token)));
    },
    endAll: async (accountId) => {
      // By the time it expires, so has every session it ended.
      await answered(redis.set(endedKey(accountId), clock.wallMs(), 'EX', SESSION_SECONDS));
    },
  };
}

function keyOf(token: string): string {
  return `session:${createHash('sha256').update(token).digest('hex')}`;
}

/** When all sessions of an account were ended last. */
function endedKey(accountId: string): string {
  return `sessions-ended:${accountId}`;
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'Sign-ins cannot be looked up at the moment; retry once later.');
}
