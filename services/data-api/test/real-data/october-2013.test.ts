import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithData } from '@vcds/test-kit';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import {
  type ImportFixture,
  openImportFixture,
} from '../../../../packages/importer/test/support.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { countsOf, importRepeatedly, OCTOBER_2013 } from './support.ts';

const { companies: COMPANIES, rounds: ROUNDS, acquisitions: ACQUISITIONS } = OCTOBER_2013;

interface Company {
  readonly name: string;
  readonly totalRaised: number | null;
}

/** The content of the files, read without the importer. */
async function readIndependently(folder: string) {
  const companies = await rowsOf(join(folder, COMPANIES));
  const raised = new Map<string, number>();
  const seen = new Set<string>();
  let roundsWithoutAmount = 0;
  for (const round of await rowsOf(join(folder, ROUNDS))) {
    const { company_permalink = '', funded_at, funding_round_type, raised_amount_usd = '' } = round;
    const key = [company_permalink, funded_at, funding_round_type, raised_amount_usd].join('|');
    if (seen.has(key)) continue;
    seen.add(key);
    if (raised_amount_usd === '') roundsWithoutAmount += 1;
    else
      raised.set(
        company_permalink,
        (raised.get(company_permalink) ?? 0) + Number(raised_amount_usd),
      );
  }
  const youngOfSanFrancisco = companies
    .filter((row) => isSanFrancisco(row.city) && Number(row.founded_year) >= 2010)
    .map(
      ({ permalink = '', name = '', funding_total_usd = '' }): Company => ({
        name,
        totalRaised: /^\d+$/.test(funding_total_usd)
          ? Number(funding_total_usd)
          : (raised.get(permalink) ?? null),
      }),
    );
  return { youngOfSanFrancisco, roundsWithoutAmount };
}

// Spellings that differ in case and runs of blanks are one city.
function isSanFrancisco(city = ''): boolean {
  return city.replace(/\s+/g, ' ').toLowerCase() === 'san francisco';
}

async function rowsOf(file: string): Promise<Record<string, string>[]> {
  const text = iconv.decode(await readFile(file), 'macroman');
  return parse(text, { columns: true, record_delimiter: '\r', relax_quotes: true });
}

describeWithData(
  'October 2013',
  (data) => {
    let fixture: ImportFixture;
    let api: TestApi;
    let expected: Awaited<ReturnType<typeof readIndependently>>;
    beforeAll(async () => {
      fixture = await openImportFixture();
      api = await openApi({ url: fixture.url, seed: 'SELECT 1' });
      expected = await readIndependently(data);
    });
    afterAll(async () => {
      await api.close();
      await fixture.close();
    });

    test('companies: 17,727 read and inserted, 14 values repaired and listed', async () => {
      const path = join(data, COMPANIES);
      const report = await importRepeatedly(fixture, path, 'crunchbase-2013oct');
      expect(countsOf(report)).toEqual({ startup: { read: 17_727, inserted: 17_727 } });
      expect(report.notes.filter(({ kind }) => kind !== 'respelled')).toEqual([
        {
          type: 'startup',
          field: 'Name',
          kind: 'repaired',
          done: 'destroyed value removed',
          lines: 1,
        },
        {
          type: 'startup',
          field: 'Name',
          kind: 'normalised',
          done: 'encoding corrected',
          lines: 5,
        },
        { type: 'startup', field: 'TotalRaised', kind: 'repaired', done: 'no money', lines: 10 },
        {
          type: 'startup',
          field: 'TotalRaised',
          kind: 'repaired',
          done: 'destroyed value removed',
          lines: 3,
        },
      ]);
      const repaired = await fixture.sideFile('crunchbase-companies.csv.repaired.ndjson');
      const rows = iconv
        .decode(await readFile(path), 'macroman')
        .split('\r')
        .map((row) => row.split(','));
      const respelled = repaired.filter(({ lines }) => lines !== undefined);
      expect(respelled).toContainEqual({
        line: 2,
        lines: 17_727,
        type: 'startup',
        field: 'Addresses.Country',
        done: 'written as United States',
        was: 'USA',
      });
      const destroyed = repaired.filter(({ lines }) => lines === undefined);
      expect(destroyed).toHaveLength(14);
      for (const { line, field, was } of destroyed) {
        const cell = rows[Number(line) - 1]?.[field === 'Name' ? 1 : 3];
        expect(cell?.slice(0, 99)).toBe(String(was).replace('…', '').slice(0, 99));
      }
      expect(
        await fixture.rows(
          `SELECT count(*)::int AS all, count(total_raised_reported)::int AS totals,
             count(founded)::int AS founded FROM venture.startup`,
        ),
      ).toEqual([{ all: 17_727, totals: 17_727 - 1505 - 13, founded: 17_727 - 4051 }]);
      expect(
        await fixture.rows(`SELECT name FROM venture.startup WHERE name IN ('n-plusn', '#waywire')
          OR source_key = '/company/agmi-systems' ORDER BY name COLLATE "C"`),
      ).toEqual([{ name: '#waywire' }, { name: 'agámi Systems' }, { name: 'n-plusn' }]);
    });

    test('rounds: 31,679 read, 63 duplicates detected', async () => {
      const report = await importRepeatedly(fixture, join(data, ROUNDS), 'crunchbase-2013oct');
      expect(countsOf(report)).toEqual({
        round: { read: 31_679, inserted: 31_616, duplicate: 63 },
      });
      expect(
        await fixture.rows(
          `SELECT count(*) FILTER (WHERE amount IS NULL)::int AS unknown,
             min(date)::text AS earliest FROM venture.funding_round`,
        ),
      ).toEqual([{ unknown: expected.roundsWithoutAmount, earliest: '1960-01-01' }]);
    });

    const $filter = "City eq 'San Francisco' and Founded ge 2010";

    test('the best funded young companies of San Francisco are those of the file', async () => {
      const answer = await api.list('/startups', {
        $filter,
        $orderby: 'TotalRaised desc',
        $top: '5',
        $select: 'Name,TotalRaised',
      });
      const best = expected.youngOfSanFrancisco
        .filter((company) => company.totalRaised !== null)
        .sort((a, b) => (b.totalRaised ?? 0) - (a.totalRaised ?? 0))
        .slice(0, 5);
      expect(answer).toEqual(
        best.map(({ name, totalRaised }) => ({ Name: name, TotalRaised: totalRaised })),
      );
    });

    test('all of them are found, with the total that they raised', async () => {
      const answer = await api.list('/startups', {
        $filter,
        $top: '5000',
        $select: 'Name,TotalRaised',
      });
      const text = (name: unknown, total: unknown) => `${String(name)}: ${String(total)}`;
      expect(answer.map((record) => text(record.Name, record.TotalRaised)).sort()).toEqual(
        expected.youngOfSanFrancisco.map(({ name, totalRaised }) => text(name, totalRaised)).sort(),
      );
    });

    test('acquisitions: 4,651 read beside 1,534 blank rows', async () => {
      const path = join(data, ACQUISITIONS);
      const report = await importRepeatedly(fixture, path, 'crunchbase-2013oct');
      expect(report.skipped).toEqual([{ because: 'the row is blank', rows: 1534 }]);
      expect(countsOf(report)).toEqual({
        startup: { read: 4651, inserted: 2894, unchanged: 1757 },
        news: { read: 4651, inserted: 4648, duplicate: 3 },
      });
    });
  },
  [COMPANIES, ROUNDS, ACQUISITIONS],
);
