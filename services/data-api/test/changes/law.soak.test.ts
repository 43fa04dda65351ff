// Tests docs/spec/replica.md 23.1, 23.6, 23.8.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { closedAfterAll, eventually, testFolder } from '@vcds/test-kit';
import pg from 'pg';
import { openSnapshotStore, readManifests } from '../../src/replica/snapshot-store.ts';
import { Publishers } from '../signals/support/publishers.ts';
import { openApi } from '../support/api.ts';
import { publishOutbox } from '../support/publish.ts';
import { type Copy, copyOfFiles, differences, follow, readAll } from './support/copy.ts';
import { RandomChanges } from './support/random-changes.ts';

const TRANSACTIONS = Number(process.env.LAW_TRANSACTIONS ?? 4_000);
const WRITERS = 4;
const folder = await testFolder('vcds-law-');
const snapshotUrl = `file://${folder}`;
const api = await closedAfterAll(openApi({ snapshotUrl }));
const root = fileURLToPath(new URL('../../', import.meta.url));

/** `npm run snapshot`, killed after a time. */
async function snapshot(killAfterMs?: number): Promise<number | null> {
  const child = spawn(process.execPath, [`${root}dist/worker/snapshots/cli.js`], {
    env: { PATH: process.env.PATH, DATABASE_URL: api.databaseUrl, SNAPSHOT_URL: snapshotUrl },
    stdio: 'inherit',
  });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  if (killAfterMs !== undefined) void delay(killAfterMs).then(() => child.kill('SIGKILL'));
  return (await exit)[0];
}

test('two snapshots during changes and kills differ by the changes between them', async () => {
  await publishOutbox(api.sql);
  const publishers = new Publishers(root, api.databaseUrl, 1_500);
  const changes = new RandomChanges();
  let isOver = false;
  const writer = async () => {
    const client = new pg.Client(api.databaseUrl);
    await client.connect();
    await client.query(`SET deadlock_timeout = '10ms'`);
    while (changes.committed < TRANSACTIONS) await changes.transaction(client, 6);
    await client.end();
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, writer));
  await eventually(() => changes.committed > TRANSACTIONS / 8, { timeoutMs: 600_000 });
  expect(await snapshot(400)).toBeNull();
  expect(await snapshot()).toBe(0);
  const store = await openSnapshotStore(snapshotUrl);
  const [first] = await readManifests(store);
  if (first === undefined) throw new Error('There is no snapshot.');
  const copy: Copy = await copyOfFiles(folder, first);
  const followed = (async () => {
    let cursor = await cursorOf(first.id);
    let entries = 0;
    for (;;) {
      const isLast = isOver;
      const page = await follow(api, copy, cursor);
      ({ cursor } = page);
      entries += page.entries.length;
      if (isLast) return entries;
      await delay(50);
    }
  })();
  await writers;
  publishers.spare();
  await eventually(
    async () => (await api.sql.query('SELECT FROM venture.change_outbox LIMIT 1')).rowCount === 0,
    { timeoutMs: 120_000 },
  );
  expect(await snapshot(400)).toBeNull();
  expect(await snapshot()).toBe(0);
  isOver = true;
  const entries = await followed;
  await publishers.close();
  const [second] = await readManifests(store);
  if (second === undefined) throw new Error('There is no second snapshot.');
  const records = await readAll(api.sql);
  expect(differences(await copyOfFiles(folder, second), records)).toEqual([]);
  expect(differences(copy, records)).toEqual([]);
  const { committed, failed } = changes;
  const kills = publishers.kills;
  console.log(JSON.stringify({ committed, failed, entries, kills, records: records.size }));
}, 3_600_000);

async function cursorOf(id: string): Promise<string> {
  const { body } = await api.get('/snapshots');
  const { snapshots } = body as { snapshots: readonly { id: string; cursor: string }[] };
  return snapshots.find((each) => each.id === id)?.cursor ?? '';
}
