import { expect, test } from '@jest/globals';
import { bindFilter, bindOrderBy, parseFilter, parseOrderBy } from '@vcds/odata-query';
import { dimensionById } from '@vcds/venture-model';
import { varyingKeys } from '../../src/collections/order.ts';
import { type Access, accessAfter, accessOf } from '../../src/collections/page-access.ts';
import { type PagePlan, planCollection } from '../../src/collections/plan.ts';
import type { StatisticsOf } from '../../src/postgres/column-statistics.ts';
import { resources } from '../../src/resources/index.ts';
import { createCursors } from '../../src/serve/cursors.ts';

const resource = resources.startup;

/** Shares of the values of columns of a million rows; other values are rare. */
const SHARES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  id: {},
  founded: { 2010: 0.015, 2020: 0.03, 2025: 0.05, 2026: 0.04 },
  members_count: { 5: 0.2 },
  tags: { Frequent: 0.25, Third: 0.03, Rare: 0.0005 },
  countries: { Large: 0.4 },
};
const statistics: StatisticsOf = (_, column) => {
  const shares = SHARES[column];
  const frequent = new Map(Object.entries(shares ?? {}));
  return shares && { rows: 1_000_000, nulls: 0, bounds: [], frequent };
};

const filterOf = (text: string) => bindFilter(parseFilter(text), resource.fields);
const keysOf = (text: string) =>
  text === '' ? [] : bindOrderBy(parseOrderBy(text), resource.fields);

const AFTER = { after: { keys: ['a', 'b'], seen: 0n } };
const SKIPPED = { skip: 5_000 };
const IN_PATH = { parent: { table: 'venture.fund', id: 'an id', column: 'fund_id' } } as const;
const BELOW = {
  narrowed: {
    entity: 'startups',
    by: [{ dimension: dimensionById('industry'), parameter: '', values: [] }],
  },
} as const;

function accessTo(filter: string, order: string, top: number, more: Partial<PagePlan>): string {
  const plan: PagePlan = {
    ...{ kind: 'page', resource, parent: undefined, fields: [], expands: [] },
    ...{ recordCall: undefined, skip: 0, after: undefined, identity: '', top },
    ...{ filter: filter === '' ? undefined : filterOf(filter), orderBy: keysOf(order) },
    ...more,
  };
  return written(accessOf(plan, statistics));
}

function written(access: Access): string {
  if (access.kind === 'planned') return access.planning;
  if (access.kind === 'sorted') return 'sorted';
  const within = access.within.map(({ field, operator }) => `${field.name} ${operator}`);
  return `${access.rowsMax} in order${within.length === 0 ? '' : ` of ${within.join(', ')}`}`;
}

const ID = '00000000-0000-4000-8000-000000000000';

// A million rows: 26 rows in order are 104 of a quarter, 867 of 3 %, 52,000 of 0.05 %.
test.each<[string, string, string, number?, Partial<PagePlan>?]>([
  // An index bounds the work for all values.
  ['generic', '', ''],
  ['generic', '', 'Name desc'],
  ['generic', '', 'Founded desc,Name'],
  ['generic', '', 'Name', 5_000],
  ['generic', '', 'Name', 25, SKIPPED],
  ['generic', '', 'Name', 25, AFTER],
  ['custom', '', 'Founded desc,Name', 25, AFTER],
  ['generic', 'Founded ge 2010 and Founded lt 2020', 'Founded desc'],
  ['generic', 'Founded eq 1900', ''],
  ['generic', 'Founded eq 2010', 'Id desc'],
  ['generic', `Id in (${ID}) and Tag eq 'Rare'`, 'Name'],
  ['generic', "Tag eq 'Rare'", 'Founded desc,Name', 25, IN_PATH],
  // Values decide, and there are no statistics.
  ['custom', '', 'Name', 25, BELOW],
  ['custom', "Tag eq 'Rare'", 'Name', 25, BELOW],
  ['custom', "Name like '%a'", 'Name'],
  ['custom', "not (Name like 'a%')", 'Name'],
  ['custom', "Name like 'a%'", 'Founded'],
  ['custom', "Name like '%a'", 'Name', 25, IN_PATH],
  ['custom', `Id eq ${ID} and Name like '%a'`, ''],
  ['custom', "Tag eq 'Frequent' and Keywords eq 'x'", 'Name'],
  // A pattern with a beginning, by its field.
  ['sorted', "Name like 'a%'", 'Name'],
  ['sorted', "Name like 'a%' and Founded eq 2010", 'Name desc,Founded'],
  // The order or the matches, by the rows that are read.
  ['10000 in order', "Tag eq 'Frequent'", 'Name'],
  ['10000 in order', "Tag eq 'Third'", 'Name'],
  ['20000 in order', "Tag eq 'Third'", 'Name', 100],
  ['10000 in order', "Tag eq 'Third'", 'Name', 25, AFTER],
  ['sorted', "Tag eq 'Third'", 'Name', 1_000],
  ['sorted', "Tag eq 'Rare'", 'Name'],
  ['sorted', "Tag eq 'None'", 'Name'],
  ['sorted', "Tag eq 'Third' and Founded eq 2010", 'Name'],
  ['sorted', "Tag eq 'Rare' or Tag eq 'None'", 'Name'],
  ['10000 in order', "Tag eq 'Rare' or Tag eq 'Frequent'", 'Name'],
  ['10000 in order', "not (Tag eq 'Rare')", 'Name'],
  ['sorted', "Tag eq 'Third'", 'Founded desc,Name', 1_000],
  ['10000 in order', "Tag eq 'Third'", 'Founded desc,Name'],
  ['custom', "Tag eq 'Frequent'", 'Founded desc,Name', 25, AFTER],
  // Terms of the index of the order.
  ['10000 in order of Founded eq', "Founded eq 2010 and Tag eq 'Frequent'", ''],
  ['10000 in order of Founded eq', 'MembersCount eq 5 and Founded eq 2010', 'Id desc'],
  ['10000 in order of Founded ge', "Founded ge 2010 and Tag eq 'Frequent'", 'Founded desc,Name'],
  // Too many rows for a bound.
  ['custom', "Tag eq 'Frequent'", 'Name', 25, SKIPPED],
  ['custom', "Tag eq 'Frequent'", 'Name', 2_000],
])('a page is read %s: %s by %s (%d rows)', (access, filter, order, top = 25, more = {}) => {
  expect(accessTo(filter, order, top, more)).toBe(access);
});

test('a read in order that found few of its page is followed by a sort, else by a plan for the values', () => {
  const page = { top: 100 } as PagePlan;
  expect([0, 24, 25, 99].map((found) => written(accessAfter(found, page)))).toEqual([
    ...['sorted', 'sorted', 'custom', 'custom'],
  ]);
});

test('without statistics of the table, PostgreSQL plans for the values', () => {
  const plan = { resource, filter: filterOf("Tag eq 'Frequent'"), orderBy: keysOf('Name') };
  const page = { ...plan, parent: undefined, after: undefined, top: 25, skip: 0 };
  expect(written(accessOf(page as unknown as PagePlan, () => undefined))).toBe('custom');
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
