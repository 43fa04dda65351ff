import { expect, test } from '@jest/globals';
import { bindFilter, bindOrderBy, parseFilter, parseOrderBy } from '@vcds/odata-query';
import { createCursors } from '../../src/activity/position.ts';
import { accessAfterScan, accessOf, varyingKeys } from '../../src/collections/order-scan.ts';
import { type PagePlan, planCollection } from '../../src/collections/plan.ts';
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
