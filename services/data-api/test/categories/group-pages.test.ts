/** Pages that begin with the records that the facet index does not separate from their first one. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parseFilter, parseOrderBy } from '@vcds/odata-query';
import { atLength, closedAfterAll, eventually, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { createCursors } from '../../src/activity/position.ts';
import { type PagePlan, planCollection } from '../../src/collections/plan.ts';
import {
  type MemorySources,
  type PageOutcome,
  readInMemory,
} from '../../src/collections/read-in-memory.ts';
import { readPage } from '../../src/collections/read-page.ts';
import { resources } from '../../src/resources/index.ts';
import { applyAll, indexerOf } from './support/category-api.ts';
import { openCategorySetup } from './support/category-setup.ts';
import { columnarEngine } from './support/engines.ts';

jest.setTimeout(600_000);
const setup = await closedAfterAll(openCategorySetup());
const { sql, url, database } = setup.api;
const oneByOne = await closedAfterAll(indexerOf(url, 1));
const inBatches = await closedAfterAll(indexerOf(url));
const cursors = createCursors(['a-secret-of-this-test']);
const ofDatabase = { database, baseUrl: 'http://127.0.0.1/v2', cursors };
const engine = columnarEngine(url, { foundSkipMax: 2 });
const outcomes: PageOutcome[] = [];
type Query = Parameters<typeof engine.firstRecords>[0];
const records = {
  isReady: () => engine.state().ready,
  // Few records are too many, so that pages begin with their group.
  firstRecords: (query: Query) => engine.firstRecords({ ...query, count: 1, countMax: 1 }),
  found: (outcome: PageOutcome) => outcomes.push(outcome),
};
const sources: MemorySources = { ...ofDatabase, categories: { records } };

/** The first and last ranges, others, several names in one, and equal ones; each with headcounts that the index rounds. */
const NAMES = ['!', '4', 'Many', 'MANZ', 'éclair', 'Éclair', 'zebra', 'Ωmega', '株式', 'last'];

beforeAll(async () => {
  await sql.query(`INSERT INTO venture.startup (name, founded, members_count, created_at)
    SELECT CASE n WHEN 'last' THEN (SELECT first FROM venture.text_range ORDER BY number DESC LIMIT 1) ELSE n END
      || ' name ' || i / 2, NULLIF(2000 + i % 3, 2000),
      (ARRAY[NULL, 5, 1231, 1239, 1234, 1250])[1 + (i + length(n)) % 6],
      '2015-05-05T10:20:30.123Z'::timestamptz + interval '1 millisecond' * (ARRAY[0, 1, 877, 3600000, -5])[1 + i % 5] FROM unnest('{${NAMES.join()}}'::text[]) AS n, generate_series(1, 40) AS i`);
  // More combinations of the parts of both instants than a number has: the engine leaves out the last key.
  await sql.query(`INSERT INTO venture.dimension_value (dimension, value, folded)
    SELECT d, 900000 + i, '' FROM generate_series(26, 31) AS d, generate_series(1, 500) AS i`);
  await applyAll(inBatches);
  engine.start();
  await eventually(() => engine.state().ready);
});
afterAll(() => engine.close());

function planOf(orderby: string, skip: number, top = 5, filter?: string): PagePlan {
  const plan = planCollection(
    {
      ...{ top, skip, cursor: undefined, identity: orderby, count: false },
      ...{ orderBy: parseOrderBy(orderby), select: undefined, expand: undefined },
      ...{
        filter: filter === undefined ? undefined : parseFilter(filter),
        filterText: filter ?? '',
      },
    },
    {
      ...{ resource: resources.startup, ceiling: { plan: 'scale', topMax: 5_000 } },
      ...{ today: '2020-01-01', cursors: cursors.pages },
    },
  );
  if (plan.kind !== 'page') throw new TypeError('This is the plan of a page.');
  return plan;
}

const SKIP_STEP = atLength(37, 13);

/** Names move to other ranges and within them, and records come and go. */
const CHANGES = [
  `UPDATE venture.startup SET name = '4' || name WHERE name LIKE 'zebra name 1'`,
  `UPDATE venture.startup SET name = name || 'x' WHERE name LIKE 'Many%'`,
  `UPDATE venture.startup SET deleted_at = now() WHERE name LIKE 'MANZ%'`,
  `INSERT INTO venture.startup (name) SELECT 'Aa' || i FROM generate_series(1, 9) AS i`,
  `UPDATE venture.startup SET deleted_at = NULL WHERE name LIKE 'MANZ%'`,
  `UPDATE venture.startup SET name = '中' || name WHERE name LIKE '!%'`,
  `UPDATE venture.startup SET members_count = members_count + 3, founded = 2002 WHERE name LIKE '4%'`,
  `UPDATE venture.startup SET members_count = NULL WHERE name LIKE 'zebra%'`,
];

const ORDERS = [
  ...['Name', 'Name desc', 'Name,Founded', 'Founded,Name', 'Founded desc,Name desc'],
  ...[
    'MembersCount',
    'MembersCount desc,Name',
    'MembersCount,Founded desc',
    'Founded desc,MembersCount',
  ],
  ...[
    'Founded,MembersCount desc,Name',
    'Founded desc,MembersCount desc,Id',
    'Founded,UpdatedTimeStamp desc,Name',
    'MembersCount desc,CreatedTimeStamp,Name',
    'CreatedTimeStamp desc,MembersCount',
    'UpdatedTimeStamp,CreatedTimeStamp desc',
    'Founded,CreatedTimeStamp,Name',
  ],
];

