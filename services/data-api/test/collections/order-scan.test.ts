import { expect, jest, test } from '@jest/globals';
import { bindFilter, bindOrderBy, parseFilter, parseOrderBy } from '@vcds/odata-query';
import { createCursors } from '../../src/activity/position.ts';
import {
  decodeFirst,
  decodeFirstRequest,
  encodeFirst,
  encodeFirstQuery,
  FIRST_RECORDS_MAX,
} from '../../src/categories/remote-engine/protocol.ts';
import { withoutDeepSkip } from '../../src/collections/deep-skip.ts';
import { compileTextRange, indexedPageOf } from '../../src/collections/indexed-order.ts';
import { accessAfterScan, accessOf, varyingKeys } from '../../src/collections/order-scan.ts';
import { type PagePlan, planCollection } from '../../src/collections/plan.ts';
import {
  type MemorySources,
  type RecordFinder,
  readInMemory,
  readsMany,
} from '../../src/collections/read-in-memory.ts';
import { compilePage } from '../../src/collections/sql.ts';
import type { StatisticsOf } from '../../src/postgres/column-statistics.ts';
import { resources } from '../../src/resources/index.ts';

const resource = resources.startup;

/** Shares of the values of columns; other values are rare. */
const SHARES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  id: {},
  founded: { 2010: 0.015, 2020: 0.03, 2025: 0.05, 2026: 0.04 },
  members_count: { 5: 0.2 },
  tags: { Frequent: 0.25, Third: 0.03, Rare: 0.0005 },
  countries: { Large: 0.4 },
};

const statisticsOf =
  (rows: number): StatisticsOf =>
  (_, column) => {
    const shares = SHARES[column];
    return shares && { rows, nulls: 0, bounds: [], frequent: new Map(Object.entries(shares)) };
  };

const filterOf = (text: string) => bindFilter(parseFilter(text), resource.fields);
const keysOf = (text: string) =>
  text === '' ? [] : bindOrderBy(parseOrderBy(text), resource.fields);

function pageOf($filter: string | undefined, $orderby: string, top: number): PagePlan {
  const filter = $filter === undefined ? undefined : filterOf($filter);
  return {
    ...{ kind: 'page', resource, parent: undefined, fields: [], expands: [] },
    ...{ recordCall: undefined, skip: 0, after: undefined, identity: '' },
    ...{ filter, top, orderBy: keysOf($orderby) },
  };
}

const accessTo = ($filter: string, $orderby: string, top = 25, rows = 1_000_000) =>
  accessOf(pageOf($filter, $orderby, top), statisticsOf(rows));

test.each([
  ['the tie break', 'Founded eq 2010', '', 5_000],
  ['the field itself', 'Founded eq 2010', 'Founded desc', 5_000],
  ['the tie break, with a further term', "Founded eq 2010 and Tag eq 'Frequent'", '', 10_000],
])('an equality by %s reads the rows of its index in order', (_, $filter, $orderby, rowsMax) => {
  const { scan } = accessTo($filter, $orderby);
  expect(scan?.within.map(({ field }) => field.name)).toEqual(['Founded']);
  expect(scan?.rowsMax).toBeLessThanOrEqual(rowsMax);
});

test('comparisons with the first key are read by its index', () => {
  const $filter = 'Founded ge 2010 and Founded lt 2020 and MembersCount eq 5';
  for (const $orderby of ['Founded', 'Founded desc,Name']) {
    const { scan } = accessTo($filter, $orderby);
    expect(scan?.within.map(({ operator }) => operator)).toEqual(['ge', 'lt']);
  }
});

test('of two equalities, the one with fewer rows is read', () => {
  const { scan } = accessTo('MembersCount eq 5 and Founded eq 2010', 'Id desc');
  expect(scan?.within.map(({ field }) => field.name)).toEqual(['Founded']);
});

test('a rare value of an equality is neither scanned for nor sorted: its index has the order', () => {
  expect(accessTo('Founded eq 1900', '')).toMatchObject({ scan: undefined, isSorted: false });
  expect(accessTo('Founded eq 1900', 'Name')).toMatchObject({ scan: undefined, isSorted: true });
});

