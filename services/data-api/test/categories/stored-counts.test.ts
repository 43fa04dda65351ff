import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { atLength, closedAfterAll, eventually, runs } from '@vcds/test-kit';
import { INSTANTS, instantOfParts, instantParts } from '@vcds/venture-model';
import fc from 'fast-check';
import type { LoadedFacetEngine, RecordQuery } from '../../src/categories/facet-schema.ts';
import type { CountPlan } from '../../src/collections/plan.ts';
import {
  type CountOutcome,
  type RecordCounter,
  readCount,
} from '../../src/collections/read-count.ts';
import type { RecordFinder } from '../../src/collections/read-in-memory.ts';
import { openApi, type Query, type TestApi } from '../support/api.ts';
import { applyAll, indexerOf } from './support/category-api.ts';
import { openCategorySetup } from './support/category-setup.ts';
import { CONDITIONS, combinations, countPlanOf } from './support/count-filters.ts';
import { columnarEngine } from './support/engines.ts';
import { openFacetProcess, remoteEngine } from './support/facet-process.ts';

// A test makes up to a thousand calls, also on a slow machine.
jest.setTimeout(600_000);
const setup = await closedAfterAll(openCategorySetup());
const { sql, url } = setup.api;
const oneByOne = await closedAfterAll(indexerOf(url, 1));
const inBatches = await closedAfterAll(indexerOf(url));

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
  ['/startups', filter("not Country eq 'France'")],
  ['/startups', filter('Founded eq null')],
  ['/startups', filter('Founded gt 2010')],
  ['/startups', filter('not Founded le 2010')],
  ['/startups', filter('TotalRaised ge 1000000')],
  ['/startups', filter('TotalRaised gt 1000000')],
  ['/startups', filter('TotalRaised le 9876543')],
  ['/startups', filter('TotalRaised ge -5')],
  ['/startups', filter('LatestPostValuation ne null')],
  ['/startups', filter('LastFundingDate ge 2012-01-01')],
  ['/startups', filter('MembersCount in (5,700)')],
  ['/startups', filter('RoundsCount lt 2')],
  ['/startups/fundingrounds', filter('Amount lt 9876543')],
  ['/startups/fundingrounds', filter('Date gt 2011-01-01')],
  ['/startups/fundingrounds', filter('Confirmed eq true')],
  ['/startups/fundingrounds', filter('Confirmed ne true')],
  ['/startups/fundingrounds', filter("Series like 's%'")],
  ['/startups', filter("Location eq 'New York'")],
  ['/funds', filter("Location notin ('Absent')")],
  ['/startups', filter("Location like 'new%'")],
  ['/startups', filter("PrimarySource ne 'Media'")],
  ['/startups', filter('CreatedTimeStamp ne null')],
];
const REACHED: typeof OWN = [
  ['/categories/country/USA/rounds'],
  ['/categories/founded_year/2010,2012/rounds'],
  ['/categories/investor_type/VentureFund/startups'],
  ['/categories/stage/series-a/funds'],
];
/** Conditions on dimensions that no stored count has. */
const COMBINED: typeof OWN = [
  ['/startups', filter("Tag in ('Robots','Fintech')")],
  ['/startups', filter("Country eq 'France' and Tag eq 'Robots'")],
  ['/startups', filter("Tag like '%o%' and not (Country like 'fr%')")],
  ['/startups', filter("Tag like '%o%'")],
  ['/startups', filter('Country eq null or Founded in (1999,2012)')],
  ['/startups', filter("Tag notin ('Robots','New') and not (Founded ge 2011 or City eq null)")],
  ['/startups', filter("Status ne 'Exited' and MembersCountBucket notin ('1–10')")],
  ['/startups/fundingrounds', filter("Stage eq 'Series A' and Year lt 2012")],
  ['/startups', filter('TotalRaised ge 1234567 and not TotalRaised gt 4444444')],
  ['/startups', filter('CreatedTimeStamp ge 2015-05-05T10:20:30.124Z and Founded ne 1800')],
  ['/funds', filter('CreatedTimeStamp lt 2015-05-05T10:20:30.1231Z or Founded eq 2001')],
  ['/startups/fundingrounds', filter('not (UpdatedTimeStamp le 2015-05-05) and Stage ne null')],
  ['/startups', filter("Country eq 'France' and TotalRaised lt 1234568 or MembersCount gt 5")],
  ['/startups/fundingrounds', filter("Series ne 'seed' and Amount ge 1234567 and Date ne null")],
  ['/startups/fundingrounds', filter('Confirmed eq true and Amount ge 1234567')],
  ['/startups', filter("PrimarySource eq 'Media' and (Founded ne null or Location eq null)")],
  ['/funds', filter("Location like 'n%' and not (Founded eq null)")],
  ['/categories/industry/Robots/startups', { country: 'France' }],
  ['/categories/investor_type/VentureFund,Studio/startups'],
];
const COUNTED: typeof OWN = [
  ...COMBINED,
  ['/startups', filter("Domain eq 'six.example'")],
  ['/startups', filter('TotalRaised eq 1234567')],
  ['/startups', filter('not (CreatedTimeStamp ne null)')],
  ['/startups', filter('not (UpdatedTimeStamp ne 2015-05-05T10:20:30.1231Z)')],
  ['/startups', filter("Country eq 'France' and Name ne 'One'")],
  [`/funds/${FUND}/portfolio`],
];
const ALL = [...OWN, ...REACHED, ...COUNTED];

