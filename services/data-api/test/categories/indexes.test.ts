import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { bindFilter, bindOrderBy, operatorsOf, parseFilter, parseOrderBy } from '@vcds/odata-query';
import { closedAfterAll, endConnections, eventually } from '@vcds/test-kit';
import { type DimensionId, dimensionById, type EntityId } from '@vcds/venture-model';
import type { FacetQuery } from '../../src/categories/facet-schema.ts';
import { CodeLookup } from '../../src/categories/sql-engine/code-lookup.ts';
import { compileCount } from '../../src/categories/sql-engine/compile-count.ts';
import { compileCount as compileCollectionCount } from '../../src/collections/count.ts';
import { withListedValues } from '../../src/collections/listed-values.ts';
import { accessOf } from '../../src/collections/page-access.ts';
import { compilePage } from '../../src/collections/page-sql.ts';
import { compileNarrowing } from '../../src/narrowing/sql.ts';
import { SqlValues } from '../../src/postgres/sql-values.ts';
import type { Statement } from '../../src/postgres/statement.ts';
import { resources } from '../../src/resources/index.ts';
import { executed, planned } from '../support/executed.ts';
import { openDatabase } from './support/engines.ts';
import { FIRST_PAGE, openManyCompanies } from './support/many-companies.ts';

const api = await closedAfterAll(openManyCompanies());

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
      const asked = {
        ...{ ...FIRST_PAGE, kind: 'page' as const, resource, parent: undefined, orderBy: [] },
        filter: bindFilter(parseFilter(filter), resource.fields),
        fields: [...resource.fields.values()],
      } as const;
      const statement = compilePage(await withListedValues(asked, api.database), '');
      const { scanned, bitmaps } = await planOf(statement);
      expect([filter, scanned]).toEqual([filter, expect.not.arrayContaining([table])]);
      expect([filter, bitmaps]).toEqual([filter, expect.arrayContaining([table])]);
    }
  },
);

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
  ['startup', 'generic', 'Founded eq ?', undefined, ['1950', '2009', '2100']],
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
      const asked = { ...shape, kind: 'page', orderBy, filter: bound } as const;
      const page = compilePage(
        asked,
        '',
        accessOf(asked, () => undefined),
      );
      const count = compileCollectionCount({ ...shape, kind: 'count', filter: bound });
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