// The scan reads 26, 101 and 1,001 rows divided by the share; the sort the share of a million rows.
test.each([
  ["Tag eq 'Frequent'", 25, true],
  ["Tag eq 'Third'", 25, true],
  ["Tag eq 'Third'", 100, true],
  ["Tag eq 'Third'", 1_000, false],
  ['Founded eq 2010', 100, true],
  ['Founded eq 2010', 1_000, false],
  ["Tag eq 'Rare'", 25, false],
  ["Tag eq 'Third' and Founded eq 2010", 25, false],
])('a page of %s, %d rows, by another field is scanned: %p', ($filter, top, isScanned) => {
  const { scan } = accessTo($filter, 'Name', top);
  expect(scan !== undefined).toBe(isScanned);
  expect(scan?.rowsMax ?? 0).toBeLessThanOrEqual(Math.max(10_000, 200 * (top + 1)));
});

test('the rows that are sorted are bounded, not their share', () => {
  expect(accessTo("Tag eq 'Third'", 'Name', 25, 1_000_000).isSorted).toBe(true);
  expect(accessTo("Tag eq 'Third'", 'Name', 25, 10_000_000).isSorted).toBe(false);
  expect(accessTo("Tag eq 'Third'", 'Name,Founded', 25, 100_000).isSorted).toBe(true);
  expect(accessTo("Tag eq 'Third'", 'Name,Founded', 25, 1_000_000).isSorted).toBe(false);
});

test('a scan that finds few of the page is followed by a sort of all matches', () => {
  const page = pageOf("Country eq 'Large'", 'TotalRaised desc', 100);
  const access = accessOf(page, statisticsOf(1_000_000));
  expect(access).toMatchObject({ scan: { within: [] }, isSorted: false });
  const then = [0, 24, 25, 100].map((found) => accessAfterScan(access, found, page).isSorted);
  expect(then).toEqual([true, true, false, false]);
});

test.each([
  ["Country eq 'Large' and Founded eq 2010", 'Founded'],
  ["Tag eq 'Rare' and Founded eq 2010", undefined],
  ['Founded eq 2010', undefined],
])('the rows of %s that are sorted are read by %s', ($filter, name) => {
  const { isSorted, sortedWithin } = accessTo($filter, 'Name');
  expect(isSorted).toBe(true);
  expect(sortedWithin?.field.name).toBe(name);
});

test('a filter that the statistics do not have is planned for its values', () => {
  for (const $filter of ["Name like '%a'", "Name like 'é%'", "not (Name like 'a%')"]) {
    expect(accessTo($filter, 'Name')).toMatchObject({ scan: undefined, isSorted: false });
  }
  expect(accessTo("Name like 'a%'", 'Founded')).toMatchObject({ scan: undefined, isSorted: false });
});

test('a pattern with a beginning is scanned for in the order of its field, or its matches are sorted', () => {
  expect(accessTo("Name like 'a%' and Founded eq 2010", 'Name')).toMatchObject({
    scan: { prefix: { text: 'a' } },
    isSorted: false,
  });
  expect(accessTo("Name like 'a%'", 'Name,Founded')).toMatchObject({ isSorted: true });
});

test.each([
  ["Country eq 'Large'", '2010', 25, false],
  ["Tag eq 'Third'", '2026', 25, true],
  ["Tag eq 'Third'", '1900', 25, true],
  ["Country eq 'Large' and Tag eq 'Third'", '2026', 25, true],
  ["Country eq 'Large' and MembersCount eq 5", '2026', 25, false],
  ["Country eq 'Large' and MembersCount eq 5", '2026', 1_000, true],
  [undefined, '2026', 25, false],
  [undefined, '1900', 25, true],
])(
  'of %s, the records of Founded %s are sorted for %d rows: %p',
  ($filter, value, top, isSorted) => {
    const { isGroupSorted } = accessOf(
      pageOf($filter, 'Founded desc,Name', top),
      statisticsOf(1_000_000),
    );
    expect(isGroupSorted([value])).toBe(isSorted);
  },
);

test('of a page by two keys, only the records with the value of the first one are sorted', () => {
  const plan = pageOf("Tag eq 'Third'", 'Founded desc,Name', 25);
  const access = accessOf(plan, statisticsOf(1_000_000));
  const parts = compilePage(plan, '', ['2026'], access).text.split('UNION ALL');
  const isSorted = parts.map((part) => part.includes('OFFSET 0'));
  const isGroup = parts.map((part) => /founded (?:= \$|IS NULL)/u.test(part));
  expect(isGroup).toContain(false);
  expect(isSorted).toEqual(isGroup);
});

