// Tests docs/spec/replica.md 23.8, 23.9, 23.10, 23.11.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { closedAfterAll, freePort, testFolder } from '@vcds/test-kit';
import pg from 'pg';
import S3rver from 's3rver';
import { MANIFEST_FILE, type Manifest, SNAPSHOTS_KEPT } from '../../src/replica/manifest.ts';
import { openSnapshotStore, readManifests } from '../../src/replica/snapshot-store.ts';
import { writeSnapshot } from '../../src/worker/snapshots/write-snapshot.ts';
import { openApi } from '../support/api.ts';
import { publishOutbox } from '../support/publish.ts';
import { type Copy, canonical, differences, follow, readAll } from './support/copy.ts';
import { RandomChanges } from './support/random-changes.ts';

const folder = await testFolder('vcds-snapshots-');
const snapshotUrl = `file://${folder}`;
const store = await openSnapshotStore(snapshotUrl);
const api = await closedAfterAll(openApi({ snapshotUrl }));
const worker = new pg.Pool({ connectionString: api.databaseUrl, options: '-c timezone=UTC' });
await closedAfterAll(Promise.resolve({ close: () => worker.end() }));
const { signal } = new AbortController();

interface Listed {
  readonly id: string;
  readonly cursor: string;
  readonly collections: readonly {
    readonly name: string;
    readonly rows: number;
    readonly files: readonly {
      readonly name: string;
      readonly url: string;
      readonly format: string;
      readonly rows: number;
      readonly bytes: number;
      readonly sha256: string;
    }[];
  }[];
}

let written: Manifest;
const listed = async () =>
  ((await api.get('/snapshots')).body as { snapshots: readonly Listed[] }).snapshots;

beforeAll(async () => {
  await publishOutbox(api.sql);
  written = await writeSnapshot({ pool: worker, store, signal, rowsPerFile: 40 });
});

