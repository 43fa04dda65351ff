import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { bindFilter, bindOrderBy, operatorsOf, parseFilter, parseOrderBy } from '@vcds/odata-query';
import { closedAfterAll, endConnections, eventually } from '@vcds/test-kit';
import { type DimensionId, dimensionById, type EntityId } from '@vcds/venture-model';
import type { FacetQuery } from '../../src/categories/facet-schema.ts';
import { CodeLookup } from '../../src/categories/sql-engine/code-lookup.ts';
import { compileCount } from '../../src/categories/sql-engine/compile-count.ts';
import { type CountCondition, conditionOf } from '../../src/collections/count-condition.ts';
import {
  compileCount as compileCollectionCount,
  compileCountCorrection,
} from '../../src/collections/count-sql.ts';
import { accessOf } from '../../src/collections/order-scan.ts';
import type { PagePlan } from '../../src/collections/plan.ts';
import { selectivityOf } from '../../src/collections/selectivity.ts';
import {
  compileBoundary,
  compileOrderScan,
  compilePage,
  compileScannedBoundary,
} from '../../src/collections/sql.ts';
import { compileNarrowing } from '../../src/narrowing/sql.ts';
import { SqlValues } from '../../src/postgres/sql-values.ts';
import type { Statement } from '../../src/postgres/statement.ts';
import { resources } from '../../src/resources/index.ts';
import { executed, planned } from '../support/executed.ts';
import { openCategoryApi } from './support/category-api.ts';
import { openDatabase } from './support/engines.ts';

const api = await closedAfterAll(
  openCategoryApi({
    seed: `
      INSERT INTO venture.fund (id, name, website, domain, investment_types, groups, tags)
        SELECT md5('f' || i)::uuid, 'Fund ' || i, 'https://fund' || i, 'fund' || i, ARRAY[(ARRAY['VentureFund', 'Studio'])[1 + (i % 90 = 0)::int]],
          ARRAY['Group ' || i % 50], '{}' FROM generate_series(1, 1000) i;
      INSERT INTO venture.startup (id, name, website, domain, tags, addresses, founded, members_count)
        SELECT md5('s' || i)::uuid, 'Startup ' || i, 'https://site' || i, 'site' || i, ARRAY['Tag ' || i % 300, 'Common'],
          jsonb_build_array(jsonb_build_object('City', 'City ' || i % 700, 'Country', 'Country ' || i % 40)),
          1950 + i % 60, 1 + i % 60 FROM generate_series(1, 5000) i;
      INSERT INTO venture.funding_round (id, startup_id, date, series)
        SELECT md5('r' || i)::uuid, md5('s' || 1 + i % 4000)::uuid, date '2000-01-01' + i % 6000, 'Series ' || i % 80
        FROM generate_series(1, 6000) i;
      INSERT INTO venture.round_investor (round_id, fund_id)
        SELECT md5('r' || i)::uuid, md5('f' || 1 + i % 1000)::uuid FROM generate_series(1, 6000) i;
      INSERT INTO venture.person (name, location, countries)
        SELECT 'Person ' || i, 'City ' || i % 700, ARRAY['Country ' || i % 40] FROM generate_series(1, 5000) i;
      INSERT INTO venture.news (title, publisher)
        SELECT 'Title ' || i, 'Publisher ' || i % 90 FROM generate_series(1, 5000) i`,
  }),
);
// Also empties the pending lists of GIN indexes, which raise their estimated cost.
await api.sql.query('VACUUM ANALYZE');
await api.database.statistics.refresh();

const FIRST_PAGE = {
  ...{ fields: [], expands: [], recordCall: undefined },
  ...{ top: 25, skip: 0, after: undefined, identity: '' },
} as const;

const planOf = (statement: Statement) => planned(api.sql, statement);

const FACET_QUERIES: readonly (readonly [string, FacetQuery])[] = [
  [
    'startups',
    {
      entity: 'startups',
      narrowing: [{ dimension: 'city', values: ['City 7'] }],
      facets: [{ dimension: 'industry', top: 25, skip: 0, order: 'count' }],
    },
  ],
  [
    'startups through their investors',
    {
      entity: 'startups',
      narrowing: [
        { dimension: 'fund_group', values: ['Group 7'] },
        { dimension: 'country', values: ['Country 7'] },
      ],
      facets: [{ dimension: 'industry', top: 25, skip: 0, order: 'count' }],
    },
  ],
  [
    'rounds',
    {
      entity: 'rounds',
      narrowing: [{ dimension: 'city', values: ['City 7', 'City 8'] }],
      facets: [{ dimension: 'round_series', top: 25, skip: 0, order: 'count' }],
    },
  ],
];

test.each(FACET_QUERIES)('narrowed facets of %s are counted by index', async (_name, query) => {
  const database = openDatabase(api.url);
  const codes = await new CodeLookup(database).codesOf(query.narrowing);
  await database.close();
  const { scanned, used } = await planOf(compileCount(query, codes));
  const facets = query.entity === 'rounds' ? 'round_facet' : 'startup_facet';
  expect(used).toContain(`${facets}_codes`);
  expect(scanned).not.toContain(facets);
});

