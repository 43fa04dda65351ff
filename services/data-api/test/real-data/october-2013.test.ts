import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { atLength, describeWithData } from '@vcds/test-kit';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import {
  type ImportFixture,
  openImportFixture,
} from '../../../../packages/importer/test/support.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { countsOf, importRepeatedly, OCTOBER_2013, partOf } from './support.ts';

const { companies: COMPANIES, rounds: ROUNDS, acquisitions: ACQUISITIONS } = OCTOBER_2013;

const isWhole = atLength(0, 1) === 1;
/** Rows of companies that are read; those with values to repair are among them. */
const COMPANY_ROWS = [
  [0, 1000],
  [7400, 9200],
  [10_800, 11_200],
  [15_100, 15_200],
  [16_700, 16_800],
] as const;
/** Acquisitions with all that are listed twice, and blank rows. */
const ACQUISITION_ROWS = [
  [2600, 3600],
  [4600, 4700],
] as const;

const isRead = (index: number, ranges: readonly (readonly [number, number])[]) =>
  isWhole || ranges.some(([from, to]) => from <= index && index < to);

interface Company {
  readonly name: string;
  readonly totalRaised: number | null;
}

/** The content of the files, read without the importer. */
async function readIndependently(companiesFile: string, roundsFile: string) {
  const companies = await rowsOf(companiesFile);
  const raised = new Map<string, number>();
  const seen = new Set<string>();
  let roundsWithoutAmount = 0;
  const rounds = await rowsOf(roundsFile);
  for (const round of rounds) {
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
  return {
    youngOfSanFrancisco,
    companies: companies.length,
    totals: companies.filter((row) => /^\d+$/.test(row.funding_total_usd ?? '')).length,
    founded: companies.filter((row) => row.founded_year !== '').length,
    rounds: rounds.length,
    uniqueRounds: seen.size,
    roundsWithoutAmount,
    earliestRound: rounds.map((row) => row.funded_at ?? '').sort()[0],
  };
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
    let companiesFile: string;
    let roundsFile: string;
    beforeAll(async () => {
      fixture = await openImportFixture();
      api = await openApi({ url: fixture.url, seed: 'SELECT 1' });
      const keys = new Set<string>();
      companiesFile = await partOf(join(data, COMPANIES), fixture.folder, (key, index) => {
        if (isRead(index, COMPANY_ROWS)) keys.add(key);
        return keys.has(key);
      });
      roundsFile = await partOf(join(data, ROUNDS), fixture.folder, (key) => keys.has(key));
      expected = await readIndependently(companiesFile, roundsFile);
    });
    afterAll(async () => {
      await api.close();
      await fixture.close();
    });

    test('companies: all are read and inserted, 14 values repaired and listed', async () => {
      const { companies, totals, founded } = expected;
      expect(companies).toBe(isWhole ? 17_727 : 3400);
      const report = await importRepeatedly(fixture, companiesFile, 'crunchbase-2013oct');
      expect(countsOf(report)).toEqual({ startup: { read: companies, inserted: companies } });
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
        .decode(await readFile(companiesFile), 'macroman')
        .split('\r')
        .map((row) => row.split(','));
      const respelled = repaired.filter(({ lines }) => lines !== undefined);
      expect(respelled).toContainEqual({
        line: 2,
        lines: companies,
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
      ).toEqual([{ all: companies, totals, founded }]);
      expect(
        await fixture.rows(`SELECT name FROM venture.startup WHERE name IN ('n-plusn', '#waywire')
          OR source_key = '/company/agmi-systems' ORDER BY name COLLATE "C"`),
      ).toEqual([{ name: '#waywire' }, { name: 'agámi Systems' }, { name: 'n-plusn' }]);
    });

    test('rounds: all are read, duplicates detected', async () => {
      const { rounds: read, uniqueRounds: inserted, earliestRound: earliest } = expected;
      expect([read, inserted]).toEqual(isWhole ? [31_679, 31_616] : [6258, 6247]);
      const report = await importRepeatedly(fixture, roundsFile, 'crunchbase-2013oct');
      expect(countsOf(report)).toEqual({ round: { read, inserted, duplicate: read - inserted } });
      expect(
        await fixture.rows(
          `SELECT count(*) FILTER (WHERE amount IS NULL)::int AS unknown,
             min(date)::text AS earliest FROM venture.funding_round`,
        ),
      ).toEqual([{ unknown: expected.roundsWithoutAmount, earliest }]);
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

    test('acquisitions: all are read beside blank rows', async () => {
      const path = join(data, ACQUISITIONS);
      const part = await partOf(path, fixture.folder, (_, index) =>
        isRead(index, ACQUISITION_ROWS),
      );
      const report = await importRepeatedly(fixture, part, 'crunchbase-2013oct');
      const blank = isWhole ? 1534 : 49;
      expect(report.skipped).toEqual([{ because: 'the row is blank', rows: blank }]);
      expect(countsOf(report)).toEqual(
        isWhole
          ? {
              startup: { read: 4651, inserted: 2894, unchanged: 1757 },
              news: { read: 4651, inserted: 4648, duplicate: 3 },
            }
          : {
              startup: { read: 1051, inserted: 983, unchanged: 68 },
              news: { read: 1051, inserted: 1048, duplicate: 3 },
            },
      );
    });
  },
  [COMPANIES, ROUNDS, ACQUISITIONS],
);
