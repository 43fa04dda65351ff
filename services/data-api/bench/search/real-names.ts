import { openTestServers, say } from '@vcds/test-kit/bench';
import pg from 'pg';
import type { CompanyType } from '../../src/search/search-request.ts';
import { insertCompanies, READ_OPTIONS, searchDatabase } from './bench-database.ts';
import { dataFolder, type NamedSite, readCompanies, readFunds } from './data-sets.ts';
import { serviceFinder, trigramFinder } from './finders.ts';
import { generatedNames } from './generated-names.ts';
import { measureConfidence } from './held-out.ts';
import { measureLatency } from './latency.ts';
import { changedNames, type Half, placesOf } from './recall.ts';
import { confidenceTable, latencyTable, nameTable, siteTable } from './report.ts';
import { changedSites } from './site-recall.ts';

const CONNECTIONS = 4;

/** The parts and sizes of a run. */
export interface RealNamesOptions {
  /** Queries of each kind of change. */
  readonly perChange: number;
  /** Generated startups beside the real ones, for the times. */
  readonly generated: number;
  readonly half: Half;
  /** Some of: funds, companies, trigrams, sites, confidence, times. */
  readonly parts: ReadonlySet<string>;
}

/** Searches the real names for changed ones and prints tables of recall, scores and times. */
export async function measureRealNames(options: RealNamesOptions): Promise<void> {
  const { perChange, generated, half, parts } = options;
  const funds = readFunds(dataFolder());
  const companies = readCompanies(dataFolder());
  const servers = await openTestServers();
  const pool = new pg.Pool({
    connectionString: await servers.createDatabase({ migrated: true }),
    max: CONNECTIONS,
    options: READ_OPTIONS,
  });
  const database = searchDatabase(pool);
  try {
    await insertCompanies(pool, 'fund', funds);
    await insertCompanies(pool, 'startup', companies);
    if (parts.has('funds')) await reportNames('Funds', 'fund', funds);
    if (parts.has('companies')) {
      await reportNames('Companies of October 2013', 'startup', companies);
    }
    if (parts.has('sites')) await reportSites();
    if (parts.has('confidence')) await reportConfidence();
    if (parts.has('times')) await reportTimes('6,088 funds and 17,727 startups', companies);
    if (generated > 0) {
      const samples = companies.map(({ name }) => name);
      const names = [...generatedNames(samples, generated)].map((name) => ({
        name,
        website: null,
      }));
      await insertCompanies(pool, 'startup', names);
      await reportTimes(`${generated} generated startups more`, names);
      await reportNames('Companies among generated ones', 'startup', companies, names);
    }
  } finally {
    await pool.end();
    await servers.close();
  }

  async function reportNames(
    title: string,
    type: CompanyType,
    records: readonly NamedSite[],
    others: readonly NamedSite[] = [],
  ): Promise<void> {
    const names = records.map(({ name }) => name);
    const beside = others.map(({ name }) => name);
    const queries = changedNames(names, half, perChange, beside);
    const ours = await placesOf(queries, serviceFinder(database, [type], 'q'));
    const trigrams =
      beside.length > 0 || !parts.has('trigrams')
        ? []
        : await placesOf(queries, trigramFinder(pool, type, 'name_folded'));
    print(`${title}, names`, nameTable(queries, { ours, trigrams }));
  }

  async function reportSites(): Promise<void> {
    const queries = changedSites(funds, half, perChange);
    const ours = await placesOf(queries, serviceFinder(database, ['fund'], 'website'));
    const trigrams = await placesOf(queries, trigramFinder(pool, 'fund', 'domain'));
    print('Funds, sites', siteTable(queries, { ours, trigrams }));
  }

  async function reportConfidence(): Promise<void> {
    const names = funds.map(({ name }) => name);
    const confidence = await measureConfidence(pool, database, names, perChange);
    print(
      `Names that are not there: ${confidence.absentMatches.toFixed(2)} matches on average`,
      confidenceTable(confidence),
    );
  }

  async function reportTimes(title: string, records: readonly NamedSite[]): Promise<void> {
    const names = records.map(({ name }) => name);
    const rows = await measureLatency(
      database,
      ['startup', 'fund'],
      names,
      Math.ceil(perChange / 5),
    );
    print(`Times: ${title}`, latencyTable(rows));
  }
}

function print(title: string, table: string): void {
  say(`\n### ${title}\n\n${table}`);
}
