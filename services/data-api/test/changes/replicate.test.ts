// Tests docs/spec/replica.md 23.1, 23.10.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createClient, type ReplicaStore } from '@vcds/client';
import { duckdbStore } from '@vcds/client/duckdb';
import { folderReplica } from '@vcds/client/node';
import { closedAfterAll, testFolder } from '@vcds/test-kit';
import pg from 'pg';
import { openSnapshotStore } from '../../src/replica/snapshot-store.ts';
import { writeSnapshot } from '../../src/worker/snapshots/write-snapshot.ts';
import { openApi } from '../support/api.ts';
import { publishOutbox } from '../support/publish.ts';
import { type Copy, canonical, differences, readAll } from './support/copy.ts';
import { RandomChanges } from './support/random-changes.ts';

const snapshotUrl = `file://${await testFolder('vcds-replicate-')}`;
const api = await closedAfterAll(openApi({ snapshotUrl }));
const worker = new pg.Pool({ connectionString: api.databaseUrl, options: '-c timezone=UTC' });
await closedAfterAll(Promise.resolve({ close: () => worker.end() }));
const snapshots = await openSnapshotStore(snapshotUrl);
const { signal } = new AbortController();

/** Breaks the body of each first download of a file after some bytes. */
const begun = new Set<string>();
const breakingAt =
  (base: string): typeof fetch =>
  async (input, init) => {
    const url = String(input);
    const { headers } = init as { headers: Record<string, string> };
    const request = url.replace('http://data.example/v2', base);
    const response = await fetch(request, init);
    if (!/snapshots\/./.test(url) || headers.Range !== undefined || begun.has(url)) return response;
    begun.add(url);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(bytes.slice(0, 100)),
      pull: (controller) => controller.error(new TypeError('The connection broke.')),
    });
    return new Response(body, { status: response.status, headers: response.headers });
  };
const options = { apiKey: 'unchecked', sleep: async () => undefined };
const client = createClient({ ...options, baseUrl: api.url, fetch: breakingAt(api.url) });
const catchUp = (store: ReplicaStore) => client.replicate({ store, stopWhenCaughtUp: true });
const changes = new RandomChanges();

async function change(): Promise<void> {
  const writer = new pg.Client(api.databaseUrl);
  await writer.connect();
  for (let n = 0; n < 40; n++) await changes.transaction(writer, 5);
  await writer.end();
  await publishOutbox(api.sql);
}

beforeAll(async () => {
  await publishOutbox(api.sql);
  await writeSnapshot({ pool: worker, store: snapshots, signal, rowsPerFile: 60 });
});

async function filesOf(root: string): Promise<Copy> {
  const copy: Copy = new Map();
  for (const entry of await readdir(join(root, 'current'), { recursive: true })) {
    const [collection, , file] = entry.split('/');
    if (file === undefined) continue;
    const id = file.replace('.json', '').replace('_', '/');
    copy.set(
      `${collection} ${id}`,
      canonical(await readFile(join(root, 'current', entry), 'utf8')),
    );
  }
  return copy;
}

describe('replicate', () => {
  test('keeps typed tables of DuckDB equal to the records', async () => {
    const connection = await (await DuckDBInstance.create()).connect();
    const store = duckdbStore(connection, { folder: await testFolder('vcds-duckdb-') });
    await catchUp(store);
    const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
    for (const round of [0, 1, 2]) {
      if (round > 0) await change();
      await catchUp(store);
      const records = await readAll(api.sql);
      const names = [
        'startups',
        'funds',
        'fundingrounds',
        'postvaluations',
        'persons',
        'news',
        'holdings',
      ];
      for (const name of names) {
        const expected = [...records].filter(([key]) => key.startsWith(`${name} `));
        const key = name === 'holdings' ? `FundId || '/' || Startup.Id` : 'Id';
        const rows = await read(
          `SELECT (${key})::VARCHAR AS id, to_json(t) AS json FROM ${name} t`,
        );
        const copy: Copy = new Map(
          rows.map(({ id, json }) => [`${name} ${id}`, inApi(String(json))] as const),
        );
        expect(differences(copy, new Map(expected))).toEqual([]);
      }
    }
  }, 60_000);

  test('keeps plain files equal to the records, through broken downloads and a lost feed', async () => {
    const root = await testFolder('vcds-copy-');
    const store = folderReplica(root);
    expect((await catchUp(store)).loaded).not.toBeNull();
    expect([...begun].filter((file) => file.endsWith('.gz')).length).toBeGreaterThan(6);
    expect(differences(await filesOf(root), await readAll(api.sql))).toEqual([]);
    await change();
    const followed = await catchUp(store);
    expect([followed.loaded, followed.changes > 20]).toEqual([null, true]);
    expect(differences(await filesOf(root), await readAll(api.sql))).toEqual([]);
    await api.sql.query('DELETE FROM venture.change');
    await expect(catchUp(store)).rejects.toThrow('no snapshot');
    const { id } = await writeSnapshot({ pool: worker, store: snapshots, signal });
    const later = await openApi({ url: api.databaseUrl, seed: 'SELECT 1', snapshotUrl });
    const next = createClient({ ...options, baseUrl: later.url, fetch: breakingAt(later.url) });
    expect((await next.replicate({ store, stopWhenCaughtUp: true })).loaded).toBe(id);
    await later.close();
    expect(differences(await filesOf(root), await readAll(api.sql))).toEqual([]);
  }, 60_000);
});

/** The JSON of a row with instants as the API writes them. */
function inApi(json: string): string {
  return canonical(
    json.replaceAll(
      /"(\w+TimeStamp)":"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?"/g,
      (_, name: string, day: string, time: string, fraction = '') =>
        `"${name}":"${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z"`,
    ),
  );
}
