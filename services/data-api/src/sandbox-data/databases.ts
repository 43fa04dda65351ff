/** The databases of the sandbox: one for each state of its day, beside the one of the connection string. */
import type pg from 'pg';
import { LAST_STEP } from './day.ts';

/** The comment of every database of the sandbox begins with it; a database without it is never opened or dropped. */
export const SANDBOX_MARK = 'vcds sandbox';

/** The end of the mark of a database whose build has not ended. */
export const UNFINISHED = 'unfinished';

/** The numbers of all states: 0, before the first step, to the last one. */
export const SANDBOX_STATES: readonly number[] = Array.from({ length: LAST_STEP + 1 }, (_, n) => n);

/** The name of the database of a state. */
export function sandboxDatabase(url: string, step: number): string {
  return `${decodeURIComponent(new URL(url).pathname.slice(1))}_sandbox_${step}`;
}

/** The connection string of a database of the same server. */
export function urlOfDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(database)}`;
  return other.href;
}

/** The marks of the databases that exist, by name; '' of one without a comment. */
export async function readMarks(
  client: Pick<pg.ClientBase, 'query'>,
  url: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; mark: string | null }>(
    `SELECT datname AS name, shobj_description(oid, 'pg_database') AS mark
     FROM pg_database WHERE datname = ANY ($1)`,
    [SANDBOX_STATES.map((step) => sandboxDatabase(url, step))],
  );
  return new Map(rows.map(({ name, mark }) => [name, mark ?? '']));
}

/** The store of the sandbox's snapshots, apart from those of other data. */
export function sandboxSnapshots(url: string): string {
  const store = new URL(url);
  store.pathname = `${store.pathname.replace(/\/$/, '')}/sandbox`;
  return store.href;
}

/** Whether a database has records that are not of the demonstration data. It may have no schema. */
export async function hasRecords(client: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    `SELECT to_regclass('venture.startup') IS NOT NULL AS has`,
  );
  if (rows[0]?.has !== true) return false;
  const found = await client.query(
    ['startup', 'fund', 'person']
      .map((table) => `SELECT FROM venture.${table} WHERE source IS DISTINCT FROM 'demonstration'`)
      .join(' UNION ALL ')
      .concat(' LIMIT 1'),
  );
  return found.rowCount !== 0;
}
