// Tests docs/spec/import.md 14.8.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithData } from '@vcds/test-kit';
import {
  type ImportFixture,
  openImportFixture,
} from '../../../../packages/importer/test/support.ts';
import { type Feed, openFeed } from '../signals/support/feed.ts';
import { countsOf, type FeedPage, importRepeatedly, readFeed } from './support.ts';

const COMPANIES = 'crunchbase-lando224/company_investments.csv';
const PEOPLE = 'crunchbase-lando224/people_investments.csv';
const TAKEOVERS = 'crunchbase-lando224/acquisitions.csv';
const OFFERINGS = 'crunchbase-2013/ipos.csv';

describeWithData(
  'the snapshot of 2013',
  (data) => {
    let fixture: ImportFixture;
    let feed: Feed;
    let first: FeedPage;
    beforeAll(async () => {
      fixture = await openImportFixture();
      feed = await openFeed({ url: fixture.url });
    });
    afterAll(async () => {
      await feed.close();
      await fixture.close();
    });

    const imported = (file: string, by: string) =>
      importRepeatedly(fixture, join(data, file), by, true);

    test('companies, people, takeovers and public offerings', async () => {
      const companies = await imported(COMPANIES, 'lando224-company-investments');
      expect(countsOf(companies)).toEqual({
        startup: { read: 6183, inserted: 4827, duplicate: 1356 },
        fund: { read: 6151, inserted: 2591, unchanged: 3560 },
        holding: { read: 6206, inserted: 5693, duplicate: 436, rejected: 77 },
        round: { read: 6206, inserted: 5561, unchanged: 622, rejected: 23 },
        investor: { read: 6206, inserted: 6124, duplicate: 5, rejected: 77 },
      });
      const rejected = await fixture.sideFile('company_investments.csv.rejected.ndjson');
      for (const { original } of rejected) {
        expect(Object.values(original as object)).toContain('#N/A');
      }
      first = await readFeed(feed);
      expect(first.counts).toMatchObject({
        'round.recorded': 5561,
        'investor.joined_round': 6124,
      });

      const people = await imported(PEOPLE, 'lando224-people-investments');
      expect(people.byType.get('person')).toMatchObject({ read: 13_184, inserted: 6795 });
      expect(
        await fixture.rows(
          `SELECT name FROM venture.person WHERE name = 'Javier Pérez' OR name LIKE '%√%'`,
        ),
      ).toEqual([{ name: 'Javier Pérez' }]);

      const takeovers = await imported(TAKEOVERS, 'lando224-acquisitions');
      expect(takeovers.byType.get('news')).toMatchObject({
        read: 9562,
        inserted: 9545,
        rejected: 17,
      });

      const offerings = await imported(OFFERINGS, 'crunchbase-2013-ipos');
      expect(offerings.skipped.reduce((sum, { rows }) => sum + rows, 0)).toBe(995);
      expect(offerings.byType.get('valuation')).toMatchObject({ read: 108 });
    });

    test('is published in the order of detectedAt, independent of occurredAt', async () => {
      const { signals: later } = await readFeed(feed, first.cursor);
      const signals = [...first.signals, ...later];
      const pairs = signals.slice(1).map((signal, index) => [signals[index], signal] as const);
      const notRising = pairs.filter(([a, b]) => (a?.detectedAt ?? '') >= b.detectedAt);
      const backwards = pairs.filter(([a, b]) => (a?.occurredAt ?? '') > b.occurredAt);
      expect(notRising).toEqual([]);
      expect(backwards.length).toBeGreaterThan(1_000);
      expect(new Set(signals.map(({ id }) => id)).size).toBe(signals.length);
    });
  },
  [COMPANIES, PEOPLE, TAKEOVERS, OFFERINGS],
);
