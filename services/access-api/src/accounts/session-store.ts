import { createHash, randomBytes } from 'node:crypto';
import { type Clock, orUnavailable, type RedisClient } from '@vcds/service-kit';

const TOKEN_BYTES = 32;
const GENERATION_BYTES = 12;
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
      const generation = (await answered(redis.get(generationKey(accountId)))) ?? FIRST;
      const value = `${clock.wallMs()} ${generation} ${accountId}`;
      await answered(redis.set(keyOf(token), value, 'EX', SESSION_SECONDS));
      return { token, accountId };
    },
    /** The session of a token; undefined for an unknown or expired one. */
    find: async (token: string): Promise<Session | undefined> => {
      if (!TOKEN_SHAPE.test(token)) return undefined;
      const value = await answered(redis.get(keyOf(token)));
      const [beganAt, generation, accountId] = value?.split(' ') ?? [];
      if (accountId === undefined) return undefined;
      if (clock.wallMs() >= Number(beganAt) + SESSION_SECONDS * 1000) return undefined;
      const current = (await answered(redis.get(generationKey(accountId)))) ?? FIRST;
      return generation === current ? { token, accountId } : undefined;
    },
    /** Idempotent. */
    end: async (token: string): Promise<void> => {
      await answered(redis.del(keyOf(token)));
    },
    /** Ends every session of an account that has begun. */
    endAll: async (accountId: string): Promise<void> => {
      const generation = randomBytes(GENERATION_BYTES).toString('base64url');
      await answered(redis.set(generationKey(accountId), generation));
    },
  };
}

function keyOf(token: string): string {
  return `session:${createHash('sha256').update(token).digest('hex')}`;
}

/** The generation of an account of which no session was ended with all others. */
const FIRST = '0';

/**
 * The generation of the sessions of an account: another one ends all of the present one. It does not depend on the
 * clocks of the processes, and never expires: a session of an earlier generation would begin again.
 */
function generationKey(accountId: string): string {
  return `session-generation:${accountId}`;
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'Sessions are temporarily unavailable. Retry later.');
}
