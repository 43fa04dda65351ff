// Tests docs/spec/collections.md 6.4.
import { expect, jest, test } from '@jest/globals';
import { atLength, closedAfterAll, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { type CountOutcome, type RecordCounter, readCount } from '../../src/collections/count.ts';
import type { CountPlan } from '../../src/collections/plan.ts';
import { openApi, type Query } from '../support/api.ts';
import { applyAll, indexerOf } from './support/category-api.ts';
import { openCategorySetup } from './support/category-setup.ts';
import { CONDITIONS, combinations, countPlanOf } from './support/count-filters.ts';
import { countingEngine } from './support/engines.ts';

// A test makes up to a thousand calls, also on a slow machine.
jest.setTimeout(600_000);
const setup = await closedAfterAll(openCategorySetup());
const { sql, url } = setup.api;
const indexer = await closedAfterAll(indexerOf(url));
const engine = await countingEngine(url);
let outcome: CountOutcome | undefined;
const records: RecordCounter = {
  countRecords: (query) => engine.countRecords(query),
  counted: (how) => {
    outcome = how;
  },
};
const api = await closedAfterAll(openApi({ url, seed: 'SELECT 1', records }));
await closedAfterAll(Promise.resolve(engine));

const filter = ($filter: string): Query => ({ $filter });
const FUND = 'f0000000-0000-0000-0000-000000000001';

/** Conditions on the dimensions and other columns of the index. */
const OWN: readonly (readonly [string, Query?])[] = [
  ['/startups'],
  ['/funds'],
  ['/startups/fundingrounds'],
  ['/startups', filter("Country eq 'France'")],
  ['/startups', filter("Country ne 'France'")],
  ['/startups', filter("Tag in ('Robots')")],
  ['/startups', filter("Tag notin ('Absent')")],
  ['/startups', filter('Founded in (2010,2012,2012)')],
  ['/startups', filter('Founded ne 2010')],
  ['/startups', filter("LastFundingStage notin ('Series A','Seed')")],
  ['/startups', filter("MembersCountBucket eq '1–10'")],
  ['/startups', filter("Status eq 'Exited'")],
  ['/funds', filter("InvestmentType eq 'Studio'")],
  ['/startups/fundingrounds', filter("Stage eq 'Series A'")],
  ['/categories/industry/Robots/startups'],
  ['/categories/team_size/1-10/startups'],
  ['/startups', filter("not Country eq 'France'")],
  ['/startups', filter('Founded eq null')],
  ['/startups', filter('Founded gt 2010')],
  ['/startups', filter('not Founded le 2010')],
  ['/startups', filter('TotalRaised ge 1000000')],
  ['/startups', filter('TotalRaised gt 1000000')],
  ['/startups', filter('TotalRaised ge -5')],
  ['/startups', filter('TotalRaised le 9876543')],
  ['/startups', filter('TotalRaised eq 1234567')],
  ['/startups', filter('LatestPostValuation ne null')],
  ['/startups', filter('LastFundingDate ge 2012-01-01')],
  ['/startups', filter('MembersCount in (5,700)')],
  ['/startups', filter('RoundsCount lt 2')],
  ['/startups/fundingrounds', filter('Date gt 2011-01-01')],
  ['/startups/fundingrounds', filter('Confirmed eq true')],
  ['/startups/fundingrounds', filter('Confirmed ne true')],
  ['/startups', filter("Location eq 'New York'")],
  ['/funds', filter("Location notin ('Absent')")],
  ['/startups', filter("PrimarySource ne 'Media'")],
];
const REACHED: typeof OWN = [
  ['/categories/country/USA/rounds'],
  ['/categories/founded_year/2010,2012/rounds'],
  ['/categories/investor_type/VentureFund/startups'],
  ['/categories/stage/series-a/funds'],
];
const COMBINED: typeof OWN = [
  ['/startups', filter("Tag in ('Robots','Fintech')")],
  ['/startups', filter("Country eq 'France' and Tag eq 'Robots'")],
  ['/startups', filter('Country eq null or Founded in (1999,2012)')],
  ['/startups', filter("Tag notin ('Robots','New') and not (Founded ge 2011 or City eq null)")],
  ['/startups', filter("Status ne 'Exited' and MembersCountBucket notin ('1–10')")],
  ['/startups/fundingrounds', filter("Stage eq 'Series A' and Year lt 2012")],
  ['/startups', filter('TotalRaised ge 1230000 and not TotalRaised gt 4440000')],
  ['/startups', filter("Country eq 'France' and TotalRaised lt 1230000 or MembersCount gt 5")],
  ['/startups/fundingrounds', filter("Series ne 'seed' and Amount gt 1230000 and Date ne null")],
  ['/startups/fundingrounds', filter('Confirmed eq true and Amount ge 1000000')],
  ['/startups', filter("PrimarySource eq 'Media' and (Founded ne null or Location eq null)")],
  ['/categories/industry/Robots/startups', { country: 'France' }],
  ['/categories/investor_type/VentureFund,Studio/startups'],
  ['/categories/round_stage/seed/startups', { round_year: '2011', confirmed: 'confirmed' }],
  ['/categories/round_stage/series-a/startups', { round_stage: 'seed', country: 'France' }],
  ['/categories/exit_status/held/funds', { stage: 'series-a', next_stage: 'series-b' }],
  ['/categories/confirmed/unconfirmed/rounds', { investor_type: 'VentureFund', country: 'France' }],
];
/** The index does not have these. */
const READ: typeof OWN = [
  ['/startups', filter("Location like 'new%'")],
  ['/startups', filter("Domain eq 'six.example'")],
  ['/startups', filter('CreatedTimeStamp ge 2015-05-05T10:20:30.124Z and Founded ne 1800')],
  ['/startups', filter("Country eq 'France' and Name ne 'One'")],
  [`/funds/${FUND}/portfolio`],
];
const INDEXED = [...OWN, ...REACHED, ...COMBINED];
const ALL = [...INDEXED, ...READ];

/** Each few are one step. */
const STATEMENTS = [
  `UPDATE venture.startup SET tags = '{Fintech}' WHERE name IN ('Three', 'Five')`,
  `UPDATE venture.startup SET addresses = '[{"Country": "France", "City": "France"}]' WHERE name IN ('Four', 'One')`,
  `UPDATE venture.startup SET founded = 2012 WHERE name = 'Six'`,
  'UPDATE venture.funding_round SET amount = 1234567',
  `UPDATE venture.funding_round SET amount = 2222222, date = '2012-02-02' WHERE series = 'Series A'`,
  `UPDATE venture.startup SET members_count = 12 WHERE name IN ('One', 'Five')`,
  `INSERT INTO venture.post_valuation (startup_id, date, amount)
    SELECT id, '2013-01-01', 77777777 FROM venture.startup WHERE name = 'Three'`,
  `UPDATE venture.fund SET investment_types = '{Studio}' WHERE name = 'Alpha'`,
  `UPDATE venture.funding_round SET confirmed = NOT confirmed WHERE series <> 'seed'`,
  'UPDATE venture.funding_round SET confirmed = false',
  `UPDATE venture.funding_round SET stage = 3, series = 'seed' WHERE series = 'Series A'`,
  `UPDATE venture.startup SET deleted_at = now() WHERE name = 'Three'`,
  `INSERT INTO venture.startup (name, tags, founded) VALUES ('New', '{Robots,New}', 2010)`,
  `UPDATE venture.holding SET status = 'Exited'`,
  `UPDATE venture.startup SET website = 'https://six.example', domain = 'six.example',
    primary_source = 'Media' WHERE name IN ('Six', 'One')`,
  `UPDATE venture.startup SET website = NULL, primary_source = 'Organic' WHERE name = 'One'`,
  `UPDATE venture.startup SET deleted_at = NULL WHERE name IN ('Three', 'Gone')`,
  `UPDATE venture.fund SET investment_types = '{VentureFund}' WHERE name = 'Alpha'`,
];

const STEP = atLength(6, 2);
const CHANGES = STATEMENTS.flatMap((_, n) =>
  n % STEP === 0 ? [STATEMENTS.slice(n, n + STEP).join('; ')] : [],
);

async function countOf(path: string, query: Query = {}): Promise<number> {
  const { status, body, text } = await api.get(path, { ...query, $count: 'true' });
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return (body as { count: number }).count;
}

test('$count is the number of records, in memory wherever the index has all that is compared', async () => {
  for (const change of ['SELECT 1', ...CHANGES]) {
    await sql.query(change);
    await applyAll(indexer);
    await engine.caughtUp();
    for (const [path, query] of ALL) {
      const listed = await setup.api.list(path, { ...query, $top: '50' });
      expect([path, query, await countOf(path, query)]).toEqual([path, query, listed.length]);
      const isRead = READ.some(([other, filtered]) => other === path && filtered === query);
      expect([path, query, outcome]).toEqual([path, query, isRead ? 'not_indexed' : 'in_memory']);
      expect(await setup.countOf(path, query)).toBe(listed.length);
    }
  }
});

test('of any condition that the index has, it is what the database counts', async () => {
  const { database } = api;
  await applyAll(indexer);
  await engine.caughtUp();
  const isEqual = async (plan: CountPlan) => {
    const { body: expected } = await readCount(plan, { database, categories: {} });
    const { body } = await readCount(plan, { database, categories: { records } });
    expect([plan.filter, body, outcome]).toEqual([plan.filter, expected, 'in_memory']);
  };
  for (const { resource, conditions } of CONDITIONS) {
    expect(conditions.length).toBeGreaterThan(20);
    for (const text of conditions) await isEqual(countPlanOf(resource, text));
  }
  await fc.assert(fc.asyncProperty(combinations, isEqual), runs(15, 800));
});