/** Fewer at a time than an account has slots, so that no call waits for one. */
const AT_ONCE = 3;

async function readAll<T>(calls: typeof OWN, read: (call: (typeof OWN)[number]) => Promise<T>) {
  const results: T[] = [];
  for (let i = 0; i < calls.length; i += AT_ONCE)
    results.push(...(await Promise.all(calls.slice(i, i + AT_ONCE).map(read))));
  return results;
}

const countsOf = (of: typeof OWN) => readAll(of, ([path, query]) => setup.countOf(path, query));
const listed = () =>
  readAll(ALL, async ([path, query]) => {
    const records = await setup.api.list(path, { ...query, $top: '50' });
    return records.length;
  });

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

describe('$count', () => {
  test('equals the number of records, whatever part of the changes is indexed', async () => {
    for (const [n, change] of ['SELECT 1', ...CHANGES].entries()) {
      await sql.query(change);
      const expected = await listed();
      expect(await countsOf(ALL)).toEqual(expected);
      await (n % 2 === 0 ? oneByOne.applyOnce() : applyAll(inBatches));
      expect(await countsOf(ALL)).toEqual(expected);
    }
  });

  test('of one condition on a dimension, or of none, is read from the stored counts', async () => {
    await applyAll(inBatches);
    const before = await countsOf(ALL);
    // Only readers of stored counts see it: 1,000 per value, and 1,000,000 in all.
    const add = (sign: '+' | '-') =>
      sql.query(`UPDATE venture.facet_count
        SET count = count ${sign} CASE code WHEN 0 THEN 1000000 ELSE 1000 END`);
    await add('+');
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
    await add('-');
  });
});

test('the parts of an instant are those that the database stores', async () => {
  const range = { min: new Date('1900-01-01'), max: new Date('2199-12-31') };
  const instants = fc.date({ ...range, noInvalidDate: true });
  const stored = INSTANTS[0]?.parts.map(({ readings }) => readings.startups?.sql('t')) ?? [];
  await fc.assert(
    fc.asyncProperty(fc.array(instants, { minLength: 1 }), async (dates) => {
      const { rows } = await sql.query<number[]>({
        text: `SELECT ${stored.map((each) => `(${each})::float8`).join(', ')}
          FROM unnest($1::timestamptz(3)[]) WITH ORDINALITY AS t(created_at, n) ORDER BY n`,
        values: [dates.map((date) => date.toISOString())],
        rowMode: 'array',
      });
      expect(rows).toEqual(dates.map((date) => instantParts(date.getTime())));
      expect(rows.map(instantOfParts)).toEqual(dates.map((date) => date.getTime()));
    }),
    runs(20),
  );
});

/** More than any count: added to the counts in memory, it shows which counts come from there. */
const IN_MEMORY = 1_000_000;

