/** Pages of all records by name, which begin in the range of their first record. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parseOrderBy } from '@vcds/odata-query';
import { closedAfterAll, eventually, runs } from '@vcds/test-kit';
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
const cursors = createCursors(['a-secret-of-this-test']);
const ofDatabase = { database, baseUrl: 'http://127.0.0.1/v2', cursors };
const engine = columnarEngine(url, { foundSkipMax: 2 });
const outcomes: PageOutcome[] = [];
const records = {
  isReady: () => engine.state().ready,
  firstRecords: (query: Parameters<typeof engine.firstRecords>[0]) => engine.firstRecords(query),
  found: (outcome: PageOutcome) => outcomes.push(outcome),
};
const sources: MemorySources = { ...ofDatabase, categories: { records } };

/** The first and last ranges, others, several names in one, and equal ones. */
const NAMES = ['!', '4', 'Many', 'MANZ', 'éclair', 'Éclair', 'zebra', 'Ωmega', '株式', 'last'];

beforeAll(async () => {
  await sql.query(`INSERT INTO venture.startup (name, founded)
    SELECT CASE n WHEN 'last' THEN (SELECT first FROM venture.text_range ORDER BY number DESC LIMIT 1) ELSE n END
      || ' name ' || i / 2, 2000 FROM unnest('{${NAMES.join()}}'::text[]) AS n, generate_series(1, 9) AS i`);
  await applyAll(oneByOne);
  engine.start();
  await eventually(() => engine.state().ready);
});
afterAll(() => engine.close());

function planOf(isDescending: boolean, skip: number, top = 5): PagePlan {
  const orderBy = parseOrderBy(isDescending ? 'Name desc' : 'Name');
  const asked = { top, skip, cursor: undefined, identity: 'by name', count: false, orderBy };
  const plan = planCollection(
    { ...asked, filter: undefined, filterText: '', select: undefined, expand: undefined },
    {
      ...{ resource: resources.startup, ceiling: { plan: 'scale', topMax: 5_000 } },
      ...{ today: '2020-01-01', cursors: cursors.pages },
    },
  );
  if (plan.kind !== 'page') throw new TypeError('This is the plan of a page.');
  return plan;
}

/** Names move to other ranges and within them, and records come and go. */
const CHANGES = [
  `UPDATE venture.startup SET name = '4' || name WHERE name LIKE 'zebra name 1'`,
  `UPDATE venture.startup SET name = name || 'x' WHERE name LIKE 'Many%'`,
  `UPDATE venture.startup SET deleted_at = now() WHERE name LIKE 'MANZ%'`,
  `INSERT INTO venture.startup (name) SELECT 'Aa' || i FROM generate_series(1, 9) AS i`,
  `UPDATE venture.startup SET deleted_at = NULL WHERE name LIKE 'MANZ%'`,
  `UPDATE venture.startup SET name = '中' || name WHERE name LIKE '!%'`,
];

test('are those of the database, whatever part of the changes is indexed', async () => {
  const asked = fc.tuple(
    fc.boolean(),
    fc.integer({ min: 1, max: 110 }),
    fc.integer({ min: 1, max: 9 }),
  );
  const expectEqual = async (query: [boolean, number, number]) => {
    const plan = planOf(...query);
    const { next, ...expected } = await readPage(plan, ofDatabase);
    const found = await readInMemory(plan, sources);
    if (found === undefined) return;
    const { body, records, more, keys } = found;
    expect({ body, records, more }).toEqual(expected);
    expect(keys === null).toBe(next === undefined);
  };
  for (const change of ['SELECT 1', ...CHANGES]) {
    await sql.query(change);
    await fc.assert(fc.asyncProperty(asked, expectEqual), runs(30));
    await oneByOne.applyOnce();
    await fc.assert(fc.asyncProperty(asked, expectEqual), runs(30));
    await applyAll(oneByOne);
  }
  expect(outcomes).toContain('in_memory');
});

test.each([false, true])(
  'descending %p: are found while changed records are in the log',
  async (isDescending) => {
    const plan = planOf(isDescending, 40);
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
    await applyAll(oneByOne);
    expect(await read()).toBe(body);
    await sql.query(
      `UPDATE venture.startup SET deleted_at = NULL WHERE name IN ('4 name 2', '株式 name 2')`,
    );
    await applyAll(oneByOne);
  },
);

test.each<[string, boolean, number, PageOutcome]>([
  ['the last range has no end', true, 4, 'incomplete'],
  ['no record is wanted', false, 10_000, 'too_many'],
  ['few records are before it', false, 1, 'too_many'],
])('a page is left to the database if %s', async (_, isDescending, skip, outcome) => {
  outcomes.length = 0;
  await eventually(async () => {
    expect(await readInMemory(planOf(isDescending, skip), sources)).toBeUndefined();
    expect(outcomes.at(-1)).toBe(outcome);
  });
});

test('a page is left to the database if a change moved its first record before the range', async () => {
  const plan = planOf(false, 12);
  await eventually(async () => expect(await readInMemory(plan, sources)).toBeDefined());
  await sql.query(`UPDATE venture.startup SET name = '!' || name WHERE name > 'M'`);
  outcomes.length = 0;
  expect(await readInMemory(plan, sources)).toBeUndefined();
  expect(outcomes).toEqual(['incomplete']);
  await sql.query(
    `UPDATE venture.startup SET name = substr(name, 2) WHERE name LIKE '!%' AND name NOT LIKE '! %'`,
  );
  await applyAll(oneByOne);
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
  const plan = planOf(false, 50);
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
