import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithData } from '@vcds/test-kit';
import iconv from 'iconv-lite';
import type { ImportReport, RecordType } from '../../src/import/index.ts';
import { type ImportWorld, nonZero, openImportWorld, sumsAgree } from './support.ts';

const mapping = (name: string) =>
  fileURLToPath(new URL(`../../mappings/${name}.json`, import.meta.url));
const minutes = 10 * 60_000;

let world: ImportWorld;
const counts = ({ byType }: ImportReport) =>
  Object.fromEntries([...byType].map(([type, row]) => [type, nonZero(row)]));

/** Imports a file, then again: the second time must change nothing. */
async function twice(path: string, by: string, continueOnRejected = false): Promise<ImportReport> {
  const options = { mapping: mapping(by), continueOnRejected };
  const first = await world.importFile(path, options);
  expect(sumsAgree(first)).toBe(true);
  const again = await world.importFile(path, options);
  expect(sumsAgree(again)).toBe(true);
  expect(again.total).toMatchObject({ inserted: 0, updated: 0, deleted: 0 });
  expect(again.total.read).toBe(first.total.read);
  expect(again.total.rejected).toBe(first.total.rejected);
  expect(again.relabelled).toEqual([]);
  return first;
}

const useWorld = () => {
  beforeAll(async () => {
    world = await openImportWorld();
  });
  afterAll(() => world.close());
};

describeWithData(
  'October 2013',
  (data) => {
    useWorld();
    const folder = join(data, 'crunchbase-2013oct-datahoarder');

    test(
      'companies: 17,727 read, each inserted, 14 of them repaired and named',
      async () => {
        const path = join(folder, 'crunchbase-companies.csv');
        const report = await twice(path, 'crunchbase-2013oct-companies');
        expect(counts(report)).toEqual({ startup: { read: 17_727, inserted: 17_727 } });
        expect(report.notes.filter(({ field }) => field !== 'terms')).toEqual([
          {
            type: 'startup',
            field: 'Name',
            kind: 'repaired',
            done: 'the value was destroyed',
            lines: 1,
          },
          {
            type: 'startup',
            field: 'Name',
            kind: 'normalised',
            done: 'encoding put right',
            lines: 5,
          },
          { type: 'startup', field: 'TotalRaised', kind: 'repaired', done: 'no money', lines: 10 },
          {
            type: 'startup',
            field: 'TotalRaised',
            kind: 'repaired',
            done: 'the value was destroyed',
            lines: 3,
          },
        ]);
        const repaired = await world.sideFile('crunchbase-companies.csv.repaired.ndjson');
        const rows = iconv
          .decode(await readFile(path), 'macroman')
          .split('\r')
          .map((row) => row.split(','));
        expect(repaired).toHaveLength(14);
        for (const { line, field, was } of repaired) {
          const cell = rows[Number(line)]?.[field === 'Name' ? 1 : 3];
          expect(cell?.slice(0, 99)).toBe(String(was).replace('…', '').slice(0, 99));
        }
        expect(
          await world.rows(
            `SELECT count(*)::int AS all, count(total_raised_reported)::int AS totals,
             count(founded)::int AS founded FROM venture.startup`,
          ),
        ).toEqual([{ all: 17_727, totals: 17_727 - 1505 - 13, founded: 17_727 - 4051 }]);
        expect(
          await world.rows(`SELECT name FROM venture.startup WHERE name IN ('n-plusn', '#waywire')
          OR source_key = '/company/agmi-systems' ORDER BY name COLLATE "C"`),
        ).toEqual([{ name: '#waywire' }, { name: 'agámi Systems' }, { name: 'n-plusn' }]);
      },
      minutes,
    );

    test(
      'rounds: 31,679 read, 63 duplicates recognised',
      async () => {
        const report = await twice(
          join(folder, 'crunchbase-rounds.csv'),
          'crunchbase-2013oct-rounds',
        );
        expect(counts(report)).toEqual({
          round: { read: 31_679, inserted: 31_616, duplicate: 63 },
        });
        expect(
          await world.rows(
            `SELECT count(*) FILTER (WHERE amount IS NULL)::int AS unknown,
             min(date)::text AS earliest FROM venture.funding_round`,
          ),
        ).toEqual([{ unknown: expect.any(Number), earliest: '1960-01-01' }]);
      },
      minutes,
    );

    test(
      'acquisitions: 4,651 read beside 1,534 blank rows',
      async () => {
        const path = join(folder, 'crunchbase-acquisitions.csv');
        const report = await twice(path, 'crunchbase-2013oct-acquisitions');
        expect(report.skipped).toEqual([{ because: 'the row is blank', rows: 1534 }]);
        expect(counts(report)).toEqual({
          startup: { read: 4651, inserted: 2894, unchanged: 1757 },
          news: { read: 4651, inserted: 4648, duplicate: 3 },
        });
      },
      minutes,
    );
  },
  ['crunchbase-2013oct-datahoarder/crunchbase-companies.csv'],
);