describe.each<[string, () => Promise<LoadedFacetEngine & { readonly stop?: () => Promise<void> }>]>(
  [
    ['this process', async () => columnarEngine(url)],
    [
      'the facet process',
      async () => {
        const process = await openFacetProcess(url);
        return Object.assign(remoteEngine(process.url), { stop: process.stop });
      },
    ],
  ],
)('$count of several conditions on dimensions, with a copy in %s', (_, open) => {
  let engine: Awaited<ReturnType<typeof open>>;
  let api: TestApi;
  let records: RecordCounter & RecordFinder;
  let outcome: CountOutcome | undefined;
  let added = 0;

  beforeAll(async () => {
    engine = await open();
    engine.start();
    const countRecords = async (query: RecordQuery) => {
      const { count, version } = await engine.countRecords(query);
      return { count: count + added, version };
    };
    records = {
      isReady: () => engine.state().ready,
      countRecords,
      firstRecords: (query) => engine.firstRecords(query),
      found: () => undefined,
      counted: (how) => {
        outcome = how;
      },
    };
    api = await openApi({ url, seed: 'SELECT 1', records });
    await eventually(() => engine.state().ready);
  });
  afterAll(async () => {
    await api.close();
    await engine.close();
    await engine.stop?.();
  });

  const countOf = async (path: string, query: Query = {}) => {
    const { status, body } = await api.get(path, { ...query, $count: 'true' });
    expect(status).toBe(200);
    return (body as { count: number }).count;
  };
  const counted = () => readAll(COMBINED, ([path, query]) => countOf(path, query));

  test('equals the number of records, whatever part of the changes is indexed', async () => {
    await sql.query(`UPDATE venture.startup SET deleted_at = NULL;
      UPDATE venture.startup SET tags = '{Robots}' WHERE name = 'Four'`);
    for (const [n, change] of CHANGES.entries()) {
      await sql.query(change);
      const expected = await countsOf(COMBINED);
      expect(await counted()).toEqual(expected);
      await (n % 2 === 0 ? oneByOne.applyOnce() : applyAll(inBatches));
      expect(await counted()).toEqual(expected);
    }
  });

  test('is counted there, also with changes in the log', async () => {
    const isInMemory = async ([path, query]: (typeof OWN)[number]) => {
      added = IN_MEMORY;
      const inMemory = await countOf(path, query);
      added = 0;
      return inMemory - (await setup.countOf(path, query)) === IN_MEMORY;
    };
    await applyAll(inBatches);
    for (const each of COMBINED) await eventually(() => isInMemory(each));
    await sql.query(`UPDATE venture.startup SET founded = 2013 WHERE name = 'Six'`);
    const own = COMBINED.slice(0, -1);
    for (const each of own) await eventually(() => isInMemory(each));
    expect(await isInMemory(COMBINED.at(-1) ?? [''])).toBe(false);
    const outcomeOf = async ([path, query]: (typeof OWN)[number]) => {
      await countOf(path, query);
      return outcome;
    };
    expect(await outcomeOf(['/startups'])).toBe('stored');
    expect(await outcomeOf(REACHED[0] ?? [''])).toBe('index_behind');
    expect(await outcomeOf(COMBINED.at(-1) ?? [''])).toBe('index_behind');
    expect(await outcomeOf(['/startups', filter("Name ne 'One'")])).toBe('not_indexed');
  });

  test('is counted there for every condition that the index has', async () => {
    const { database } = api;
    const countedIn = async (plan: CountPlan, how: CountOutcome) => {
      const { body } = await readCount(plan, { database, categories: { records } });
      expect(outcome).toBe(how);
      return body;
    };
    const isEqual = async (plan: CountPlan) => {
      const { body: expected } = await readCount(plan, { database, categories: {} });
      await eventually(async () => expect(await countedIn(plan, 'in_memory')).toBe(expected));
    };
    for (const { resource, conditions } of CONDITIONS) {
      expect(conditions.length).toBeGreaterThan(20);
      for (const text of conditions)
        await isEqual(countPlanOf(resource, `(${text}) and (${text})`));
    }
    await fc.assert(fc.asyncProperty(combinations, isEqual), runs(20));
  });

  test('is that of one snapshot while records change and the log is applied', async () => {
    const COMPANIES = 40;
    const idOf = (i: number | 'i') => `md5('swapped ' || ${i})::uuid`;
    await sql.query(`INSERT INTO venture.startup (id, name, tags, founded)
      SELECT ${idOf('i')}, 'Swapped ' || i,
        CASE WHEN i % 2 = 0 THEN ARRAY['Left'] ELSE ARRAY['Right'] END, 1980 + (i % 2) * 40
      FROM generate_series(1, ${COMPANIES}) AS i ON CONFLICT DO NOTHING`);
    // Each transaction exchanges the values of two records, so that no snapshot has another count.
    const swap = (i: number) => {
      const [a, b] = [1 + ((i * 7) % COMPANIES), 1 + ((i * 11 + 3) % COMPANIES)];
      return sql.query(`UPDATE venture.startup AS s
        SET tags = o.tags, founded = o.founded, deleted_at = o.deleted_at
        FROM venture.startup AS o
        WHERE (s.id, o.id) IN ((${idOf(a)}, ${idOf(b)}), (${idOf(b)}, ${idOf(a)}))`);
    };
    const indexer = indexerOf(url, 5);
    indexer.start();
    let isDone = false;
    const writing = (async () => {
      for (let i = 0; i < 200; i += 1) await swap(i);
      isDone = true;
    })();
    const counts = new Set<number>();
    while (!isDone) {
      counts.add(await countOf('/startups', filter("Tag eq 'Left' and Founded lt 2000")));
    }
    await writing;
    await indexer.close();
    expect([...counts]).toEqual([COMPANIES / 2]);
  });
});
