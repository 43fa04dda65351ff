// Tests docs/spec/categories.md 8.3, 8.6.
// Tests docs/spec/errors.md 11.2.
// Tests docs/spec/limits.md 12.2.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { DIMENSION_IDS, dimensionById, dimensionsOf, TOTAL } from '@vcds/venture-model';
import { SQL_RECORDS_MAX, SqlFacetEngine } from '../../src/categories/sql-engine/sql-engine.ts';
import type { Database } from '../../src/postgres/database.ts';
import { chargedOf, errorOf, openApi, type Query } from '../support/api.ts';
import { openCategoryApi } from './support/category-api.ts';

const api = await closedAfterAll(openCategoryApi());
const freeApi = await closedAfterAll(
  openApi({
    seed: 'SELECT 1',
    principal: { plan: 'free', scopes: new Set(['categories']) },
  }),
);

const SEE = 'http://data.example/v2/categories';
const FACETS = '/categories/facets';
const STAGE = '/categories/stage';
const SEED = '/categories/stage/seed/startups';

type ErrorCase = readonly [call: string, code: string, error?: Record<string, unknown>];

const OF_STARTUPS = dimensionsOf('startups').map(({ id }) => id);

const ERRORS: readonly ErrorCase[] = [
  [
    '/categories?entity=people',
    'unknown_entity',
    { parameter: 'entity', value: 'people', allowed: ['startups', 'funds', 'rounds'], see: SEE },
  ],
  ['/categories?entity=startup', 'unknown_entity', { suggestion: 'startups' }],
  ['/categories?entity=constructor', 'unknown_entity'],
  ['/categories?entity=', 'bad_parameter', { parameter: 'entity' }],
  [
    '/categories?country=France',
    'unknown_parameter',
    { parameter: 'country', allowed: ['entity', '$format', 'quote'] },
  ],
  ['/categories/facets?entity=x', 'unknown_entity'],
  [
    '/categories/facets?dimensions=industry,sector',
    'unknown_dimension',
    { parameter: 'dimensions', value: 'sector', allowed: OF_STARTUPS, see: SEE },
  ],
  ['/categories/facets?dimensions=contry', 'unknown_dimension', { suggestion: 'country' }],
  // A dimension of funds, counted of startups, and one of startups, counted of rounds.
  [
    '/categories/facets?dimensions=fund_group',
    'unknown_dimension',
    { parameter: 'dimensions', value: 'fund_group', see: `${SEE}?entity=startups` },
  ],
  [
    '/categories/facets?entity=rounds&dimensions=stage',
    'unknown_dimension',
    { allowed: dimensionsOf('rounds').map(({ id }) => id) },
  ],
  [`/categories/facets?dimensions=${DIMENSION_IDS.slice(0, 11)}`, 'bad_parameter'],
  ['/categories/facets?dimensions=industry,,city', 'bad_parameter', { parameter: 'dimensions' }],
  ['/categories/facets?top=0', 'bad_parameter', { parameter: 'top' }],
  ['/categories/facets?top=501', 'bad_parameter', { parameter: 'top' }],
  ['/categories/facets?skip=1', 'unknown_parameter', { parameter: 'skip' }],
  ['/categories/facets?$top=1', 'unknown_parameter', { suggestion: 'top' }],
  ['/categories/facets?Country=France', 'unknown_parameter', { suggestion: 'country' }],
  ['/categories/stage?top=501', 'bad_parameter', { parameter: 'top' }],
  ['/categories/stage?skip=-1', 'bad_parameter', { parameter: 'skip' }],
  ['/categories/stage?counts=no', 'bad_parameter', { allowed: ['true', 'false'] }],
  ['/categories/stage?q=+', 'bad_parameter', { parameter: 'q' }],
  [`/categories/stage?q=${'x'.repeat(101)}`, 'bad_parameter', { parameter: 'q' }],
  ['/categories/stage?dimensions=city', 'unknown_parameter'],
  ['/categories/stages', 'unknown_dimension', { parameter: 'dimension', suggestion: 'stage' }],
  ['/categories/__proto__', 'unknown_dimension'],
  [
    '/categories/stage?entity=funds',
    'unknown_dimension',
    { parameter: 'dimension', value: 'stage', see: `${SEE}?entity=funds` },
  ],
  [
    '/categories/stage?next_stage=series-aa',
    'unknown_value',
    {
      parameter: 'next_stage',
      value: 'series-aa',
      suggestion: 'Series A',
      see: `${SEE}/next_stage?entity=startups`,
    },
  ],
  [
    '/categories/stage?operating_status=active,ACTIVE',
    'unknown_value',
    { value: 'ACTIVE', suggestion: 'Active', allowed: ['Active', 'Probably closed', 'Closed'] },
  ],
  ['/categories/stage?next_stage=23', 'unknown_value', { value: '23' }],
  [
    '/categories/facets?founded_year=lately',
    'unknown_value',
    {
      parameter: 'founded_year',
      allowed: expect.arrayContaining(['2000']),
      see: `${SEE}/founded_year?entity=startups`,
    },
  ],
  ['/categories/facets?industry=', 'bad_parameter', { parameter: 'industry' }],
  ['/categories/facets?industry=Fintech,', 'bad_parameter', { parameter: 'industry' }],
  ['/categories/facets?industry="Fintech', 'bad_parameter', { parameter: 'industry' }],
  ['/categories/facets?industry="Fin"tech', 'bad_parameter', { parameter: 'industry' }],
  [`/categories/facets?city=${'c,'.repeat(500)}c`, 'bad_parameter', { parameter: 'city' }],
  ['/categories/stages/seed/startups', 'unknown_dimension', { suggestion: 'stage' }],
  ['/categories/stage/seed/startup', 'unknown_entity', { suggestion: 'startups' }],
  ['/categories/stages/seed/startup', 'unknown_dimension'],
  ['/categories/stage/seeed/startups', 'unknown_value', { parameter: 'value', suggestion: 'Seed' }],
  [`${SEED}?$top=5001`, 'bad_parameter', { parameter: '$top' }],
  [`${SEED}?top=1`, 'unknown_parameter', { suggestion: '$top' }],
  [`${SEED}?$filter=(`, 'bad_filter'],
  [`${SEED}?$select=Nope`, 'unknown_field'],
  [`${SEED}?$expand=Nope`, 'unknown_relation'],
];