describeWithData(
  'YC history',
  (data) => {
    useWorld();
    const file = join(data, 'yc-history/yc_changes_dev.jsonl');

    test(
      'replayed snapshot by snapshot, what happens is what the file says happened',
      async () => {
        const snapshots = new Map<string, { lines: string[]; kinds: Record<string, number> }>();
        for await (const line of createInterface({ input: createReadStream(file) })) {
          const { snapshot, kind }: { snapshot: string; kind: string } = JSON.parse(line);
          const found = snapshots.get(snapshot) ?? { lines: [], kinds: {} };
          found.lines.push(line);
          found.kinds[kind] = (found.kinds[kind] ?? 0) + 1;
          snapshots.set(snapshot, found);
        }
        expect(snapshots.size).toBe(20);
        const alive = async () =>
          (
            await world.rows<{ n: number }>(
              'SELECT count(*)::int AS n FROM venture.startup WHERE deleted_at IS NULL',
            )
          )[0]?.n ?? 0;
        const part = join(world.folder, 'snapshot.jsonl');
        for (const [snapshot, { lines, kinds }] of snapshots) {
          const { added = 0, updated = 0, removed = 0 } = kinds;
          const before = await alive();
          await writeFile(part, lines.join('\n'));
          const report = await world.importFile(part, { mapping: mapping('yc-history') });
          const { total } = report;
          expect([snapshot, sumsAgree(report), total.read]).toEqual([snapshot, true, lines.length]);
          expect([snapshot, total.inserted, total.deleted]).toEqual([snapshot, added, removed]);
          expect([snapshot, total.updated + total.unchanged]).toEqual([snapshot, updated]);
          expect([snapshot, await alive()]).toEqual([snapshot, before + added - removed]);
        }
      },
      minutes,
    );

    test(
      'the whole file again is stale or unchanged, and writes nothing',
      async () => {
        const report = await world.importFile(file, { mapping: mapping('yc-history') });
        expect(counts(report)).toEqual({
          startup: { read: 29_659, unchanged: 4989, stale: 24_670 },
        });
      },
      minutes,
    );
  },
  ['yc-history/yc_changes_dev.jsonl'],
);

