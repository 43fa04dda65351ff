import { eventually, type IssuedAccount } from '@vcds/test-kit';
import { type Caller, type Metered, type Stack, sumOf } from './stack.ts';

export const keyOf = ({ keys }: IssuedAccount, number = 0): string => keys[number]?.apiKey ?? '';

/** The code of an error response. */
export const codeOf = ({ body }: Metered): unknown =>
  (body as { error: { code: unknown } }).error.code;

/** Functions that wait for a state of calls, charges and Redis, as `api` reports it. */
export function observe(stack: Stack, api: Caller) {
  /** Runs `during` while no call can read startups, so that all have holds. */
  const whileReadsWait = async <T>(during: () => Promise<T>): Promise<T> => {
    const client = await stack.sql.connect();
    await client.query('BEGIN; LOCK TABLE venture.startup IN ACCESS EXCLUSIVE MODE');
    try {
      return await during();
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  };
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'data-api' AND wait_event_type = 'Lock'`;
  /** Waits until a call is reading, which is after its hold. */
  const untilOneReads = async (): Promise<void> => {
    await eventually(async () => (await stack.sql.query(waiting)).rowCount !== 0);
  };
  const untilNoneReads = async (): Promise<void> => {
    await eventually(async () => (await stack.sql.query(waiting)).rowCount === 0);
  };
  const remainingOf = async (account: IssuedAccount): Promise<number | undefined> =>
    (await api.get(keyOf(account), '/pricing')).remaining;
  const untilRemaining = async (account: IssuedAccount, credits: number): Promise<void> => {
    await eventually(async () => (await remainingOf(account)) === credits);
  };
  /** Waits for the charges: a hold lowers the balance as a charge does. */
  const untilCharged = async (account: IssuedAccount, credits: number): Promise<void> => {
    await eventually(async () => sumOf(await stack.charges(account.accountId)) >= credits);
  };
  const untilServed = async (account: IssuedAccount, path: string): Promise<Metered> => {
    return eventually(async () => {
      const answer = await api.get(keyOf(account), path);
      return answer.status !== 503 && answer;
    });
  };
  /** Waits until Redis has flushed all writes to its file. */
  const untilInFile = async (): Promise<void> => {
    await eventually(async () =>
      /^aof_buffer_length:0\r?$/m.test(await stack.redis.info('persistence')),
    );
  };
  /** The scripts that Redis has run. */
  const scriptsRun = async (): Promise<number> => {
    const stats = (await stack.redis.info('commandstats')).matchAll(/_eval(?:sha)?:calls=(\d+)/g);
    return [...stats].reduce((sum, [, calls]) => sum + Number(calls), 0);
  };
  /** The replies of the ledger to the calls of `api`, by step. */
  const replies = async (): Promise<Record<string, number>> => {
    const text = await (await fetch(`${api.internalUrl}/metrics`)).text();
    const sums: Record<string, number> = { reserve: 0, settle: 0, charge: 0 };
    for (const [, step = '', count] of text.matchAll(
      /^vcds_ledger_replies_total\{[^}]*\bstep="(\w+)"[^}]*\} (\d+)$/gm,
    )) {
      sums[step] = (sums[step] ?? 0) + Number(count);
    }
    return sums;
  };
  return {
    whileReadsWait,
    untilOneReads,
    untilNoneReads,
    remainingOf,
    untilRemaining,
    untilCharged,
    untilServed,
    untilInFile,
    scriptsRun,
    replies,
  };
}