test('a cursor with another number of keys, as of another version, is invalid', () => {
  const cursors = createCursors(['a secret']).pages;
  const planned = (keys: readonly string[]) => {
    const cursor = cursors.encode({ keys, seen: 0n }, 'query');
    const filter = parseFilter('Founded eq 2010');
    const orderBy = parseOrderBy('Founded,Name');
    return planCollection(
      {
        ...{ filter, orderBy, cursor, identity: 'query', top: 25, skip: 0, count: false },
        ...{ filterText: undefined, select: undefined, expand: undefined },
      },
      { resource, ceiling: { plan: 'scale', topMax: 100 }, today: '2026-01-01', cursors },
    );
  };
  expect(planned(['a', 'id'])).toMatchObject({ after: { keys: ['a', 'id'] } });
  expect(() => planned(['2010', 'a', 'id'])).toThrow('Invalid $skiptoken.');
});

test.each([
  ['Founded eq 2010', 'Founded desc,Name', 'Name'],
  ['Founded eq null', 'Founded,Name desc', 'Name'],
  ['Founded eq 2010 and TotalRaised eq 5', 'Founded,TotalRaised,Name', 'Name'],
  ['Founded eq 2010', 'Name,Founded', 'Name,Founded'],
  ['Founded eq 2010', 'Founded', 'Founded'],
  ['Founded ge 2010', 'Founded,Name', 'Founded,Name'],
  ['Founded eq 2010 or Founded eq 2011', 'Founded,Name', 'Founded,Name'],
  ['not (Founded eq 2010)', 'Founded,Name', 'Founded,Name'],
  ["Name eq 'a'", 'Name,Founded', 'Name,Founded'],
])('with %s, the keys of %s that order records are %s', ($filter, $orderby, names) => {
  const keys = varyingKeys(keysOf($orderby), filterOf($filter));
  expect(keys.map(({ field }) => field.name).join(',')).toBe(names);
});

test.each([
  [undefined, 'TotalRaised desc', 50_000, false],
  [undefined, 'TotalRaised desc', 500_000, true],
  // From the end of the order.
  [undefined, 'TotalRaised desc', 950_000, false],
  [undefined, 'Id,Name', 950_000, false],
  [undefined, 'Founded,TotalRaised', 900_000, true],
  [undefined, 'Founded,TotalRaised', 1_000, false],
  ["Country eq 'Large'", 'Founded', 1_000, true],
  ["Country eq 'Large'", 'Id', 0, false],
  ["Name like 'a%'", 'Id', 0, true],
])('of %s by %s, a page after %d records is found in memory: %p', ($filter, $orderby, skip, is) => {
  const plan = { ...pageOf($filter, $orderby, 25), skip };
  expect(readsMany(plan, accessOf(plan, statisticsOf(1_000_000)))).toBe(is);
});

test('a page of all records by name is found by ranges only after others', async () => {
  const records: RecordFinder = {
    isReady: () => true,
    found: (outcome) => {
      throw new Error(outcome);
    },
    firstRecords: async () => undefined,
  };
  const database = { rows: async () => [] } as unknown as MemorySources['database'];
  const sources: MemorySources = { database, baseUrl: '', categories: { records } };
  const plan = { ...pageOf(undefined, 'Name,Founded', 25), skip: 500_000 };
  const access = accessOf(plan, statisticsOf(1_000_000));
  expect(await readInMemory({ ...plan, skip: 0 }, sources, access)).toBeUndefined();
  await expect(readInMemory(plan, sources, access)).rejects.toThrow('failed');
  const byYear = { ...plan, orderBy: keysOf('Founded,Name') };
  await expect(readInMemory(byYear, sources, access)).rejects.toThrow('failed');
  // Without ranges, there is none to begin with after a cursor.
  const next = {
    ...pageOf("Tag eq 'Rare'", 'Name', 25),
    after: { keys: ['a', 'an id'], seen: 0n },
  };
  jest.spyOn(database, 'rows').mockResolvedValueOnce([{ number: null }]);
  const rejected = readInMemory(next, sources, access);
  await expect(rejected).rejects.toThrow('not_indexed');
  const loading = { ...sources, categories: { records: { ...records, isReady: () => false } } };
  await expect(readInMemory(next, loading, access)).rejects.toThrow('not_ready');
});