describeWithData(
  'other sets',
  (data) => {
    useWorld();
    const at = (path: string) => join(data, path);
    const types = async (type: RecordType | 'funding_round' | 'round_investor', where = 'true') =>
      (
        await world.rows<{ n: number }>(
          `SELECT count(*)::int AS n FROM venture.${type} WHERE ${where}`,
        )
      )[0]?.n;

    test(
      'VC firms and their investments',
      async () => {
        const firms = await twice(
          at('crunchbase-2013-vcfirms-hernamesbarbara/investors.csv'),
          'vcfirms-investors',
        );
        expect(counts(firms)).toEqual({ fund: { read: 103, inserted: 103 } });
        const investments = await twice(
          at('crunchbase-2013-vcfirms-hernamesbarbara/investments.csv'),
          'vcfirms-investments',
        );
        expect(counts(investments)).toEqual({
          startup: { read: 13_109, inserted: 5433, unchanged: 7676 },
          fund: { read: 13_109, unchanged: 13_109 },
          round: { read: 13_109, inserted: 8759, duplicate: 4350 },
          investor: { read: 13_109, inserted: 13_082, duplicate: 27 },
        });
        expect(
          await types('funding_round', `original_currency = 'EUR' AND amount > original_amount`),
        ).toBeGreaterThan(30);
      },
      minutes,
    );

    test(
      'the snapshot of 2013: companies, people, takeovers and public offerings',
      async () => {
        const companies = await twice(
          at('crunchbase-lando224/company_investments.csv'),
          'lando224-company-investments',
          true,
        );
        expect(counts(companies)).toEqual({
          startup: { read: 6183, inserted: 4827, duplicate: 1356 },
          fund: { read: 6151, inserted: 2591, unchanged: 3560 },
          holding: { read: 6206, inserted: 5693, duplicate: 436, rejected: 77 },
          round: { read: 6206, inserted: 5561, unchanged: 622, rejected: 23 },
          investor: { read: 6206, inserted: 6124, duplicate: 5, rejected: 77 },
        });
        const rejected = await world.sideFile('company_investments.csv.rejected.ndjson');
        for (const { original } of rejected) {
          expect(Object.values(original as object)).toContain('#N/A');
        }
        const people = await twice(
          at('crunchbase-lando224/people_investments.csv'),
          'lando224-people-investments',
          true,
        );
        expect(people.byType.get('person')).toMatchObject({ read: 13_184, inserted: 6795 });
        expect(await types('person', `name = 'Javier Pérez'`)).toBe(1);
        expect(await types('person', `name LIKE '%√%'`)).toBe(0);
        const takeovers = await twice(
          at('crunchbase-lando224/acquisitions.csv'),
          'lando224-acquisitions',
          true,
        );
        expect(takeovers.byType.get('news')).toMatchObject({
          read: 9562,
          inserted: 9545,
          rejected: 17,
        });
        const offerings = await twice(at('crunchbase-2013/ipos.csv'), 'crunchbase-2013-ipos', true);
        expect(offerings.skipped.reduce((sum, { rows }) => sum + rows, 0)).toBe(995);
        expect(offerings.byType.get('valuation')).toMatchObject({ read: 108 });
      },
      minutes,
    );

    test(
      'findavc: 6,088 rows; investors entered twice are one',
      async () => {
        const report = await twice(at('vc-investors-findavc2025/vcs.csv'), 'findavc-2025');
        expect(counts(report)).toEqual({
          fund: { read: 6088, inserted: 6076, updated: 7, duplicate: 5 },
        });
        expect(await types('fund', `source = 'findavc-2025' AND domain IS NULL`)).toBe(
          568 - 10 + 1,
        );
      },
      minutes,
    );

    test(
      'unicorns and rounds of 2007',
      async () => {
        const unicorns = await twice(at('unicorns-2022/Unicorn_Companies.csv'), 'unicorns-2022');
        expect(counts(unicorns)).toEqual({
          startup: { read: 1074, inserted: 1074 },
          fund: { read: 3052, inserted: 1254, unchanged: 1798 },
          holding: { read: 3052, inserted: 3050, duplicate: 2 },
          valuation: { read: 1074, inserted: 1074 },
        });
        expect(
          await world.rows(
            `SELECT v.amount FROM venture.post_valuation v
           JOIN venture.startup s ON s.id = v.startup_id
           WHERE s.name = 'Bytedance'`,
          ),
        ).toEqual([{ amount: '180000000000' }]);
        const rounds = await twice(
          at('techcrunch-continental-usa/TechCrunchcontinentalUSA.csv'),
          'techcrunch-continental-usa',
        );
        expect(counts(rounds)).toEqual({
          startup: { read: 1457, inserted: 908, unchanged: 549 },
          round: { read: 1457, inserted: 1454, duplicate: 3 },
        });
        expect(
          await world.rows(
            `SELECT r.date::text FROM venture.funding_round r
           JOIN venture.startup s ON s.id = startup_id
           WHERE s.source_key = 'lifelock' ORDER BY date`,
          ),
        ).toEqual([{ date: '2006-10-01' }, { date: '2007-05-01' }, { date: '2008-01-01' }]);
      },
      minutes,
    );
  },
  [
    'crunchbase-2013-vcfirms-hernamesbarbara/investors.csv',
    'crunchbase-lando224/acquisitions.csv',
    'vc-investors-findavc2025/vcs.csv',
    'unicorns-2022/Unicorn_Companies.csv',
  ],
);
