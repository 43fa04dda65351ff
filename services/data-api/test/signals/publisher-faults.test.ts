// Tests docs/spec/signals.md 9.9, 9.10, 9.13.
// Tests docs/spec/operations.md 16.3.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import type { PublisherMetrics } from '../../src/worker/publish-signals/metrics.ts';
import type { SignalPublisher } from '../../src/worker/publish-signals/publisher.ts';
import { openApi, type TestApi } from '../support/api.ts';
import {
  type DumpServer,
  describeWithDump,
  migrateWith,
  startDumpServer,
} from './support/debian-postgres.ts';
import { followFeed, published, type SignalPage, startPublisher } from './support/feed.ts';

describe('a frozen publisher', () => {
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
  });
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
    child = spawn(process.execPath, [`${folder}/test/signals/support/publisher-process.mjs`], {
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
      AND application_name = 'data-worker signal publisher' AND wait_event_type = 'Lock'`;
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
});

const MINUTE_MS = 60_000;

describeWithDump('a dump restored on another server', (programs) => {
  let before: DumpServer;
  let after: DumpServer;
  beforeAll(async () => {
    before = await startDumpServer(programs);
    after = await startDumpServer(programs);
    await migrateWith(before);
  }, 2 * MINUTE_MS);
  afterAll(async () => {
    await before?.close();
    await after?.close();
  });

  const reader = (api: TestApi) => async (query: Readonly<Record<string, string>>) =>
    (await api.get('/signals', query)).body as SignalPage;

  test(
    'continues the feed: cursors are valid, nothing is missing, waiting changes are published',
    async () => {
      const insert = (from: number, to: number) =>
        `INSERT INTO venture.startup (name) SELECT 's' || n FROM generate_series(${from}, ${to}) n`;
      const source = await openApi({ seed: insert(1, 30), url: before.url });
      const publisher = startPublisher(before.url);
      // Transaction ids that the other server has not reached.
      for (let n = 0; n < 200; n++) await source.sql.query('SELECT pg_current_xact_id()');
      await published(source.sql);
      await publisher.close();
      await source.sql.query(insert(31, 40));
      await source.sql.query(`UPDATE venture.startup SET founded = 2000 WHERE name = 's31'`);
      const first = await reader(source)({ order: 'asc', since: '2020-01-01', limit: '10' });
      const rest = await followFeed(reader(source), { cursor: first.nextCursor });
      expect(rest.signals).toHaveLength(20);
      await source.close();

      const file = join(before.folder, 'feed.dump');
      before.run('pg_dump', ['-Fc', '-f', file, before.url]);
      after.run('pg_restore', ['--no-owner', '--exit-on-error', '-d', after.url, file]);

      const restored = await openApi({ url: after.url, seed: 'SELECT 1' });
      const again = await followFeed(reader(restored), { cursor: first.nextCursor });
      expect(again.signals).toEqual(rest.signals);
      const next = startPublisher(after.url);
      await published(restored.sql);
      const waited = await followFeed(reader(restored), { cursor: again.cursor });
      expect(waited.signals.map(({ type }) => type)).toEqual([
        ...Array.from({ length: 10 }, () => 'startup.added'),
        'startup.updated',
      ]);
      await restored.sql.query(`UPDATE venture.startup SET founded = 2001 WHERE name = 's31'`);
      await published(restored.sql);
      const last = await followFeed(reader(restored), { cursor: waited.cursor });
      expect(last.signals).toMatchObject([{ type: 'startup.updated' }]);
      await next.close();
      await restored.close();
    },
    2 * MINUTE_MS,
  );
});