test('a page after many records is skipped by the database if the group of its position shrinks', async () => {
  const plan = { ...pageOf(undefined, 'Founded,Name', 25), skip: 600 };
  const replies: object[][] = [];
  const database = {
    rows: async <Row extends object>() => (replies.shift() ?? []) as Row[],
  };
  replies.push([{ value: '2009', before: '590' }], [{ keys: [2009, 'a', 'an id'] }]);
  const after = { keys: [2009, 'a', 'an id'], seen: 0n };
  expect(await withoutDeepSkip(plan, database)).toEqual({ ...plan, skip: 0, after });
  // Its last record is deleted between the two statements.
  replies.push([{ value: '2009', before: '590' }], []);
  expect(await withoutDeepSkip(plan, database)).toBe(plan);
});

test('a page with the most records asks the facet process for no more than it accepts', () => {
  const page = {
    ...pageOf("Tag eq 'Rare' and TotalRaised gt 1234567", 'Founded,Name', 5_000),
    skip: 6_000,
  };
  const found = indexedPageOf(page);
  expect(found?.query.countMax).toBeGreaterThan(5_000);
  for (const each of [page, pageOf('TotalRaised le 1234567', 'Name', 6_000)]) {
    expect(indexedPageOf(each)?.query.countMax).toBeLessThanOrEqual(FIRST_RECORDS_MAX);
  }
});

test('an order by name is one of ranges, with later keys only for the database', () => {
  const byName = indexedPageOf(pageOf("Tag eq 'Rare'", 'Name desc,Founded', 25));
  const name = { dimension: 'name', descending: true, exactBelow: 0 };
  expect(byName?.query).toMatchObject({ order: [name], ids: undefined });
  const after = { keys: ['Émile', null, 'an id'], seen: 0n };
  const next = { ...pageOf("Tag eq 'Rare'", 'Name,Founded', 25), after };
  expect(compileTextRange(next)?.values).toEqual(['Émile']);
  expect(indexedPageOf(next, { rangeNumber: 7 })?.query.from?.values).toEqual([7]);
  expect(indexedPageOf(next)).toBeUndefined();
  expect(compileTextRange(pageOf("Tag eq 'Rare'", 'Name', 25))).toBeUndefined();
  expect(compileTextRange({ ...next, orderBy: keysOf('Founded') })).toBeUndefined();
  expect(compileTextRange({ ...next, filter: filterOf("Name ne 'a'") })).toBeUndefined();
});

test('a request and a response of first records are checked on both sides', () => {
  const { query } = indexedPageOf(pageOf('Founded eq 2010', 'Founded', 25)) ?? {};
  if (query === undefined) throw new Error('The page is in the index.');
  const body = { schema: 'a', query: encodeFirstQuery({ ...query, version: 1 }) };
  expect(decodeFirstRequest(body)?.query).toEqual({ ...query, version: 1 });
  for (const wrong of [{ countMax: 1 }, { countMax: 20_001 }, { skip: -1 }, { ids: 'up' }]) {
    expect(decodeFirstRequest({ ...body, query: { ...body.query, ...wrong } })).toBeUndefined();
  }
  const records = { ids: undefined, isAll: false, start: undefined, version: 2 };
  const text = JSON.stringify(encodeFirst(records));
  expect(decodeFirst(text)).toEqual(records);
  for (const id of [undefined, '5a0e6d2c-2b6b-4b7e-9a51-6f0f4f5a3c11']) {
    const after = { ...records, start: { values: [2010, null], id, before: 3, equal: 2 } };
    expect(decodeFirst(JSON.stringify(encodeFirst(after)))).toEqual(after);
  }
  for (const wrong of ['"ids":["x"]', '"start":{"values":[1]}']) {
    const [name] = wrong.split(':');
    expect(() => decodeFirst(text.replace(`${name}:null`, wrong))).toThrow('invalid records');
  }
});

test('a condition with rounded bounds has a superset that keeps its other terms', () => {
  const found = indexedPageOf(pageOf("Tag eq 'Rare' and not TotalRaised gt 1234567", '', 25));
  expect(found?.query.where).toEqual({
    kind: 'and',
    of: [
      { kind: 'values', dimension: 'industry', values: ['Rare'] },
      { kind: 'not', of: { kind: 'range', dimension: 'amount', least: 1_240_000, most: null } },
    ],
  });
});
