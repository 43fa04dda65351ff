import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { atLength, describeWithData } from '@vcds/test-kit';
import {
  type ImportFixture,
  openImportFixture,
  sumsAgree,
} from '../../../../packages/importer/test/support.ts';
import { type Feed, openFeed } from '../signals/support/feed.ts';
import { mapping, readFeed, snapshotsOf } from './support.ts';

const FILE = 'yc-history/yc_changes_dev.jsonl';
const SNAPSHOTS = 20;
const STEP = atLength(4, 1);
/** The number of snapshots that are imported, and of those imported again. */
const IMPORTED = atLength(3, SNAPSHOTS);
const REPEATED = atLength(2, SNAPSHOTS);

describeWithData(
  'YC history',
  (data) => {
    const file = join(data, FILE);
    const by = { mapping: mapping('yc-history') };
    const startedAt = new Date().toISOString();
    let fixture: ImportFixture;
    let feed: Feed;
    let cursor: string | undefined;
    beforeAll(async () => {
      fixture = await openImportFixture();
      feed = await openFeed({ url: fixture.url });
    });
    afterAll(async () => {
      await feed.close();
      await fixture.close();
    });

    const alive = async () => {
      const [row] = await fixture.rows<{ n: number }>(
        'SELECT count(*)::int AS n FROM venture.startup WHERE deleted_at IS NULL',
      );
      return row?.n ?? 0;
    };

    test('each snapshot makes the changes of the file, and publishes them', async () => {
      const snapshots = await snapshotsOf(file, STEP);
      expect(snapshots.size).toBe(SNAPSHOTS);
      const part = join(fixture.folder, 'snapshot.jsonl');
      for (const [snapshot, { lines, kinds }] of [...snapshots].slice(0, IMPORTED)) {
        const { added = 0, updated = 0, removed = 0 } = kinds;
        const before = await alive();
        await writeFile(part, lines.join('\n'));
        const report = await fixture.importFile(part, by);
        const { total, relabelled } = report;
        expect([snapshot, sumsAgree(report), total.read]).toEqual([snapshot, true, lines.length]);
        expect([snapshot, total.inserted, total.deleted]).toEqual([snapshot, added, removed]);
        expect([snapshot, total.updated + total.unchanged]).toEqual([snapshot, updated]);
        expect([snapshot, await alive()]).toEqual([snapshot, before + added - removed]);

        const { signals, counts, cursor: reached } = await readFeed(feed, cursor);
        cursor = reached;
        // A line that changes no stored value causes no signal. A new canonical spelling causes
        // one, dated now, for every record that has the term.
        const rewritten = relabelled.reduce((sum, { records }) => sum + records, 0);
        const byLines = signals.filter(({ occurredAt }) => occurredAt < startedAt);
        const updates = byLines.filter(({ type }) => type === 'startup.updated');
        expect([snapshot, counts['startup.added'] ?? 0]).toEqual([snapshot, added]);
        expect([snapshot, updates.length]).toEqual([snapshot, total.updated]);
        expect(byLines).toHaveLength(added + updates.length);
        expect(signals.length - byLines.length).toBeLessThanOrEqual(rewritten);
      }
    });

    test('a snapshot imported again is stale or unchanged and publishes nothing', async () => {
      const snapshots = [...(await snapshotsOf(file, STEP)).values()].slice(0, IMPORTED);
      const part = join(fixture.folder, 'again.jsonl');
      // The oldest is stale, the newest unchanged.
      for (const { lines } of [...snapshots.slice(0, REPEATED - 1), ...snapshots.slice(-1)]) {
        await writeFile(part, lines.join('\n'));
        const { startup } = Object.fromEntries((await fixture.importFile(part, by)).byType);
        const { read, stale, unchanged } = startup ?? {};
        expect([read, Number(stale) + Number(unchanged)]).toEqual([lines.length, lines.length]);
      }
      expect((await readFeed(feed, cursor)).signals).toEqual([]);
    });
  },
  [FILE],
);
