import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWithData } from '@vcds/test-kit';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { runImport } from '../../src/import/index.ts';
import { openApi, type TestApi } from '../support/api.ts';

const FOLDER = 'crunchbase-2013oct-datahoarder';
const COMPANIES = `${FOLDER}/crunchbase-companies.csv`;
const ROUNDS = `${FOLDER}/crunchbase-rounds.csv`;
const mappings = fileURLToPath(new URL('../../mappings/', import.meta.url));

interface Company {
  readonly name: string;
  readonly totalRaised: number | null;
}

/** What the files say, read here by other means than the importer's. */
async function readIndependently(folder: string): Promise<readonly Company[]> {
  const companies = await rowsOf(join(folder, COMPANIES));
  const rounds = await rowsOf(join(folder, ROUNDS));
  const raised = new Map<string, number>();
  const seen = new Set<string>();
  for (const round of rounds) {
    const { company_permalink = '', funded_at, funding_round_type, raised_amount_usd = '' } = round;
    const key = [company_permalink, funded_at, funding_round_type, raised_amount_usd].join('|');
    if (seen.has(key) || raised_amount_usd === '') continue;
    seen.add(key);
    raised.set(company_permalink, (raised.get(company_permalink) ?? 0) + Number(raised_amount_usd));
  }
  return companies
    .filter((row) => isSanFrancisco(row.city) && Number(row.founded_year) >= 2010)
    .map(({ permalink = '', name = '', funding_total_usd = '' }) => ({
      name,
      totalRaised: /^\d+$/.test(funding_total_usd)
        ? Number(funding_total_usd)
        : (raised.get(permalink) ?? null),
    }));
}

// Spellings that differ in case and spacing only are one city (decision 4).
function isSanFrancisco(city = ''): boolean {
  return city.replace(/\s+/g, '').toLowerCase() === 'sanfrancisco';
}

async function rowsOf(file: string): Promise<Record<string, string>[]> {
  const text = iconv.decode(await readFile(file), 'macroman');
  return parse(text, { columns: true, record_delimiter: '\r', relax_quotes: true });
}

describeWithData(
  'October 2013, imported and asked',
  (folder) => {
    let api: TestApi;
    let expected: readonly Company[];
    let rejectedFolder: string;
    beforeAll(async () => {
      api = await openApi({ seed: 'SELECT 1' });
      rejectedFolder = await mkdtemp(join(tmpdir(), 'october-'));
      const { connectionString } = api.sql.options;
      if (connectionString === undefined) throw new Error('the pool knows its database');
      for (const [file, mapping] of [
        [COMPANIES, 'crunchbase-2013oct-companies.json'],
        [ROUNDS, 'crunchbase-2013oct-rounds.json'],
      ] as const) {
        const files = [join(folder, file)];
        const options = { connectionString, files, mapping: join(mappings, mapping) };
        const report = await runImport({
          ...options,
          continueOnRejected: true,
          rejectedFolder,
        });
        expect(report.state).toBe('applied');
      }
      expected = await readIndependently(folder);
    }, 240_000);
    afterAll(async () => {
      await api.close();
      await rm(rejectedFolder, { recursive: true });
    });

    const $filter = "City eq 'San Francisco' and Founded ge 2010";

    test('the best funded young companies of San Francisco are those of the file', async () => {
      const answer = await api.list('/startups', {
        $filter,
        $orderby: 'TotalRaised desc',
        $top: '5',
        $select: 'Name,TotalRaised',
      });
      const best = expected
        .filter((company) => company.totalRaised !== null)
        .sort((a, b) => (b.totalRaised ?? 0) - (a.totalRaised ?? 0))
        .slice(0, 5);
      expect(answer).toEqual(
        best.map(({ name, totalRaised }) => ({ Name: name, TotalRaised: totalRaised })),
      );
    });

    test('all of them are found, with what they raised', async () => {
      const answer = await api.list('/startups', {
        $filter,
        $top: '5000',
        $select: 'Name,TotalRaised',
      });
      const text = (name: unknown, total: unknown) => `${String(name)}: ${String(total)}`;
      expect(answer.map((record) => text(record.Name, record.TotalRaised)).sort()).toEqual(
        expected.map(({ name, totalRaised }) => text(name, totalRaised)).sort(),
      );
    });
  },
  [COMPANIES, ROUNDS],
);