test.each(ERRORS)('%.100s is %s', async (call, code, error = {}) => {
  const [path = '', query] = call.split('?');
  const reply = await api.get(path, Object.fromEntries(new URLSearchParams(query)));
  expect(errorOf(reply)).toMatchObject({ status: 400, code, ...error });
  expect(reply.status).toBe(400);
  expect(chargedOf(reply)).toBe(0);
});

test.each(["'4.0'", "'04'", "'series a'", "'SeriesZ'"])(
  'a filter rejects the closed value %s as a path does',
  async (value) => {
    const filtered = await api.get('/startups', { $filter: `LastFundingStage eq ${value}` });
    const below = await api.get(`/categories/stage/${value.replaceAll("'", '')}/startups`);
    expect(errorOf(filtered)).toMatchObject({ code: 'unknown_value' });
    expect(errorOf(below)).toMatchObject({ code: 'unknown_value' });
    expect(errorOf(below).suggestion).toEqual(errorOf(filtered).suggestion);
  },
);

test('a path that is not valid text is rejected', async () => {
  const nul = await api.get('/categories/industry/%00/startups');
  expect(errorOf(nul)).toMatchObject({ code: 'bad_parameter', parameter: 'path' });
  const broken = await api.get('/categories/industry/%zz/startups');
  expect(broken.status).toBe(400);
  expect((await api.get('/categories/industry/%20/startups')).status).toBe(400);
});

describe('values that do not occur', () => {
  const NO_SUGGESTION = expect.not.stringMatching(/did you mean/);
  const cases: readonly (readonly [string, Query, Record<string, unknown>])[] = [
    ['a mistyped tag', { industry: 'Fintehc' }, { value: 'Fintehc', suggestion: 'Fintech' }],
    ['a tag without its accent', { industry: 'Saude' }, { suggestion: 'Saúde' }],
    ['a tag in another case', { industry: 'FINTECH' }, { suggestion: 'Fintech' }],
    ['one of several', { country: 'France,Norwai' }, { value: 'Norwai', suggestion: 'Norway' }],
    ['a value of another dimension', { city: 'Fintech' }, { parameter: 'city' }],
    ['a year that does not occur', { founded_year: '1999' }, { suggestion: '2000' }],
    ['a year with decimals', { founded_year: '2000.0' }, { suggestion: '2000' }],
    ['a distant year, one digit off', { founded_year: '3000' }, { message: NO_SUGGESTION }],
    ['a value of deleted records only', { fund_group: 'Gone' }, { parameter: 'fund_group' }],
    ['a value with a quote', { city: `"it's ""here"""` }, { value: `it's "here"` }],
    ['a wildcard', { city: '%' }, { value: '%' }],
  ];

  test.each(cases)('%s', async (_name, query, error) => {
    for (const path of [FACETS, '/categories/industry', SEED]) {
      const reply = await api.get(path, query);
      expect([path, errorOf(reply)]).toMatchObject([path, { code: 'unknown_value', ...error }]);
      expect(errorOf(reply).see).toMatch(/^http:\/\/data\.example\/v2\/categories\/\w+\?entity=/);
      expect(chargedOf(reply)).toBe(0);
    }
  });
});

