import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type pg from 'pg';
import { CHANGE_COLLECTIONS, recordOf, rowsOf } from '../../../src/replica/collections.ts';
import type { Manifest } from '../../../src/replica/manifest.ts';
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

/** The records of the JSON lines of a snapshot in a folder. */
export async function copyOfFiles(folder: string, manifest: Manifest): Promise<Copy> {
  const copy: Copy = new Map();
  for (const { name, files } of manifest.collections) {
    for (const file of files.filter(({ format }) => format === 'ndjson')) {
      const bytes = await readFile(join(folder, manifest.id, file.name));
      for (const line of gunzipSync(bytes).toString('utf8').split('\n').filter(Boolean)) {
        const record = JSON.parse(line) as { Id: string; FundId: string; Startup: { Id: string } };
        const id = name === 'holdings' ? `${record.FundId}/${record.Startup.Id}` : record.Id;
        copy.set(`${name} ${id}`, canonical(line));
      }
    }
  }
  return copy;
}
