import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { parseFilter, parseOrderBy } from '@vcds/odata-query';
import { closedAfterAll, eventually, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { createCursors } from '../../src/activity/position.ts';
import type { LoadedFacetEngine } from '../../src/categories/facet-schema.ts';
import { type PagePlan, planCollection } from '../../src/collections/plan.ts';
import {
  type MemorySources,
  type PageOutcome,
  type RecordFinder,
  readInMemory,
} from '../../src/collections/read-in-memory.ts';
import { readPage } from '../../src/collections/read-page.ts';
import { type Resource, resources } from '../../src/resources/index.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { applyAll, indexerOf } from './support/category-api.ts';
import { openCategorySetup } from './support/category-setup.ts';
import { CONDITIONS } from './support/count-filters.ts';
import { columnarEngine } from './support/engines.ts';
import { openFacetProcess, remoteEngine } from './support/facet-process.ts';

// A property reads up to a thousand pages, also on a slow machine.
jest.setTimeout(600_000);
const setup = await closedAfterAll(openCategorySetup());
const { sql, url, database } = setup.api;
const oneByOne = await closedAfterAll(indexerOf(url, 1));
const inBatches = await closedAfterAll(indexerOf(url));
const cursors = createCursors(['a-secret-of-this-test']);
const BASE_URL = 'http://127.0.0.1/v2';

const STARTUPS = 200;
/** Beginnings of names in different ranges of the order of texts, and two in one. */
const SCRIPTS = ['Many', 'MANZ', 'éclair', 'Éclair', 'zebra', 'Ωmega', '株式', '4', 'ßeta'];
const SERIES = ['seed', 'Series A', 'Series B'];

/** Many equal values and values that the index rounds to equal ones, beside missing ones. */
beforeAll(async () => {
  await sql.query(`INSERT INTO venture.startup (name, tags, founded, members_count, addresses, created_at)
    SELECT (ARRAY['${SCRIPTS.join("','")}'])[1 + i % ${SCRIPTS.length}] || ' Many ' || i, CASE WHEN i % 3 = 0 THEN '{Robots}' ELSE '{Fintech,Robots}' END::text[],
      NULLIF(2008 + i % 5, 2008), NULLIF(i % 23, 0) * 1234,
      CASE WHEN i % 2 = 0 THEN '[{"Country": "France"}]' ELSE '[]' END::jsonb,
      '2015-05-05T10:20:30.123Z'::timestamptz + interval '1 millisecond' * (i % 19 + (ARRAY[0, 1, 877, 1000, 3600000, -5])[1 + i % 6])
    FROM generate_series(1, ${STARTUPS}) AS i`);
  // Names that are equal in the order.
  await sql.query(`INSERT INTO venture.startup (name, tags, founded) VALUES
    ('Éclair Many 8', '{Robots}', 2010), ('ECLAIR many 8', '{Robots}', 2011), ('eclair MANY 8', '{Robots}', NULL)`);
  await sql.query(`INSERT INTO venture.funding_round (startup_id, date, series, stage, amount)
    SELECT s.id, DATE '2010-01-01' + 300 * (i % 5), (ARRAY['${SERIES.join("','")}'])[1 + i % 3], 3 + i % 3,
      NULLIF(1234000 + i % 4 * 100 + s.founded, 0)
    FROM (SELECT *, row_number() OVER (ORDER BY id) AS n FROM venture.startup WHERE name LIKE '%Many %') AS s,
      generate_series(1, 3) AS i WHERE (s.n + i) % 4 <> 0`);
  await applyAll(inBatches);
});

const ORDERS: Readonly<Record<string, readonly string[]>> = {
  startup: [
    ...['Id', 'Name', 'Founded', 'TotalRaised', 'MembersCount', 'LastFundingDate', 'RoundsCount'],
    ...['LastFundingStage', 'NextFundingStage', 'LatestPostValuation', 'UpdatedTimeStamp'],
    'CreatedTimeStamp',
  ],
  fund: ['Id', 'Name', 'Founded', 'InvestmentsCount', 'MembersCount', 'CreatedTimeStamp'],
  'funding round': ['Id', 'Date', 'Year', 'Stage', 'Amount', 'UpdatedTimeStamp'],
};

interface Asked {
  readonly resource: Resource;
  readonly filter: string;
  readonly orderby: string;
  readonly top: number;
  readonly skip: number;
}

function planOf({ resource, filter, orderby, top, skip }: Asked, cursor?: string): PagePlan {
  const plan = planCollection(
    {
      ...{ top, skip: cursor === undefined ? skip : 0, cursor, identity: `${filter} ${orderby}` },
      ...{ count: false, orderBy: orderby === '' ? [] : parseOrderBy(orderby) },
      ...{ filterText: filter, filter: parseFilter(filter), select: undefined, expand: undefined },
    },
    {
      ...{ resource, ceiling: { plan: 'scale', topMax: 5_000 }, today: '2020-01-01' },
      cursors: cursors.pages,
    },
  );
  if (plan.kind !== 'page') throw new TypeError('This is the plan of a page.');
  return plan;
}

const asked: fc.Arbitrary<Asked> = fc
  .constantFrom(...CONDITIONS)
  .chain(({ resource, conditions }) =>
    fc.record({
      resource: fc.constant(resource),
      filter: fc
        .array(fc.tuple(fc.constantFrom(...conditions), fc.constantFrom('and', 'or')), {
          minLength: 1,
          maxLength: 3,
        })
        .map((terms) =>
          terms.map(([term, word], i) => (i === 0 ? term : `${word} ${term}`)).join(' '),
        ),
      orderby: fc
        .uniqueArray(fc.constantFrom(...(ORDERS[resource.name] ?? ['Id'])), { maxLength: 3 })
        .chain((fields) =>
          fc.tuple(...fields.map((field) => fc.constantFrom(field, `${field} desc`))),
        )
        .map((keys) => keys.join(',')),
      top: fc.integer({ min: 1, max: 20 }),
      skip: fc.constantFrom(0, 0, 1, 30, 105, 150),
    }),
  );

/** Each is one transaction; together they change conditions, orders, and whether records are listed. */
const CHANGES = [
  `UPDATE venture.startup SET founded = 2011, members_count = 5 WHERE name LIKE '%Many 1%'`,
  `UPDATE venture.startup SET tags = '{}' WHERE name LIKE '%Many 2%'`,
  `UPDATE venture.funding_round SET amount = amount + 5000000 WHERE series = 'seed'`,
  `UPDATE venture.startup SET deleted_at = now() WHERE name LIKE '%Many 3%'`,
  `INSERT INTO venture.startup (name, tags, founded) SELECT 'More ' || i, '{Robots}', 2030 FROM generate_series(1, 9) AS i`,
  `UPDATE venture.startup SET deleted_at = NULL WHERE name LIKE '%Many 3%'`,
  `UPDATE venture.startup SET founded = NULL WHERE name LIKE 'More %'`,
  `UPDATE venture.startup SET name = 'Ýpsilon ' || name WHERE name LIKE '%Many 4%'`,
];

describe.each<[string, () => Promise<LoadedFacetEngine & { readonly stop?: () => Promise<void> }>]>(
  [
    ['this process', async () => columnarEngine(url, { foundSkipMax: 2 })],
    [
      'the facet process',
      async () => {
        const process = await openFacetProcess(url);
        return Object.assign(remoteEngine(process.url), { stop: process.stop });
      },
    ],
  ],
)('pages found in %s', (_, open) => {
  let engine: Awaited<ReturnType<typeof open>>;
  let sources: MemorySources & { readonly cursors: typeof cursors };
  const outcomes: PageOutcome[] = [];

  beforeAll(async () => {
    engine = await open();
    engine.start();
    await eventually(() => engine.state().ready);
    const records: RecordFinder = {
      isReady: () => engine.state().ready,
      firstRecords: (query) => engine.firstRecords(query),
      found: (outcome) => outcomes.push(outcome),
    };
    sources = {
      ...{ database, baseUrl: BASE_URL, cursors },
      categories: { records: Object.assign(records, { counted: () => undefined }) },
    };
  });
  afterAll(async () => {
    await engine.close();
    await engine.stop?.();
  });

  /** The pages of a query by their cursors; each is compared with that of the database. */
  const expectEqualPages = async (query: Asked) => {
    let cursor: string | undefined;
    for (let page = 0; page < 4; page++) {
      const plan = planOf(query, cursor);
      const { next, ...expected } = await readPage(plan, { database, baseUrl: BASE_URL, cursors });
      const found = await readInMemory(plan, sources);
      if (found !== undefined) {
        const { body, records, more, keys } = found;
        expect({ body, records, more }).toEqual(expected);
        expect(keys === null).toBe(next === undefined);
      }
      if (next === undefined) return;
      cursor = next;
    }
  };

  test('are those of the database, whatever part of the changes is indexed', async () => {
    for (const [n, change] of ['SELECT 1', ...CHANGES].entries()) {
      await sql.query(change);
      await fc.assert(fc.asyncProperty(asked, expectEqualPages), runs(8));
      await (n % 2 === 0 ? oneByOne.applyOnce() : applyAll(inBatches));
      await fc.assert(fc.asyncProperty(asked, expectEqualPages), runs(8));
    }
  });

  test('are found in memory, also while a changed record is in the log', async () => {
    await applyAll(inBatches);
    const query = {
      ...{ resource: resources.startup, filter: "Tag eq 'Robots'", top: 5, skip: 0 },
    };
    const orders = [
      ...['', 'Id desc', 'Founded desc', 'TotalRaised desc,Name', 'Founded,Id desc'],
      ...['Name', 'Name desc', 'Name,Founded', 'Founded desc,Name'],
      ...['CreatedTimeStamp desc', 'CreatedTimeStamp,Name', 'Founded,UpdatedTimeStamp desc'],
    ];
    const expectInMemory = async () => {
      for (const orderby of orders) {
        await eventually(async () => {
          outcomes.length = 0;
          await expectEqualPages({ ...query, orderby });
          expect(new Set(outcomes)).toEqual(new Set(['in_memory']));
        });
      }
    };
    await expectInMemory();
    await sql.query(`UPDATE venture.startup SET founded = 1990 WHERE name LIKE '%Many 5'`);
    await expectInMemory();
    await applyAll(inBatches);
  });

  test('are found after records that are not wanted, and move with a change', async () => {
    await sql.query(`UPDATE venture.startup SET tags = '{Robots}' WHERE name LIKE '%Many %'`);
    await applyAll(inBatches);
    const query = { ...{ resource: resources.startup, filter: "Tag eq 'Robots'" }, top: 5 };
    const plan = planOf({ ...query, orderby: 'Founded desc,Id', skip: 120 });
    await eventually(async () => expect(await readInMemory(plan, sources)).toBeDefined());
    const { body } = await readPage(plan, { database, baseUrl: BASE_URL, cursors });
    const found = await readInMemory(plan, sources);
    expect(found?.body).toBe(body);
    // A record after the page becomes the first one.
    await sql.query(`UPDATE venture.startup SET founded = 2100 WHERE id = (
      SELECT id FROM venture.startup WHERE 'Robots' = ANY (tags) AND deleted_at IS NULL
        ORDER BY founded DESC NULLS LAST, id OFFSET 140 LIMIT 1)`);
    const changed = await readInMemory(plan, sources);
    const after = await readPage(plan, { database, baseUrl: BASE_URL, cursors });
    expect(after.body).not.toBe(body);
    expect(changed?.body).toBe(after.body);
    await applyAll(inBatches);
  });

  test('are left to the database if their related records have to be counted before', async () => {
    const query = { resource: resources.startup, filter: "Tag eq 'Robots'", orderby: '', skip: 0 };
    const all = [...resources.startup.relations.values()];
    const expands = all.map((each) => ({ ...each, skip: 0, top: 100 }));
    const plan = planOf({ ...query, top: 1_000 });
    await eventually(async () => expect(await readInMemory(plan, sources)).toBeDefined());
    expect(await readInMemory({ ...plan, expands }, sources)).toBeUndefined();
  });

  test('are left to the database if changed records leave too few', async () => {
    await sql.query(`UPDATE venture.startup SET tags = '{Robots}' WHERE name LIKE '%Many %'`);
    await applyAll(inBatches);
    const query = { resource: resources.startup, filter: "Tag eq 'Robots'", orderby: '', skip: 0 };
    const plan = planOf({ ...query, top: 30 });
    await eventually(async () => expect(await readInMemory(plan, sources)).toBeDefined());
    // All but the last in the order of the page.
    await sql.query(`UPDATE venture.startup SET tags = '{}' WHERE name LIKE '%Many %' AND id <>
      (SELECT max(id::text)::uuid FROM venture.startup WHERE name LIKE '%Many %')`);
    outcomes.length = 0;
    expect(await readInMemory(plan, sources)).toBeUndefined();
    expect(outcomes).toEqual(['incomplete']);
    const { body } = await readPage(plan, sources);
    const whole = await readPage(plan, { database, baseUrl: BASE_URL, cursors });
    expect(body).toBe(whole.body);
    await applyAll(inBatches);
  });
});

describe('a narrowed page', () => {
  let api: TestApi;
  let engine: ReturnType<typeof columnarEngine>;
  const outcomes: PageOutcome[] = [];

  beforeAll(async () => {
    engine = columnarEngine(url);
    engine.start();
    api = await openApi({
      ...{ url, seed: 'SELECT 1' },
      records: {
        isReady: () => engine.state().ready,
        countRecords: (query) => engine.countRecords(query),
        firstRecords: (query) => engine.firstRecords(query),
        counted: () => undefined,
        found: (outcome) => outcomes.push(outcome),
      },
    });
    await eventually(() => engine.state().ready);
  });
  afterAll(async () => {
    await api.close();
    await engine.close();
  });

  test.each([
    ['/categories/industry/Robots/startups', { $orderby: 'Founded desc' }],
    ['/categories/investor_type/VentureFund,Studio/startups', {}],
    ['/categories/industry/Robots/startups', { country: 'France', $orderby: 'MembersCount' }],
    ['/categories/country/France/rounds', { $orderby: 'Amount desc' }],
    ['/categories/stage/series-a/funds', {}],
  ])('%s %j is found in memory', async (path, query) => {
    await applyAll(inBatches);
    await eventually(async () => {
      outcomes.length = 0;
      const records = await api.list(path, { ...query, $top: '3' });
      expect(records).toEqual(await setup.api.list(path, { ...query, $top: '3' }));
      expect(outcomes).toEqual(['in_memory']);
    });
  });
});

test('pages are of one snapshot while records change and the log is applied', async () => {
  const COMPANIES = 40;
  const idOf = (i: number | 'i') => `md5('exchanged ' || ${i})::uuid`;
  await sql.query(`INSERT INTO venture.startup (id, name, tags, founded)
    SELECT ${idOf('i')}, 'Exchanged ' || i,
      CASE WHEN i % 2 = 0 THEN ARRAY['Left'] ELSE ARRAY['Right'] END, 1900 + i
    FROM generate_series(1, ${COMPANIES}) AS i`);
  // Each transaction exchanges the tags of two records, so that each snapshot has as many of both.
  const exchange = (i: number) => {
    const [a, b] = [1 + ((i * 7) % COMPANIES), 1 + ((i * 11 + 3) % COMPANIES)];
    return sql.query(`UPDATE venture.startup AS s SET tags = o.tags FROM venture.startup AS o
      WHERE (s.id, o.id) IN ((${idOf(a)}, ${idOf(b)}), (${idOf(b)}, ${idOf(a)}))`);
  };
  const indexer = indexerOf(url, 5);
  const engine = columnarEngine(url);
  engine.start();
  await eventually(() => engine.state().ready);
  indexer.start();
  const outcomes: PageOutcome[] = [];
  const records = {
    isReady: () => engine.state().ready,
    firstRecords: (query: Parameters<typeof engine.firstRecords>[0]) => engine.firstRecords(query),
    found: (outcome: PageOutcome) => outcomes.push(outcome),
  };
  let isDone = false;
  const writing = (async () => {
    for (let i = 0; i < 200; i += 1) await exchange(i);
    isDone = true;
  })();
  const query = {
    resource: resources.startup,
    filter: "Tag eq 'Left'",
    orderby: 'Founded',
    skip: 0,
  };
  const sizes = new Set<number>();
  while (!isDone) {
    const plan = planOf({ ...query, top: 100 });
    const page = await readInMemory(plan, { database, baseUrl: BASE_URL, categories: { records } });
    if (page === undefined) continue;
    const founded = JSON.parse(page.body ?? '').map(({ Founded }: { Founded: number }) => Founded);
    expect(founded).toEqual(founded.toSorted((a: number, b: number) => a - b));
    sizes.add(founded.length);
  }
  await writing;
  await indexer.close();
  await engine.close();
  expect(outcomes).toContain('in_memory');
  expect([...sizes]).toEqual([COMPANIES / 2]);
});