test('without narrowing only the stored counts are read', async () => {
  const facets = [{ dimension: 'industry', top: 25, skip: 0, order: 'count' } as const];
  const plan = await planOf(compileCount({ entity: 'startups', narrowing: [], facets }, []));
  expect([...plan.scanned, ...plan.used].filter((name) => name.includes('startup_facet'))).toEqual(
    [],
  );
});

const NARROWINGS: readonly (readonly [EntityId, string, DimensionId, string | number, string])[] = [
  ['startups', 'startup', 'city', 'City 7', 'startup_lists'],
  ['startups', 'startup', 'founded_year', 1951, 'startup_founded'],
  ['startups', 'startup', 'investor_type', 'Studio', 'fund_lists'],
  ['startups', 'startup', 'round_series', 'Series 7', 'funding_round_series'],
  ['startups', 'startup', 'round_stage', 7, 'funding_round_stage'],
  ['rounds', 'funding_round', 'city', 'City 7', 'startup_lists'],
  ['rounds', 'funding_round', 'fund_group', 'Group 7', 'fund_lists'],
  ['funds', 'fund', 'fund_group', 'Group 7', 'fund_lists'],
];

test.each(NARROWINGS)(
  '%s (%s) by %s are found by index',
  async (entity, table, id, value, index) => {
    const values = new SqlValues();
    const dimension = dimensionById(id);
    const condition = compileNarrowing([{ dimension, values: [{ value }] }], entity, 'r', values);
    const text = `SELECT count(*) FROM venture.${table} AS r WHERE r.deleted_at IS NULL AND ${condition}`;
    const { used } = await planOf({ text, values: values.values, plan: 'custom' });
    expect(used).toContain(index);
  },
);

/** Every field of a collection that takes `like`. */
const alike = (['fund', 'startup', 'fundingRound', 'person', 'news'] as const).flatMap((name) =>
  [...resources[name].fields.values()]
    .filter((field) => field.filterable && operatorsOf(field).includes('like'))
    .filter(({ type }) => type !== 'keywords')
    .map((field) => [name, field.name] as const),
);

test.each(alike)(
  'of %s, `%s like` is found by index, alone and with other terms',
  async (name, field) => {
    const resource = resources[name];
    const table = resource.table.replace('venture.', '');
    const pattern = `${field} like 'nowhere to be found'`;
    for (const filter of [
      pattern,
      `${pattern} and CreatedTimeStamp ge 2000-01-01`,
      `(${pattern} or Id eq 00000000-0000-4000-8000-000000000000) and CreatedTimeStamp ge 2000-01-01`,
    ]) {
      const statement = compilePage(
        {
          kind: 'page',
          resource,
          parent: undefined,
          filter: bindFilter(parseFilter(filter), resource.fields),
          orderBy: [],
          ...FIRST_PAGE,
          fields: [...resource.fields.values()],
        },
        '',
      );
      const { scanned, bitmaps } = await planOf(statement);
      expect([filter, scanned]).toEqual([filter, expect.not.arrayContaining([table])]);
      expect([filter, bitmaps]).toEqual([filter, expect.arrayContaining([table])]);
    }
  },
);

test.each(['startup', 'fund', 'person'] as const)(
  'of %s, equal names are found by index, in pages and counts',
  async (name) => {
    const resource = resources[name];
    for (const text of ["Name eq 'Person 7'", "Name in ('Fund 7','Startup 7')"]) {
      const filter = bindFilter(parseFilter(text), resource.fields);
      const shape = { ...FIRST_PAGE, resource, parent: undefined, filter };
      const page = compilePage({ ...shape, kind: 'page', orderBy: [] }, '');
      const count = compileCollectionCount({ ...shape, kind: 'count' }).statement;
      for (const statement of [page, count]) {
        const { buffers, nodes } = await executed(api.sql, statement, 'custom');
        expect({ nodes, isShort: buffers < 50 }).toEqual({ nodes, isShort: true });
      }
    }
  },
);

test('a count with bounds that the facet index rounds reads the records between by index', async () => {
  const filters = {
    startup_total_raised: 'TotalRaised ge 1234567',
    startup_latest_post_valuation: 'not (LatestPostValuation le 7654321)',
  };
  for (const [index, text] of Object.entries(filters)) {
    const filter = bindFilter(parseFilter(text), resources.startup.fields);
    const shape = { ...FIRST_PAGE, resource: resources.startup, parent: undefined, filter };
    const plan = { ...shape, kind: 'count' } as const;
    const condition = conditionOf(plan);
    expect(condition?.rounded).toBeDefined();
    const { used } = await planOf(compileCountCorrection(plan, condition as CountCondition));
    expect(used).toContain(index);
  }
});

