import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import type { Query } from '../support/api.ts';
import { applyAll, indexerOf } from './support/category-api.ts';
import { openCategorySetup } from './support/category-setup.ts';

const setup = await closedAfterAll(openCategorySetup());
const { sql, url } = setup.api;
const oneByOne = await closedAfterAll(indexerOf(url, 1));

const filter = ($filter: string): Query => ({ $filter });
const FUND = 'f0000000-0000-0000-0000-000000000001';

/** Counts that come from the stored ones, by the dimension's records. */
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
];
const REACHED: typeof OWN = [
  ['/categories/country/USA/rounds'],
  ['/categories/founded_year/2010,2012/rounds'],
  ['/categories/investor_type/VentureFund/startups'],
  ['/categories/stage/series-a/funds'],
];
const COUNTED: typeof OWN = [
  ['/startups', filter("Tag in ('Robots','Fintech')")],
  ['/startups', filter("Country eq 'France' and Tag eq 'Robots'")],
  ['/startups', filter('Founded eq null')],
  ['/startups', filter('Founded gt 2010')],
  ['/startups', filter("Location eq 'New York'")],
  ['/startups', filter("not Country eq 'France'")],
  ['/categories/industry/Robots/startups', { country: 'France' }],
  ['/categories/investor_type/VentureFund,Studio/startups'],
  [`/funds/${FUND}/portfolio`],
];
const ALL = [...OWN, ...REACHED, ...COUNTED];

const countsOf = (of: typeof OWN) =>
  Promise.all(of.map(([path, query]) => setup.countOf(path, query)));
const listed = () =>
  Promise.all(
    ALL.map(async ([path, query]) => (await setup.api.list(path, { ...query, $top: '50' })).length),
  );

describe('$count', () => {
  const CHANGES = [
    `UPDATE venture.startup SET tags = '{Fintech}' WHERE name IN ('Three', 'Five')`,
    `UPDATE venture.startup SET addresses = '[{"Country": "France"}]' WHERE name IN ('Four', 'One')`,
    `UPDATE venture.startup SET founded = 2012 WHERE name = 'Six'`,
    `UPDATE venture.fund SET investment_types = '{Studio}' WHERE name = 'Alpha'`,
    `UPDATE venture.funding_round SET stage = 3, series = 'seed' WHERE series = 'Series A'`,
    `UPDATE venture.startup SET deleted_at = now() WHERE name = 'Three'`,
    `INSERT INTO venture.startup (name, tags, founded) VALUES ('New', '{Robots,New}', 2010)`,
    `UPDATE venture.holding SET status = 'Exited'`,
    `UPDATE venture.startup SET deleted_at = NULL WHERE name IN ('Three', 'Gone')`,
    `UPDATE venture.fund SET investment_types = '{VentureFund}' WHERE name = 'Alpha'`,
  ];

  test('equals the number of records, whatever part of the changes is indexed', async () => {
    for (const [n, change] of ['SELECT 1', ...CHANGES].entries()) {
      await sql.query(change);
      const expected = await listed();
      expect(await countsOf(ALL)).toEqual(expected);
      await (n % 2 === 0 ? oneByOne.applyOnce() : applyAll(oneByOne));
      expect(await countsOf(ALL)).toEqual(expected);
    }
  });

  test('of one condition on a dimension, or of none, is read from the stored counts', async () => {
    await applyAll(oneByOne);
    const before = await countsOf(ALL);
    // Only readers of stored counts see it: 1,000 per value, and 1,000,000 in all.
    await sql.query(`UPDATE venture.facet_count
      SET count = count + CASE code WHEN 0 THEN 1000000 ELSE 1000 END`);
    const changes = async () => (await countsOf(ALL)).map((count, i) => count - (before[i] ?? 0));
    const fromCounts = [...OWN, ...REACHED].length;
    const indexed = await changes();
    expect(indexed.slice(0, fromCounts).every((by) => by >= 1_000)).toBe(true);
    expect(indexed.slice(fromCounts)).toEqual(COUNTED.map(() => 0));
    // A change in the log corrects counts of the same record; of related ones, it does not.
    await sql.query(`UPDATE venture.fund SET name = 'Alpha', founded = 2002 WHERE id = '${FUND}'`);
    const logged = await changes();
    expect(logged.slice(0, OWN.length)).toEqual(indexed.slice(0, OWN.length));
    expect(logged.slice(OWN.length)).toEqual([...REACHED, ...COUNTED].map(() => 0));
  });
});
