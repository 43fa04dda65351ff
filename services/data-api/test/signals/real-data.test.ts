import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithData } from '@vcds/test-kit';
import { runImport } from '../../src/import/index.ts';
import { type Feed, openFeed } from './support/feed.ts';

const mapping = (name: string) =>
  fileURLToPath(new URL(`../../mappings/${name}.json`, import.meta.url));
const minutes = 10 * 60_000;

let feed: Feed;
const useFeed = () => {
  beforeAll(async () => {
    feed = await openFeed();
  });
  afterAll(() => feed.close());
};

const importFile = (file: string, by: string) =>
  runImport({
    connectionString: feed.url,
    files: [file],
    mapping: mapping(by),
    continueOnRejected: true,
    rejectedFolder: tmpdir(),
  });

/** Counts by type of what a reader is told from a cursor on. */
async function told(cursor: string | undefined) {
  await feed.published();
  const query = { limit: '200', ...(cursor === undefined ? {} : { cursor }) };
  const { signals, cursor: reached } = await feed.follow(query);
  const counts: Record<string, number> = {};
  for (const { type } of signals) counts[type] = (counts[type] ?? 0) + 1;
  return { signals, counts, cursor: reached };
}

describeWithData(
  'YC history',
  (data) => {
    useFeed();
    const file = join(data, 'yc-history/yc_changes_dev.jsonl');
    const startedAt = new Date().toISOString();
    let cursor: string | undefined;

    test(
      'snapshot by snapshot, a reader is told what the file says happened',
      async () => {
        const snapshots = new Map<string, { lines: string[]; kinds: Record<string, number> }>();
        for await (const line of createInterface({ input: createReadStream(file) })) {
          const { snapshot, kind }: { snapshot: string; kind: string } = JSON.parse(line);
          const found = snapshots.get(snapshot) ?? { lines: [], kinds: {} };
          found.lines.push(line);
          found.kinds[kind] = (found.kinds[kind] ?? 0) + 1;
          snapshots.set(snapshot, found);
        }
        const part = join(tmpdir(), `vcds-yc-${process.pid}.jsonl`);
        for (const [snapshot, { lines, kinds }] of snapshots) {
          await writeFile(part, lines.join('\n'));
          const { total, relabelled } = await importFile(part, 'yc-history');
          const { signals, counts, cursor: reached } = await told(cursor);
          cursor = reached;
          // A line that changes nothing we store is told by nobody. A spelling that is settled
          // anew is told of every living record that bears it, as of now.
          const rewritten = relabelled.reduce((sum, { records }) => sum + records, 0);
          const byLines = signals.filter(({ occurredAt }) => occurredAt < startedAt);
          const updates = byLines.filter(({ type }) => type === 'startup.updated');
          const { added = 0, updated = 0 } = kinds;
          expect([snapshot, counts['startup.added'] ?? 0]).toEqual([snapshot, added]);
          expect([snapshot, updates.length]).toEqual([snapshot, updated - total.unchanged]);
          expect(byLines).toHaveLength(added + updates.length);
          expect(signals.length - byLines.length).toBeLessThanOrEqual(rewritten);
        }
      },
      minutes,
    );

    test(
      'the whole file a second time tells nothing',
      async () => {
        await importFile(file, 'yc-history');
        expect((await told(cursor)).signals).toEqual([]);
      },
      minutes,
    );
  },
  ['yc-history/yc_changes_dev.jsonl'],
);

describeWithData(
  'the snapshot of 2013',
  (data) => {
    useFeed();

    test(
      'is ordered by detectedAt, while occurredAt runs backwards',
      async () => {
        const file = join(data, 'crunchbase-lando224/company_investments.csv');
        const report = await importFile(file, 'lando224-company-investments');
        const takeovers = join(data, 'crunchbase-lando224/acquisitions.csv');
        await importFile(takeovers, 'lando224-acquisitions');
        const { signals, counts } = await told(undefined);
        expect(counts['round.recorded']).toBe(report.byType.get('round')?.inserted);
        expect(counts['investor.joined_round']).toBe(report.byType.get('investor')?.inserted);
        const isRising = signals.every(
          ({ detectedAt }, index) =>
            index === 0 || detectedAt > (signals[index - 1]?.detectedAt ?? ''),
        );
        expect(isRising).toBe(true);
        const backwards = signals.filter(
          ({ occurredAt }, index) => occurredAt < (signals[index - 1]?.occurredAt ?? ''),
        );
        expect(backwards.length).toBeGreaterThan(1_000);
        expect(new Set(signals.map(({ id }) => id)).size).toBe(signals.length);
      },
      minutes,
    );
  },
  ['crunchbase-lando224/company_investments.csv', 'crunchbase-lando224/acquisitions.csv'],
);
