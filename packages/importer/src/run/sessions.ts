/** The sessions of an import that work at a time, besides that which stages and checks. */
import type pg from 'pg';
import { openSession } from './session.ts';

/** Opens sessions until there are so many; they stay open until the work ends. */
export type OpenSessions = (count: number) => Promise<readonly pg.Client[]>;

/** Runs work that opens sessions, and ends them. */
export async function withSessions<T>(
  connectionString: string,
  work: (open: OpenSessions) => Promise<T>,
): Promise<T> {
  const sessions: pg.Client[] = [];
  const open: OpenSessions = async (count) => {
    while (sessions.length < count) sessions.push(await openSession(connectionString));
    return sessions.slice(0, count);
  };
  try {
    return await work(open);
  } finally {
    await Promise.allSettled(sessions.map((session) => session.end()));
  }
}

/**
 * Runs work for each item on all sessions at a time; each session takes the next item when it is idle.
 *
 * @throws the first error, or the signal's reason, when all running work has ended.
 */
export async function divide<T>(
  sessions: readonly pg.Client[],
  items: readonly T[],
  work: (session: pg.Client, item: T) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  // One iterator for all sessions.
  const waiting = items.values();
  let failure: { readonly error: unknown } | undefined;
  const run = async (session: pg.Client) => {
    for (const item of waiting) {
      if (failure !== undefined) return;
      try {
        await work(session, item);
        signal?.throwIfAborted();
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(sessions.map(run));
  if (failure !== undefined) throw failure.error;
}

/** Waits until both have ended. @throws the error of the first that fails. */
export async function bothOf<A, B>(first: Promise<A>, second: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}
