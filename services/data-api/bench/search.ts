/**
 * Measures the recall of the search for names and sites that a program has changed, compared with
 * plain trigram similarity; its scores for absent names; and its latency.
 *
 * Run with `npm run bench -- search`; needs the real data (`VCDS_DATA_DIR`). Options:
 * `--per-change=N` queries of each kind (1000), `--names=N` generated startups for the times
 * (0: none), `--half=tune|report`, `--only=funds,companies,trigrams,sites,confidence,times`.
 * `TEST_DATABASE_URL` names a PostgreSQL server to use instead of the embedded one.
 */
import { benchOptions, openTestServers, say } from '@vcds/test-kit/bench';
import pg from 'pg';
import type { CompanyType } from '../src/search/search-request.ts';
import { insertCompanies, READ_OPTIONS, searchDatabase } from './search/bench-database.ts';
import { dataFolder, type NamedSite, readCompanies, readFunds } from './search/data-sets.ts';
import { serviceFinder, trigramFinder } from './search/finders.ts';
import { generatedNames } from './search/generated-names.ts';
import { measureConfidence } from './search/held-out.ts';
import { measureLatency } from './search/latency.ts';
import { changedNames, type Half, placesOf } from './search/recall.ts';
import { confidenceTable, latencyTable, nameTable, siteTable } from './search/report.ts';
import { changedSites } from './search/site-recall.ts';

const CONNECTIONS = 4;
const options = benchOptions({
  'per-change': 1_000,
  names: 0,
  half: 'report',
  only: 'funds,companies,trigrams,sites,confidence,times',
});
const { 'per-change': perChange, names: generated } = options;
const half: Half = options.half === 'tune' ? 'tune' : 'report';
const wanted = new Set(options.only.split(','));
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
  if (wanted.has('funds')) await reportNames('Funds', 'fund', funds);
  if (wanted.has('companies')) await reportNames('Companies of October 2013', 'startup', companies);
  if (wanted.has('sites')) await reportSites();
  if (wanted.has('confidence')) await reportConfidence();
  if (wanted.has('times')) await reportTimes('6,088 funds and 17,727 startups', companies);
  if (generated > 0) {
    const samples = companies.map(({ name }) => name);
    const names = [...generatedNames(samples, generated)].map((name) => ({ name, website: null }));
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
    beside.length > 0 || !wanted.has('trigrams')
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
  const rows = await measureLatency(database, ['startup', 'fund'], names, Math.ceil(perChange / 5));
  print(`Times: ${title}`, latencyTable(rows));
}

function print(title: string, table: string): void {
  say(`\n### ${title}\n\n${table}`);
}