const idOf = (text: string) => {
  const hex = createHash('md5').update(text).digest('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** Shapes of pages and counts with values that are frequent, rare and absent. */
const SHAPES: readonly (readonly [
  keyof typeof resources,
  Statement['plan'],
  filter: string,
  order: string | undefined,
  values: readonly string[],
])[] = [
  ['startup', 'generic', 'Id eq ?', 'Name', [idOf('s1'), idOf('none')]],
  ['fundingRound', 'generic', 'StartupId in (?) and Year ge 1900', 'Date desc', [idOf('s1')]],
  ['startup', 'generic', 'Founded ge ?', 'Founded desc', ['1900', '2009', '2100']],
  ['startup', 'generic', 'Founded ge ? and Founded lt 2005', 'Founded', ['1900', '2004', '2100']],
  ['startup', 'custom', 'Founded ge ?', 'Name', ['1900', '2009', '2100']],
  ['startup', 'custom', "Tag eq '?'", 'Founded desc', ['Common', 'Tag 7', 'None']],
  ['startup', 'custom', "Tag eq '?'", undefined, ['Common', 'Tag 7', 'None']],
  ['startup', 'custom', "City eq '?' and Founded ge 1990", 'Name', ['City 7', 'None']],
  ['startup', 'custom', "Tag eq '?' or Founded eq 1951", 'Name desc', ['Common', 'Tag 7']],
  ['fundingRound', 'custom', "Series eq '?' and Confirmed eq true", 'Amount', ['Series 7', 'None']],
  ['person', 'custom', "Country eq '?'", 'Name', ['Country 7', 'None']],
];

/** The chosen plan may read this many times the pages of the better one, and some more. */
const TIMES_MAX = 3;
const PAGES_MORE = 60;

test.each(SHAPES)(
  'of %s, the %s plan of `%s` by %s suits frequent, rare and absent values',
  async (name, plan, filter, order, values) => {
    const resource = resources[name];
    const { fields } = resource;
    const shape = { ...FIRST_PAGE, resource, parent: undefined };
    const orderBy = order === undefined ? [] : bindOrderBy(parseOrderBy(order), fields);
    for (const value of values) {
      const bound = bindFilter(parseFilter(filter.replace('?', value)), fields);
      const page = compilePage({ ...shape, kind: 'page', orderBy, filter: bound }, '');
      const count = compileCollectionCount({ ...shape, kind: 'count', filter: bound }).statement;
      expect([value, page.plan]).toEqual([value, plan]);
      for (const statement of [page, count]) {
        const { buffers: read } = await executed(api.sql, statement, statement.plan);
        const otherPlan = statement.plan === 'custom' ? 'generic' : 'custom';
        const { buffers: other } = await executed(api.sql, statement, otherPlan);
        expect(read).toBeLessThanOrEqual(TIMES_MAX * Math.min(read, other) + PAGES_MORE);
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
  ['CreatedTimeStamp lt 2020-01-01T12:00:00Z', 0],
  ["Name like 'x%'", undefined],
  ["Founded ge 2000 and Keywords eq 'x'", undefined],
])('the estimated share of startups with %s is %d', (filter, share) => {
  const { table, fields } = resources.startup;
  const bound = bindFilter(parseFilter(filter), fields, { source: filter, today: '2026-01-01' });
  const estimated = selectivityOf(bound, table, api.database.statistics.of);
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
    const scanOf = accessOf(page, api.database.statistics.of).scan;
    if (scanOf === undefined) throw new Error('The order is not scanned.');
    const scan = compileOrderScan(page, '', scanOf);
    const { buffers, nodes } = await executed(api.sql, scan, scan.plan);
    expect(nodes).toContain('Index Scan startup_members_count');
    expect(buffers).toBeLessThan(2 * scanOf.rowsMax);
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
    expect(access).toMatchObject({ scan: undefined, isSorted: true });
    const { buffers, nodes } = await executed(api.sql, compilePage(page, '', [], access), 'custom');
    const { buffers: scanned } = await executed(
      api.sql,
      compileOrderScan(page, '', { rowsMax: 10_000, within: [] }),
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
    expect((await planOf(statement)).used).toEqual(['startup_pkey']);
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
      const lookUp = compileBoundary(plan, boundaries);
      if (lookUp === undefined) break;
      const { rows } = await api.sql.query(lookUp.text, [...lookUp.values]);
      boundaries.push(rows[0].value);
    }
    const [split, sorted] = [compilePage(plan, '', boundaries), compilePage(plan, '')];
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
  const { text, values } = compileScannedBoundary(plan, { rowsMax: 500, within: [] });
  const { rows } = await api.sql.query(text, [...values]);
  expect(rows).toEqual(value === undefined ? [] : [{ value }]);
});

test('an unknown value causes no sequential scan', async () => {
  const scans = async () => {
    // A connection reports its statistics when it ends, else seconds later.
    await endConnections(api.url);
    await eventually(() => api.sql.idleCount === 0, { intervalMs: 1 });
    const { rows } = await api.sql.query(
      `SELECT relname, seq_scan::int FROM pg_stat_user_tables
       WHERE relname IN ('startup', 'funding_round') ORDER BY 1`,
    );
    return rows;
  };
  const before = await scans();
  for (const query of [{ industry: 'Nothing' }, { city: 'Nowhere' }, { round_series: 'None' }]) {
    expect((await api.get('/categories/facets', { ...query, dimensions: 'country' })).status).toBe(
      400,
    );
  }
  expect(await scans()).toEqual(before);
});