/** A file over HTTP. */
async function download(name: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${api.url}/snapshots/${written.id}/${name}`, {
    headers,
    redirect: 'manual',
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** The records of the files of a snapshot in JSON lines. */
async function copyOf(snapshot: Listed): Promise<Copy> {
  const copy: Copy = new Map();
  for (const { name, files } of snapshot.collections) {
    for (const file of files.filter(({ format }) => format === 'ndjson')) {
      const { bytes } = await download(file.name);
      const lines = gunzipSync(bytes).toString('utf8').split('\n').filter(Boolean);
      expect(lines.length).toBe(file.rows);
      for (const line of lines) {
        const record = JSON.parse(line) as { Id: string; FundId: string; Startup: { Id: string } };
        const id = name === 'holdings' ? `${record.FundId}/${record.Startup.Id}` : record.Id;
        copy.set(`${name} ${id}`, canonical(line));
      }
    }
  }
  return copy;
}

test('a snapshot, and the changes after it, are what the collections answer', async () => {
  const [snapshot] = await listed();
  if (snapshot === undefined) throw new Error('There is no snapshot.');
  const copy = await copyOf(snapshot);
  expect(differences(copy, await readAll(api.sql))).toEqual([]);
  const client = new pg.Client(api.databaseUrl);
  await client.connect();
  const changes = new RandomChanges();
  for (let n = 0; n < 60; n++) await changes.transaction(client, 5);
  await client.end();
  await publishOutbox(api.sql);
  await follow(api, copy, snapshot.cursor);
  expect(differences(copy, await readAll(api.sql))).toEqual([]);
});

test('DuckDB reads as many typed rows as the manifest says, with the values of the records', async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const read = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  for (const { name, rows } of written.collections) {
    const files = `read_parquet('${join(folder, written.id, name)}-*.parquet')`;
    const lines = `read_ndjson('${join(folder, written.id, name)}-*.ndjson.gz')`;
    expect([name, await read(`SELECT count(*)::INT AS rows FROM ${files}`)]).toEqual([
      ...[name, [{ rows }]],
    ]);
    // Every value is the same in both formats, whatever the type of its column.
    const { columns } = Object.fromEntries(
      (
        await read(`SELECT list(column_name) AS columns FROM (DESCRIBE SELECT * FROM ${files})`)
      ).flatMap((row) => Object.entries(row)),
    ) as unknown as { columns: string[] };
    const texts = columns
      .map((column) =>
        column.endsWith('TimeStamp')
          ? `strftime("${column}"::TIMESTAMP, '%Y-%m-%dT%H:%M:%S.%gZ')`
          : `to_json("${column}")::VARCHAR`,
      )
      .join(', ');
    const difference = `SELECT count(*)::INT AS rows FROM
      ((SELECT ${texts} FROM ${files}) EXCEPT ALL (SELECT ${texts} FROM ${lines}))`;
    expect([name, await read(difference)]).toEqual([name, [{ rows: 0 }]]);
  }
  const types = await read(`DESCRIBE SELECT Id, Founded, TotalRaised, Tag, LastFundingDate
    FROM read_parquet('${join(folder, written.id)}/startups-*.parquet')`);
  expect(types.map(({ column_type }) => column_type)).toEqual([
    ...['UUID', 'INTEGER', 'BIGINT', 'VARCHAR[]', 'DATE'],
  ]);
});

describe('a file', () => {
  const startups = () =>
    written.collections[0]?.files.find(({ format }) => format === 'parquet') ?? fail();
  const fail = (): never => {
    throw new Error('There is no file.');
  };

  test('has the bytes and the digest of the manifest, and costs 1 credit', async () => {
    for (const file of written.collections.flatMap(({ files }) => files)) {
      const { response, bytes } = await download(file.name);
      expect([response.status, response.headers.get('etag')]).toEqual([200, `"${file.sha256}"`]);
      expect(response.headers.get('x-credits-charged')).toBe('1');
      expect(bytes.byteLength).toBe(file.bytes);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256);
    }
    expect((await api.get('/snapshots')).headers['x-credits-charged']).toBe('0');
  });

  test('states its size and digest to HEAD, for 0 credits', async () => {
    const file = startups();
    const path = `/snapshots/${written.id}/${file.name}`;
    const { status, headers, text } = await api.send('head', path);
    expect([status, text, headers['content-length']]).toEqual([200, '', String(file.bytes)]);
    expect([headers.etag, headers['x-credits-charged']]).toEqual([`"${file.sha256}"`, '0']);
    expect(headers['x-credits-max-price']).toBe('1');
    expect((await api.send('head', `${path}x`)).status).toBe(404);
  });

  test('continues after a connection that broke', async () => {
    const { name, bytes, sha256 } = startups();
    const broken = new AbortController();
    const first = await fetch(`${api.url}/snapshots/${written.id}/${name}`, {
      signal: broken.signal,
    });
    const reader = first.body?.getReader();
    const part = Buffer.from((await reader?.read())?.value ?? []).subarray(0, 1_000);
    broken.abort();
    const rest = await download(name, {
      Range: `bytes=${part.byteLength}-`,
      'If-Range': `"${sha256}"`,
    });
    expect(rest.response.status).toBe(206);
    expect(rest.response.headers.get('content-range')).toBe(
      `bytes ${part.byteLength}-${bytes - 1}/${bytes}`,
    );
    const whole = Buffer.concat([part, rest.bytes]);
    expect(createHash('sha256').update(whole).digest('hex')).toBe(sha256);
  });

  test('is 304 for its ETag, 416 after its end, 404 for another name', async () => {
    const { name, bytes, sha256 } = startups();
    const same = await download(name, { 'If-None-Match': `"${sha256}"` });
    expect([same.response.status, same.bytes.byteLength]).toEqual([304, 0]);
    const after = await download(name, { Range: `bytes=${bytes}-` });
    expect(after.response.status).toBe(416);
    expect(after.response.headers.get('x-credits-charged')).toBe('0');
    for (const other of ['startups-99.parquet', MANIFEST_FILE, '..%2Fsecret']) {
      expect([other, (await download(other)).response.status]).toEqual([other, 404]);
    }
  });

  test('needs a plan with snapshots', async () => {
    const starter = await openApi({
      ...{ url: api.databaseUrl, seed: 'SELECT 1', snapshotUrl },
      principal: { plan: 'starter' },
    });
    const reply = await starter.get(`/snapshots/${written.id}/${startups().name}`);
    expect(reply.status).toBe(403);
    expect((await starter.get('/snapshots')).status).toBe(200);
    await starter.close();
  });
});

describe('the store', () => {
  test('has no snapshot of a run that was stopped; the next run deletes its files', async () => {
    const stop = new AbortController();
    const halting = {
      ...store,
      put: async (...given: Parameters<typeof store.put>) => {
        await store.put(...given);
        stop.abort(new Error('killed'));
      },
    };
    const run = writeSnapshot({ pool: worker, store: halting, signal: stop.signal });
    await expect(run).rejects.toThrow('killed');
    const before = await store.ids();
    expect((await readManifests(store)).map(({ id }) => id)).toEqual([written.id]);
    expect(before.length).toBe(2);
    const next = await writeSnapshot({ pool: worker, store, signal });
    expect([...(await store.ids())].sort()).toEqual([written.id, next.id].sort());
  });

  test('keeps seven', async () => {
    const other = await testFolder('vcds-snapshots-kept-');
    for (let day = 1; day <= SNAPSHOTS_KEPT + 2; day++) {
      const id = `2020010${day}T000000Z`;
      await mkdir(join(other, id), { recursive: true });
      const manifest = JSON.stringify({ ...written, id });
      await writeFile(join(other, id, MANIFEST_FILE), manifest);
    }
    const kept = await openSnapshotStore(`file://${other}`);
    const { id } = await writeSnapshot({ pool: worker, store: kept, signal });
    const ids = (await readManifests(kept)).map((each) => each.id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([7, id, '20200104T000000Z']);
  });

  test('in a bucket answers signed addresses of the same bytes', async () => {
    const directory = await testFolder('vcds-bucket-');
    const port = await freePort();
    const server = new S3rver({
      ...{ port, address: '127.0.0.1', silent: true, directory },
      configureBuckets: [{ name: 'vcds', configs: [] }],
    });
    await server.run();
    const url = `s3://S3RVER:S3RVER@vcds/nightly?endpoint=http://127.0.0.1:${port}`;
    const bucket = await openSnapshotStore(url);
    const manifest = await writeSnapshot({ pool: worker, store: bucket, signal, rowsPerFile: 40 });
    expect(await readManifests(bucket)).toEqual([manifest]);
    const served = await openApi({ url: api.databaseUrl, seed: 'SELECT 1', snapshotUrl: url });
    const [file] = manifest.collections[0]?.files ?? [];
    const response = await fetch(`${served.url}/snapshots/${manifest.id}/${file?.name}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([response.redirected, response.status]).toEqual([true, 200]);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(file?.sha256);
    await bucket.remove(manifest.id);
    expect(await bucket.ids()).toEqual([]);
    await served.close();
    bucket.close();
    await server.close();
  });
});

test('has the folder of the snapshot alone', async () => {
  const text = await readFile(join(folder, written.id, MANIFEST_FILE), 'utf8');
  expect(JSON.parse(text)).toEqual(written);
  const names = written.collections.flatMap(({ files }) => files.map(({ name }) => name));
  expect((await readdir(join(folder, written.id))).sort()).toEqual(
    [...names, MANIFEST_FILE].sort(),
  );
});
