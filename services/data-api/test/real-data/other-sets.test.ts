// Tests docs/spec/import.md 14.8.
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { atLength, describeWithData, openedPerSuite } from '@vcds/test-kit';
import { openImportFixture } from '../../../../packages/importer/test/support.ts';
import { countsOf, importRepeatedly, partOf } from './support.ts';

const isWhole = atLength(0, 1) === 1;

describeWithData(
  'other sets',
  (data) => {
    const fixture = openedPerSuite(openImportFixture);

    const at = (path: string) => join(data, path);
    /** A file, of which a soak reads all lines. */
    const linesOf = (path: string, isKept: (index: number) => boolean) =>
      isWhole ? at(path) : partOf(at(path), fixture.folder, (_, index) => isKept(index), '\n');
    const count = async (table: string, where: string) => {
      const [row] = await fixture.rows<{ n: number }>(
        `SELECT count(*)::int AS n FROM venture.${table} WHERE ${where}`,
      );
      return row?.n;
    };

    test('VC firms and their investments', async () => {
      const firms = await importRepeatedly(
        fixture,
        at('crunchbase-2013-vcfirms-hernamesbarbara/investors.csv'),
        'vcfirms-investors',
      );
      expect(countsOf(firms)).toEqual({ fund: { read: 103, inserted: 103 } });
      const investments = await importRepeatedly(
        fixture,
        await linesOf(
          'crunchbase-2013-vcfirms-hernamesbarbara/investments.csv',
          (index) => index < 1999,
        ),
        'vcfirms-investments',
      );
      expect(countsOf(investments)).toEqual(
        isWhole
          ? {
              startup: { read: 13_109, inserted: 5433, unchanged: 7676 },
              fund: { read: 13_109, unchanged: 13_109 },
              round: { read: 13_109, inserted: 8759, duplicate: 4350 },
              investor: { read: 13_109, inserted: 13_082, duplicate: 27 },
            }
          : {
              startup: { read: 2000, inserted: 1180, unchanged: 820 },
              fund: { read: 2000, unchanged: 2000 },
              round: { read: 2000, inserted: 1867, duplicate: 133 },
              investor: { read: 2000, inserted: 1998, duplicate: 2 },
            },
      );
      expect(
        await count('funding_round', `original_currency = 'EUR' AND amount > original_amount`),
      ).toBeGreaterThan(isWhole ? 30 : 4);
    });

    test('findavc: investors entered twice are one', async () => {
      const report = await importRepeatedly(
        fixture,
        await linesOf('vc-investors-findavc2025/vcs.csv', (index) => index >= 6278),
        'findavc-2025',
      );
      expect(countsOf(report)).toEqual({
        fund: isWhole
          ? { read: 6088, inserted: 6076, updated: 7, duplicate: 5 }
          : { read: 919, inserted: 911, updated: 4, duplicate: 4 },
      });
      expect(await count('fund', `source = 'findavc-2025' AND domain IS NULL`)).toBe(
        isWhole ? 568 - 10 + 1 : 450,
      );
    });

    test('unicorns and rounds of 2007', async () => {
      const unicorns = await importRepeatedly(
        fixture,
        at('unicorns-2022/Unicorn_Companies.csv'),
        'unicorns-2022',
      );
      expect(countsOf(unicorns)).toEqual({
        startup: { read: 1074, inserted: 1074 },
        fund: { read: 3052, inserted: 1254, unchanged: 1798 },
        holding: { read: 3052, inserted: 3050, duplicate: 2 },
        valuation: { read: 1074, inserted: 1074 },
      });
      expect(
        await fixture.rows(
          `SELECT v.amount FROM venture.post_valuation v
           JOIN venture.startup s ON s.id = v.startup_id
           WHERE s.name = 'Bytedance'`,
        ),
      ).toEqual([{ amount: '180000000000' }]);
      const rounds = await importRepeatedly(
        fixture,
        at('techcrunch-continental-usa/TechCrunchcontinentalUSA.csv'),
        'techcrunch-continental-usa',
      );
      expect(countsOf(rounds)).toEqual({
        startup: { read: 1457, inserted: 908, unchanged: 549 },
        round: { read: 1457, inserted: 1454, duplicate: 3 },
      });
      expect(
        await fixture.rows(
          `SELECT r.date::text FROM venture.funding_round r
           JOIN venture.startup s ON s.id = startup_id
           WHERE s.source_key = 'lifelock' ORDER BY date`,
        ),
      ).toEqual([{ date: '2006-10-01' }, { date: '2007-05-01' }, { date: '2008-01-01' }]);
    });
  },
  [
    'crunchbase-2013-vcfirms-hernamesbarbara/investors.csv',
    'crunchbase-2013-vcfirms-hernamesbarbara/investments.csv',
    'techcrunch-continental-usa/TechCrunchcontinentalUSA.csv',
    'vc-investors-findavc2025/vcs.csv',
    'unicorns-2022/Unicorn_Companies.csv',
  ],
);
