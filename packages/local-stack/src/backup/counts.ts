import type pg from 'pg';
import { StackError } from '../stack/stack-error.ts';

/** The counts of a backup, by table; no process deletes rows of these tables. */
const COUNTED: readonly (readonly [name: string, table: string, expression: string])[] = [
  ['accounts', 'access.account', 'count(*)'],
  ['keys', 'access.api_key', 'count(*)'],
  ['revokedKeys', 'access.api_key', 'count(revoked_at)'],
  ['events', 'access.event', 'count(*)'],
  ['purchasedCredits', 'access.purchase', 'coalesce(sum(credits), 0)'],
  ['chargedCalls', 'access.charge_total', 'coalesce(sum(calls), 0)'],
  ['chargedCredits', 'access.charge_total', 'coalesce(sum(charged), 0)'],
  ['startups', 'venture.startup', 'count(*)'],
  ['funds', 'venture.fund', 'count(*)'],
  ['people', 'venture.person', 'count(*)'],
  ['rounds', 'venture.funding_round', 'count(*)'],
  ['news', 'venture.news', 'count(*)'],
  ['signals', 'venture.signal', 'count(*)'],
];

export type Counts = Record<string, number>;

/** The counts of the tables of one schema that exist. */
export async function readCounts(client: pg.ClientBase, schema: string): Promise<Counts> {
  const tables = COUNTED.filter(([, table]) => table.startsWith(`${schema}.`));
  const { rows: found } = await client.query<{ table: string }>(
    'SELECT "table" FROM unnest($1::text[]) AS "table" WHERE to_regclass("table") IS NOT NULL',
    [tables.map(([, table]) => table)],
  );
  const existing = new Set(found.map(({ table }) => table));
  const counts: Counts = {};
  for (const [name, table, expression] of tables) {
    if (!existing.has(table)) continue;
    const { rows } = await client.query<{ n: string }>(`SELECT ${expression} AS n FROM ${table}`);
    counts[name] = Number(rows[0]?.n ?? 0);
  }
  return counts;
}

/** The queries of the counts of one schema that a backup has, by name. */
export function countQueries(
  schema: string,
  counts: Readonly<Counts>,
): readonly (readonly [name: string, query: string])[] {
  return COUNTED.filter(([name, table]) => name in counts && table.startsWith(`${schema}.`)).map(
    ([name, table, expression]) => [name, `SELECT ${expression} FROM ${table}`],
  );
}

/** The names of the finished migrations of a schema, in order. */
export async function readMigrations(client: pg.ClientBase, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM ${schema}._prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

/** @throws StackError if a restored database has fewer rows or credits than its backup. */
export function assertCounts(restored: Counts, backup: Readonly<Counts>): void {
  const missing = Object.entries(backup).filter(([name, count]) => (restored[name] ?? 0) < count);
  if (missing.length === 0) return;
  const list = missing.map(([name, count]) => `${name} ${restored[name] ?? 0} of ${count}`);
  throw new StackError(`The restored database is incomplete: ${list.join(', ')}.`);
}
