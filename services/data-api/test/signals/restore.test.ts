import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openApi, type TestApi } from '../support/api.ts';
import {
  type DumpServer,
  describeWithDump,
  migrateWith,
  startDumpServer,
} from './support/debian-postgres.ts';
import { followFeed, published, type SignalPage, startPublisher } from './support/feed.ts';

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
