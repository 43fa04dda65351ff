import type pg from 'pg';
import { CHANGE_COLLECTIONS, recordOf, rowsOf } from '../../../src/replica/collections.ts';
import type { Query, TestApi } from '../../support/api.ts';

export interface Change {
  readonly id: string;
  readonly collection: string;
  readonly recordId: string;
  readonly op: 'upsert' | 'delete' | 'merge' | 'split';
  readonly revision: number;
  readonly detectedAt: string;
  readonly fields: readonly string[] | null;
  readonly into?: string;
  readonly record?: object | null;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

/** The JSON texts of records by collection and id. */
export type Copy = Map<string, string>;

/** All records, as every collection answers them, in one snapshot of the database. */
export async function readAll(pool: pg.Pool): Promise<Copy> {
  const copy: Copy = new Map();
  const client = await pool.connect();
  try {
    await client.query(`SET timezone = 'UTC'; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    for (const collection of CHANGE_COLLECTIONS) {
      const id = collection.key.map((name) => `r.${name}`).join(` || '/' || `);
      const { rows } = await client.query<{ id: string; json: string }>(
        `SELECT ${id} AS id, ${recordOf(collection)} AS json FROM ${rowsOf(collection)}`,
      );
      for (const { id, json } of rows) copy.set(`${collection.name} ${id}`, canonical(json));
    }
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  return copy;
}

export function canonical(json: string): string {
  return JSON.stringify(JSON.parse(json));
}

export async function changesPage(api: TestApi, query: Query): Promise<ChangePage> {
  const reply = await api.get('/changes', query);
  if (reply.status !== 200) throw new Error(`/changes: ${reply.status} ${reply.text}`);
  return reply.body as ChangePage;
}

/** Applies all pages from `cursor` on. @returns the entries, and the cursor that follows them. */
export async function follow(api: TestApi, copy: Copy, cursor?: string, query: Query = {}) {
  const entries: Change[] = [];
  let next = cursor;
  for (;;) {
    const page = await changesPage(api, {
      ...{ include: 'record', limit: '1000', ...query },
      ...(next === undefined ? {} : { cursor: next }),
    });
    for (const change of page.changes) apply(copy, change);
    entries.push(...page.changes);
    next = page.nextCursor;
    if (!page.hasMore) return { entries, cursor: next };
  }
}

function apply(copy: Copy, { collection, recordId, record }: Change): void {
  const key = `${collection} ${recordId}`;
  // A record that was there and is gone now has a later delete.
  if (record == null) copy.delete(key);
  else copy.set(key, JSON.stringify(record));
}

/** The records in which two copies differ, at most ten. */
export function differences(one: Copy, other: Copy): string[] {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys]
    .filter((key) => one.get(key) !== other.get(key))
    .slice(0, 10)
    .map((key) => `${key}\n  ${one.get(key)}\n  ${other.get(key)}`);
}
