import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import type { PublisherMetrics } from '../../src/background/publish-signals/metrics.ts';
import type { SignalPublisher } from '../../src/background/publish-signals/publisher.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { published, startPublisher } from './support/feed.ts';

jest.setTimeout(60_000);

const folder = fileURLToPath(new URL('../..', import.meta.url));
const compiler = fileURLToPath(
  new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url),
);
let api: TestApi;
let url: string;
let child: ChildProcess;
let output: string;
let second: SignalPublisher | undefined;
beforeAll(async () => {
  // The publisher that is frozen runs from the build.
  const built = spawnSync(process.execPath, [compiler, '-b', folder], { encoding: 'utf8' });
  if (built.status !== 0) throw new Error(`data-api does not compile:\n${built.stdout}`);
}, 120_000);
afterEach(async () => {
  await second?.close();
  second = undefined;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  await api.close();
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await eventually(condition);
}

/** A publisher in another process that leads, and one in this process that waits. */
async function openPublishers(): Promise<{ readonly isSecondLeading: () => boolean }> {
  api = await openApi({ seed: 'SELECT 1' });
  url = api.sql.options.connectionString ?? '';
  output = '';
  child = spawn(process.execPath, [`${folder}/bench/signals/publisher-process.mjs`], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout?.on('data', (text: Buffer) => {
    output += text.toString();
  });
  await until(() => output.includes('leads'));
  let isLeading = false;
  const metrics: PublisherMetrics = {
    published: () => undefined,
    failed: () => undefined,
    leads: (leads) => {
      isLeading = leads;
    },
  };
  second = startPublisher(url, metrics);
  return { isSecondLeading: () => isLeading };
}

/** Commits startups one after another, and returns their ids. */
async function add(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { rows } = await api.sql.query<{ id: string }>(
      `INSERT INTO venture.startup (name) VALUES ('s') RETURNING id`,
    );
    ids.push(rows[0]?.id ?? '');
  }
  return ids;
}

/** Expects that the feed has every write once, in the order of the commits. */
async function expectFeed(ids: readonly string[]): Promise<void> {
  await published(api.sql);
  const { rows } = await api.sql.query<{ subject_id: string; position: number; rises: boolean }>(
    `SELECT subject_id, position::int,
       detected_at > lag(detected_at, 1, '-infinity') OVER (ORDER BY position) AS rises
     FROM venture.signal ORDER BY position`,
  );
  expect(rows.map((row) => row.subject_id)).toEqual(ids);
  expect(rows.map((row) => row.position)).toEqual(ids.map((_, index) => index + 1));
  expect(rows.every((row) => row.rises)).toBe(true);
}

test('a stopped process loses its lock, and publishes nothing out of order when it continues', async () => {
  const { isSecondLeading } = await openPublishers();
  const ids = await add(20);
  await published(api.sql);
  child.kill('SIGSTOP');
  ids.push(...(await add(20)));
  await until(isSecondLeading);
  await published(api.sql);
  ids.push(...(await add(20)));
  child.kill('SIGCONT');
  await until(() => output.includes('rests'));
  ids.push(...(await add(20)));
  await expectFeed(ids);
});

test('a batch of a stopped process is published once, the next one by another process', async () => {
  const { isSecondLeading } = await openPublishers();
  const client = await api.sql.connect();
  await client.query('BEGIN; LOCK TABLE venture.signal IN ACCESS EXCLUSIVE MODE');
  const ids = await add(5);
  await until(async () => {
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'data-api signal publisher' AND wait_event_type = 'Lock'`;
    return (await api.sql.query(waiting)).rowCount === 1;
  });
  child.kill('SIGSTOP');
  await client.query('ROLLBACK');
  client.release();
  ids.push(...(await add(5)));
  await until(isSecondLeading);
  child.kill('SIGCONT');
  await until(() => output.includes('rests'));
  ids.push(...(await add(5)));
  await expectFeed(ids);
});