// Each value in another spelling, of every dimension.
const SPELLINGS: Readonly<Record<string, (value: string) => string>> = {
  'upper case': (value) => value.toUpperCase(),
  'lower case': (value) => value.toLowerCase(),
  'blanks for hyphens': (value) => value.replaceAll(/[-–]/g, ' '),
  'hyphens for blanks': (value) => value.replaceAll(' ', '-'),
  'blanks around': (value) => `  ${value} `,
};
const SPELLED = DIMENSION_IDS.flatMap((id) =>
  Object.entries(SPELLINGS).map(([spelling, write]) => [id, spelling, write] as const),
);

test.each(SPELLED)(
  'a value of %s in %s is understood, or answered with a suggestion that is',
  async (id, _spelling, write) => {
    const { entities, closed = [] } = dimensionById(id);
    const entity = entities[0] ?? '';
    const totalOf = async (value: string) => {
      const written = /[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
      const reply = await api.get(FACETS, { entity, dimensions: id, [id]: written });
      return reply.status === 200 ? (reply.body as { total: number }).total : errorOf(reply);
    };
    const listed = await api.get(`/categories/${id}`, { entity, top: '6' });
    const { values } = listed.body as { values: { value: string; label: string; slug?: string }[] };
    expect(values.length).toBeGreaterThan(0);
    const isClosed = closed.length > 0;
    for (const { value, label, slug } of values) {
      const canonical = await totalOf(String(value));
      for (const text of isClosed ? [label, slug ?? label] : [label]) {
        const total = await totalOf(write(text));
        const found =
          typeof total === 'number'
            ? total
            : await totalOf(String(total.suggestion).replaceAll(/^"|"$/g, ''));
        expect([text, found]).toEqual([text, canonical]);
      }
    }
  },
);

test('a truth value is a suggestion of whether a round is confirmed', async () => {
  for (const [value, suggestion] of [
    ['true', 'Confirmed'],
    ['No', 'Unconfirmed'],
  ] as const) {
    const reply = await api.get(FACETS, { entity: 'rounds', confirmed: value });
    expect(errorOf(reply)).toMatchObject({ code: 'unknown_value', suggestion });
  }
});

test('without a similar value the error lists the most common ones', async () => {
  for (const [id, none] of [
    ['city', 'zzzzqqq'],
    ['industry', 'Xyxyxy'],
    ['round_series', 'qqqqqq'],
  ] as const) {
    const counts = new Map<string, number>();
    for (const entity of ['startups', 'funds', 'rounds']) {
      const reply = await api.get(`/categories/${id}`, { entity, top: '500' });
      if (reply.status !== 200) continue;
      const { values } = reply.body as { values: { value: string; count: number }[] };
      for (const { value, count } of values) {
        counts.set(value, Math.max(count, counts.get(value) ?? 0));
      }
    }
    const error = errorOf(await api.get(FACETS, { [id]: none }));
    expect(error).not.toHaveProperty('suggestion');
    expect(error.message).not.toMatch(/did you mean/);
    const named = (error.allowed as string[]).map((value) => counts.get(value));
    const common = [...counts.values()].sort((a, b) => b - a).slice(0, 50);
    expect([id, named]).toEqual([id, common]);
  }
});

test('the same value in a filter is an empty answer', async () => {
  const reply = await api.get('/categories/stage/seed/startups', { $filter: "Tag eq 'Fintehc'" });
  expect([reply.status, reply.body]).toEqual([200, []]);
  expect(chargedOf(reply)).toBe(1);
});

test('listings require the scope categories, entity paths that of the collection', async () => {
  for (const path of ['/categories', FACETS, STAGE]) {
    expect((await freeApi.get(path)).status).toBe(200);
  }
  const reply = await freeApi.get(SEED);
  expect([reply.status, errorOf(reply).code]).toEqual([403, 'not_entitled']);
  expect(errorOf(reply).message).toMatch(/companies/);
  const rounds = await freeApi.get('/categories/stage/seed/rounds');
  expect(errorOf(rounds).message).toMatch(/rounds/);
});

test('without an index in memory, 200,000 records and more are not counted: 503 with Retry-After, free', async () => {
  const facets = (database: Database) =>
    new SqlFacetEngine(database, { recordsMax: SQL_RECORDS_MAX });
  const loading = await openCategoryApi({ facets });
  try {
    const narrowed = () => loading.get(FACETS, { stage: 'seed' });
    const stored = (count: number) =>
      loading.sql.query(
        `UPDATE venture.facet_count SET count = ${count} WHERE entity = 1 AND code = ${TOTAL}`,
      );
    await stored(199_999);
    expect((await narrowed()).status).toBe(200);
    await stored(200_000);
    const reply = await narrowed();
    expect([reply.status, errorOf(reply).code, chargedOf(reply)]).toEqual([503, 'unavailable', 0]);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    expect((await loading.get(FACETS)).body).toMatchObject({ total: 200_000 });
    expect((await loading.get(FACETS, { entity: 'rounds', round_stage: 'seed' })).status).toBe(200);
  } finally {
    await loading.close();
  }
});
