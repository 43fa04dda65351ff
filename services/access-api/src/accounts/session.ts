import { createHash, randomBytes } from 'node:crypto';
import { type Clock, orUnavailable, type RedisClient } from '@vcds/service-kit';
import type { Database, Transaction } from './database.ts';

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

interface SessionStoreOptions {
  readonly redis: RedisClient;
  readonly database: Database;
  readonly clock: Clock;
}

/**
 * Sessions of the account area, in Redis under the SHA-256 of their tokens. They are not in the
 * journal: if Redis loses its data, all users are signed out. The generation of the sessions of an
 * account is in PostgreSQL, so that a Redis that loses its last writes does not restore a session
 * that has ended with all others.
 *
 * Each method rejects with ApiError `unavailable` while Redis or PostgreSQL does not respond.
 */
export function createSessionStore({ redis, database, clock }: SessionStoreOptions) {
  return {
    /** Starts a session with a new token. */
    begin: async (accountId: string): Promise<Session> => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const generation = await answered(generationOf(database, accountId));
      if (generation === undefined) throw new Error(`Account ${accountId} does not exist.`);
      const value = `${clock.wallMs()} ${generation} ${accountId}`;
      await answered(redis.set(keyOf(token), value, 'EX', SESSION_SECONDS));
      return { token, accountId };
    },
    /**
     * The session of a token; undefined for an unknown or expired one. In a transaction that holds the
     * lock of the account's bucket, pass it as `reader`: the session then does not end before the
     * transaction does, except by a sign-out.
     */
    find: async (
      token: string,
      reader: Database | Transaction = database,
    ): Promise<Session | undefined> => {
      if (!TOKEN_SHAPE.test(token)) return undefined;
      const value = await answered(redis.get(keyOf(token)));
      const [beganAt, generation, accountId] = value?.split(' ') ?? [];
      if (accountId === undefined) return undefined;
      if (clock.wallMs() >= Number(beganAt) + SESSION_SECONDS * 1000) return undefined;
      const current = await answered(generationOf(reader, accountId));
      return generation === String(current) ? { token, accountId } : undefined;
    },
    /** Idempotent. */
    end: async (token: string): Promise<void> => {
      await answered(redis.del(keyOf(token)));
    },
  };
}

/** The step that ends all sessions of an account, for a transaction. The account exists. */
export async function endSessions(tx: Transaction, accountId: string): Promise<void> {
  await tx.account.update({
    where: { id: accountId },
    data: { sessionGeneration: { increment: 1 } },
    select: { id: true },
  });
}

async function generationOf(
  reader: Database | Transaction,
  accountId: string,
): Promise<number | undefined> {
  const account = await reader.account.findUnique({
    where: { id: accountId },
    select: { sessionGeneration: true },
  });
  return account?.sessionGeneration;
}

function keyOf(token: string): string {
  return `session:${createHash('sha256').update(token).digest('hex')}`;
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'Sessions are temporarily unavailable. Retry later.');
}