test('are those of the database, whatever part of the changes is indexed', async () => {
  const asked = fc.tuple(
    fc.constantFrom(...ORDERS),
    fc.integer({ min: 100, max: 420 }),
    fc.integer({ min: 1, max: 40 }),
    fc.constantFrom(undefined, 'Founded ge 2001', 'MembersCount ne 5'),
  );
  const found = new Map<string, number>();
  const expectEqual = async (query: Parameters<typeof planOf>) => {
    const plan = planOf(...query);
    const { next, ...expected } = await readPage(plan, ofDatabase);
    const page = await readInMemory(plan, sources);
    if (page === undefined) return;
    const { body, records, more, keys } = page;
    expect({ body, records, more }).toEqual(expected);
    expect(keys === null).toBe(next === undefined);
    found.set(query[0], (found.get(query[0]) ?? 0) + 1);
  };
  for (const orderby of ORDERS) {
    for (let skip = 101; skip < 400; skip += SKIP_STEP) {
      await expectEqual([orderby, skip, 5, undefined]);
    }
  }
  expect([...found.keys()].toSorted()).toEqual(ORDERS.toSorted());
  for (const change of CHANGES) {
    await sql.query(change);
    await fc.assert(fc.asyncProperty(asked, expectEqual), runs(20));
    await oneByOne.applyOnce();
    await fc.assert(fc.asyncProperty(asked, expectEqual), runs(20));
    await applyAll(inBatches);
  }
});

test.each(['Name', 'Name desc'])(
  'by %s: are found while changed records are in the log',
  async (orderby) => {
    const plan = planOf(orderby, 240);
    const read = () =>
      eventually(async () => {
        const found = await readInMemory(plan, sources);
        expect(found).toBeDefined();
        return found?.body;
      });
    const before = await read();
    // One record leaves the ranges before the page in either order.
    await sql.query(
      `UPDATE venture.startup SET deleted_at = now() WHERE name IN ('4 name 2', '株式 name 2')`,
    );
    const { body } = await readPage(plan, ofDatabase);
    expect(body).not.toBe(before);
    expect(await read()).toBe(body);
    await applyAll(inBatches);
    expect(await read()).toBe(body);
    await sql.query(
      `UPDATE venture.startup SET deleted_at = NULL WHERE name IN ('4 name 2', '株式 name 2')`,
    );
    await applyAll(inBatches);
  },
);

test.each<[string, string, number, PageOutcome]>([
  ['the last range has no end', 'Name desc', 4, 'incomplete'],
  ['no record is wanted', 'Name', 10_000, 'too_many'],
  ['few records are before it', 'Name', 1, 'too_many'],
])('a page is left to the database if %s', async (_, orderby, skip, outcome) => {
  outcomes.length = 0;
  await eventually(async () => {
    expect(await readInMemory(planOf(orderby, skip), sources)).toBeUndefined();
    expect(outcomes.at(-1)).toBe(outcome);
  });
});

test('a page is left to the database if a change moved its first record before the range', async () => {
  const plan = planOf('Name', 140);
  await eventually(async () => expect(await readInMemory(plan, sources)).toBeDefined());
  await sql.query(`UPDATE venture.startup SET name = '!' || name WHERE name > 'M'`);
  outcomes.length = 0;
  expect(await readInMemory(plan, sources)).toBeUndefined();
  expect(outcomes).toEqual(['incomplete']);
  await sql.query(
    `UPDATE venture.startup SET name = substr(name, 2) WHERE name LIKE '!%' AND name NOT LIKE '! %'`,
  );
  await applyAll(inBatches);
});

test('a page after all records is left to the database, whatever instant the index has in place of none', async () => {
  await sql.query(
    `INSERT INTO venture.startup (name, created_at) VALUES ('Oldest', '1970-01-01T00:00:00Z')`,
  );
  await applyAll(inBatches);
  const { rows } = await sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM venture.startup WHERE deleted_at IS NULL',
  );
  const all = { entity: 'startups', where: { kind: 'and', of: [] }, version: 0 } as const;
  await eventually(async () => (await engine.countRecords(all)).count === rows[0]?.count);
  const plan = planOf('CreatedTimeStamp desc,Name', rows[0]?.count ?? 0);
  expect(await readInMemory(plan, sources)).toBeUndefined();
  expect(outcomes.at(-1)).toBe('too_many');
});

test('pages are of one snapshot while names change and the log is applied', async () => {
  const indexer = indexerOf(url, 5);
  indexer.start();
  let isDone = false;
  // Each transaction exchanges the names of two records, so that each snapshot has the same names.
  const writing = (async () => {
    for (let i = 0; i < 200; i += 1) {
      await sql.query(`WITH two AS (SELECT min(id::text)::uuid AS a, max(id::text)::uuid AS b
          FROM (SELECT id FROM venture.startup WHERE deleted_at IS NULL ORDER BY md5(id::text || ${i}) LIMIT 2) AS s)
        UPDATE venture.startup AS s SET name = o.name FROM venture.startup AS o, two
        WHERE (s.id, o.id) IN ((two.a, two.b), (two.b, two.a))`);
    }
    isDone = true;
  })();
  const namesOf = (body: string | null | undefined) =>
    JSON.parse(body ?? '').map(({ Name }: { Name: string }) => Name.toLowerCase());
  const plan = planOf('Name', 250);
  const expected = namesOf((await readPage(plan, ofDatabase)).body);
  outcomes.length = 0;
  while (!isDone) {
    const page = await readInMemory(plan, sources);
    if (page !== undefined) expect(namesOf(page.body)).toEqual(expected);
  }
  await writing;
  await indexer.close();
  expect(outcomes).toContain('in_memory');
});
