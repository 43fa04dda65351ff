/** How pages find their records: by which index, and how many rows they read. */
import { expect, test } from '@jest/globals';
import { bindFilter, bindOrderBy, parseFilter, parseOrderBy } from '@vcds/odata-query';
import { closedAfterAll } from '@vcds/test-kit';
import { compileCount } from '../../src/collections/count.ts';
import { accessOf, PLANNED, shareOfRows } from '../../src/collections/page-access.ts';
import { compileBoundary, compilePage } from '../../src/collections/page-sql.ts';
import type { PagePlan } from '../../src/collections/plan.ts';
import { resources } from '../../src/resources/index.ts';
import { FIRST_PAGE, openManyCompanies } from '../categories/support/many-companies.ts';
import { executed, planned } from '../support/executed.ts';

const api = await closedAfterAll(openManyCompanies());

test.each(['startup', 'fund', 'person'] as const)(
  'of %s, equal names are found by index, in pages and counts',
  async (name) => {
    const resource = resources[name];
    for (const text of ["Name eq 'Person 7'", "Name in ('Fund 7','Startup 7')"]) {
      const filter = bindFilter(parseFilter(text), resource.fields);
      const shape = { ...FIRST_PAGE, resource, parent: undefined, filter };
      const page = compilePage({ ...shape, kind: 'page', orderBy: [] }, '');
      const count = compileCount({ ...shape, kind: 'count' });
      for (const statement of [page, count]) {
        const { buffers, nodes } = await executed(api.sql, statement, 'custom');
        expect({ nodes, isShort: buffers < 50 }).toEqual({ nodes, isShort: true });
      }
    }
  },
);

test.each([
  ['Founded ge 2000', 10 / 60],
  ['Founded gt 1959 and MembersCount le 30', (50 / 60) * (30 / 60)],
  ['Founded in (1950,1951)', 2 / 60],
  ['not (Founded in (1950,1951))', 58 / 60],
  ["Tag eq 'Common'", 1],
  ["Tag eq 'None' or Founded ge 1980", 30 / 60],
  ['TotalRaised eq null', 1],
  ['CreatedTimeStamp ge 2020-01-01', 1],
  ['CreatedTimeStamp eq 2025-03-04T05:06:07.500Z', undefined],
  ['CreatedTimeStamp lt 2020-01-01T12:00:00Z', 0],
  ["Name like 'x%'", undefined],
  ["Founded ge 2000 and Keywords eq 'x'", undefined],
])('the estimated share of startups with %s is %d', (filter, share) => {
  const { table, fields } = resources.startup;
  const bound = bindFilter(parseFilter(filter), fields, { source: filter, today: '2026-01-01' });
  const estimated = shareOfRows(bound, table, api.database.statistics.of);
  if (share === undefined) expect(estimated).toBeUndefined();
  else expect(estimated).toBeCloseTo(share, 1);
});

function startupsBy($orderby: string, $filter: string, top = 25): PagePlan {
  const resource = resources.startup;
  return {
    ...{ ...FIRST_PAGE, top, kind: 'page', resource, parent: undefined },
    filter: bindFilter(parseFilter($filter), resource.fields),
    orderBy: bindOrderBy(parseOrderBy($orderby), resource.fields),
  };
}

// Of the second filter, the records are the last ones of the order.
test.each([
  ['Founded ge 1960', 'MembersCount desc', true],
  ['Founded ge 2000', 'MembersCount', false],
])(
  'a page of %s by %s reads a bounded number of rows in order',
  async ($filter, $orderby, isFull) => {
    const page = startupsBy($orderby, $filter, 1);
    const access = accessOf(page, api.database.statistics.of);
    if (access.kind !== 'inOrder') throw new Error('The order is not read.');
    const scan = compilePage(page, '', { ...access, rowsMax: 1_250 });
    const { buffers, nodes } = await executed(api.sql, scan, scan.plan);
    expect(nodes).toContain('Index Scan startup_members_count');
    expect(buffers).toBeLessThan(2 * 1_250);
    expect((await api.sql.query(scan.text, [...scan.values])).rows[0].more).toBe(isFull);
    const fields = [...page.resource.fields.values()].filter(({ name }) => name === 'Id');
    const called = await api.get('/startups', { $filter, $orderby, $top: '1', $select: 'Id' });
    const { text, values } = compilePage({ ...page, fields }, '');
    const [row] = (await api.sql.query(text, [...values])).rows;
    expect(called.body).toEqual(JSON.parse(row.body));
  },
);

test.each(['Name', 'Name desc,Founded'])(
  'of conditions that exclude each other, a page by %s reads the records that meet one',
  async ($orderby) => {
    const page = startupsBy($orderby, 'Founded lt 1955 and MembersCount gt 55');
    const access = accessOf(page, api.database.statistics.of);
    expect(access.kind).toBe('sorted');
    const { buffers, nodes } = await executed(api.sql, compilePage(page, '', access), 'custom');
    const inOrder = { kind: 'inOrder', rowsMax: 10_000, within: [] } as const;
    const { buffers: scanned } = await executed(
      api.sql,
      compilePage({ ...page, orderBy: page.orderBy.slice(0, 1) }, '', inOrder),
      'generic',
    );
    expect(nodes).not.toContain('Index Scan startup_name');
    expect(buffers).toBeLessThan(scanned / 5);
  },
);

test.each(['Id', 'Id desc', 'Id desc, Name'])(
  'a page by %s reads the primary key',
  async (order) => {
    const resource = resources.startup;
    const orderBy = bindOrderBy(parseOrderBy(order), resource.fields);
    const page = { kind: 'page', resource, parent: undefined, filter: undefined, orderBy } as const;
    const statement = compilePage({ ...FIRST_PAGE, ...page }, '');
    expect((await planned(api.sql, statement)).used).toEqual(['startup_pkey']);
  },
);

test.each(['TotalRaised, Name', 'TotalRaised desc, MembersCount, Name desc'])(
  'a page by %s does not sort all records that share the value of the first key',
  async (order) => {
    const resource = resources.startup;
    const orderBy = bindOrderBy(parseOrderBy(order), resource.fields);
    const page = { kind: 'page', resource, parent: undefined, filter: undefined, orderBy } as const;
    const plan = { ...page, ...FIRST_PAGE };
    const boundaries: (string | null)[] = [];
    for (;;) {
      const lookUp = compileBoundary(plan, PLANNED, boundaries);
      if (lookUp === undefined) break;
      const { rows } = await api.sql.query(lookUp.text, [...lookUp.values]);
      boundaries.push(rows[0].value);
    }
    const [split, sorted] = [compilePage(plan, '', PLANNED, boundaries), compilePage(plan, '')];
    const { buffers } = await executed(api.sql, split, split.plan);
    const { buffers: all } = await executed(api.sql, sorted, 'custom');
    expect(buffers).toBeLessThan(all / 3);
  },
);

test.each([
  ['MembersCount ge 30', '2009'],
  ['MembersCount lt 30', undefined],
])('of %s, the scan by Founded finds the boundary %s', async ($filter, value) => {
  const plan = startupsBy('Founded desc,Name', $filter);
  const lookUp = compileBoundary(plan, { kind: 'inOrder', rowsMax: 500, within: [] }, []);
  if (lookUp === undefined) throw new Error('The order has no boundary.');
  const { text, values } = lookUp;
  const { rows } = await api.sql.query(text, [...values]);
  expect(rows).toEqual(value === undefined ? [] : [{ value }]);
});
