import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DIMENSION_IDS } from '@vcds/venture-model';
import { chargedOf, errorOf, openApi, type Query, type TestApi } from '../support/api.ts';
import { type CategoryApi, openCategoryApi } from './support/category-api.ts';

let api: CategoryApi;
let freeApi: TestApi;
beforeAll(async () => {
  api = await openCategoryApi();
  freeApi = await openApi({
    seed: 'SELECT 1',
    principal: { plan: 'free', scopes: new Set(['categories']) },
  });
});
afterAll(async () => {
  await api.close();
  await freeApi.close();
});

const SEE = 'http://data.example/v2/categories';
const FACETS = '/categories/facets';
const STAGE = '/categories/stage';
const SEED = '/categories/stage/seed/startups';

const ERRORS: readonly (readonly [string, string, Query, Record<string, unknown>])[] = [
  [
    'an unknown entity',
    '/categories',
    { entity: 'people' },
    {
      code: 'unknown_entity',
      parameter: 'entity',
      value: 'people',
      allowed: ['startups', 'funds', 'rounds'],
      see: SEE,
    },
  ],
  [
    'a mistyped entity',
    '/categories',
    { entity: 'startup' },
    { code: 'unknown_entity', suggestion: 'startups' },
  ],
  [
    'an entity of the prototype',
    '/categories',
    { entity: 'constructor' },
    { code: 'unknown_entity' },
  ],
  [
    'an empty entity',
    '/categories',
    { entity: '' },
    { code: 'bad_parameter', parameter: 'entity' },
  ],
  [
    'a dimension on the overview',
    '/categories',
    { country: 'France' },
    { code: 'unknown_parameter', parameter: 'country', allowed: ['entity', 'quote'] },
  ],
  ['an unknown entity of facets', FACETS, { entity: 'x' }, { code: 'unknown_entity' }],
  [
    'an unknown dimension',
    FACETS,
    { dimensions: 'industry,sector' },
    {
      code: 'unknown_dimension',
      parameter: 'dimensions',
      value: 'sector',
      allowed: [...DIMENSION_IDS],
      see: SEE,
    },
  ],
  [
    'a mistyped dimension',
    FACETS,
    { dimensions: 'contry' },
    { code: 'unknown_dimension', suggestion: 'country' },
  ],
  [
    'a dimension of funds counted of startups',
    FACETS,
    { dimensions: 'fund_group' },
    {
      code: 'unknown_dimension',
      parameter: 'dimensions',
      value: 'fund_group',
      see: `${SEE}?entity=startups`,
    },
  ],
  [
    'a dimension of startups counted of rounds',
    FACETS,
    { entity: 'rounds', dimensions: 'stage' },
    { code: 'unknown_dimension', allowed: ['round_series', 'round_stage', 'round_year'] },
  ],
  [
    'eleven dimensions',
    FACETS,
    {
      dimensions:
        'industry,country,region,city,stage,next_stage,team_size,operating_status,exit_status,founded_year,investor_type',
      entity: 'startups',
    },
    { code: 'bad_parameter' },
  ],
  [
    'an empty name among dimensions',
    FACETS,
    { dimensions: 'industry,,city' },
    { code: 'bad_parameter', parameter: 'dimensions' },
  ],
  ['an empty page of facets', FACETS, { top: '0' }, { code: 'bad_parameter', parameter: 'top' }],
  ['facets beyond the bound', FACETS, { top: '501' }, { code: 'bad_parameter', parameter: 'top' }],
  ['skipping facets', FACETS, { skip: '1' }, { code: 'unknown_parameter', parameter: 'skip' }],
  [
    'a collection parameter on facets',
    FACETS,
    { $top: '1' },
    { code: 'unknown_parameter', suggestion: 'top' },
  ],
  [
    'a bare field name on facets',
    FACETS,
    { Country: 'France' },
    { code: 'unknown_parameter', suggestion: 'country' },
  ],
  ['values beyond the bound', STAGE, { top: '501' }, { code: 'bad_parameter', parameter: 'top' }],
  ['a negative offset', STAGE, { skip: '-1' }, { code: 'bad_parameter', parameter: 'skip' }],
  [
    'counts that is not a boolean',
    STAGE,
    { counts: 'no' },
    { code: 'bad_parameter', allowed: ['true', 'false'] },
  ],
  ['an empty search', STAGE, { q: ' ' }, { code: 'bad_parameter', parameter: 'q' }],
  ['a search too long', STAGE, { q: 'x'.repeat(101) }, { code: 'bad_parameter', parameter: 'q' }],
  ['dimensions of one dimension', STAGE, { dimensions: 'city' }, { code: 'unknown_parameter' }],
  [
    'values of an unknown dimension',
    '/categories/stages',
    {},
    { code: 'unknown_dimension', parameter: 'dimension', suggestion: 'stage' },
  ],
  ['values of a prototype name', '/categories/__proto__', {}, { code: 'unknown_dimension' }],
  [
    'values of a dimension that only narrows',
    STAGE,
    { entity: 'funds' },
    {
      code: 'unknown_dimension',
      parameter: 'dimension',
      value: 'stage',
      see: `${SEE}?entity=funds`,
    },
  ],
  [
    'an unknown closed value',
    STAGE,
    { next_stage: 'series-aa' },
    {
      code: 'unknown_value',
      parameter: 'next_stage',
      value: 'series-aa',
      suggestion: 'Series A',
      see: `${SEE}/next_stage?entity=startups`,
    },
  ],
  [
    'a closed value in another case',
    STAGE,
    { operating_status: 'active,ACTIVE' },
    {
      code: 'unknown_value',
      value: 'ACTIVE',
      suggestion: 'Active',
      allowed: ['Active', 'Probably closed', 'Closed'],
    },
  ],
  ['a number beyond the list', STAGE, { next_stage: '23' }, { code: 'unknown_value', value: '23' }],
  [
    'a word for a year',
    FACETS,
    { founded_year: 'lately' },
    {
      code: 'unknown_value',
      parameter: 'founded_year',
      allowed: expect.arrayContaining(['2000']),
      see: `${SEE}/founded_year?entity=startups`,
    },
  ],
  ['an empty value', FACETS, { industry: '' }, { code: 'bad_parameter', parameter: 'industry' }],
  [
    'an empty value among others',
    FACETS,
    { industry: 'Fintech,' },
    { code: 'bad_parameter', parameter: 'industry' },
  ],
  [
    'quotes that do not close',
    FACETS,
    { industry: '"Fintech' },
    { code: 'bad_parameter', parameter: 'industry' },
  ],
  [
    'text after closing quotes',
    FACETS,
    { industry: '"Fin"tech' },
    { code: 'bad_parameter', parameter: 'industry' },
  ],
  [
    'too many values',
    FACETS,
    { city: Array.from({ length: 501 }, (_, i) => `c${i}`).join() },
    { code: 'bad_parameter', parameter: 'city' },
  ],
  [
    'an entity path of an unknown dimension',
    '/categories/stages/seed/startups',
    {},
    { code: 'unknown_dimension', suggestion: 'stage' },
  ],
  [
    'an entity path of an unknown entity',
    '/categories/stage/seed/startup',
    {},
    { code: 'unknown_entity', suggestion: 'startups' },
  ],
  [
    'an entity path with both unknown',
    '/categories/stages/seed/startup',
    {},
    { code: 'unknown_dimension' },
  ],
  [
    'an entity path of an unknown value',
    '/categories/stage/seeed/startups',
    {},
    { code: 'unknown_value', parameter: 'value', suggestion: 'Seed' },
  ],
  [
    'a page size beyond the bound',
    SEED,
    { $top: '5001' },
    { code: 'bad_parameter', parameter: '$top' },
  ],
  [
    'the parameter of the value lists',
    SEED,
    { top: '1' },
    { code: 'unknown_parameter', suggestion: '$top' },
  ],
  ['a broken filter', SEED, { $filter: '(' }, { code: 'bad_filter' }],
  ['an unknown field', SEED, { $select: 'Nope' }, { code: 'unknown_field' }],
  ['an unknown relation', SEED, { $expand: 'Nope' }, { code: 'unknown_relation' }],
];

test.each(ERRORS)('%s', async (_name, path, query, error) => {
  const reply = await api.get(path, query);
  expect(errorOf(reply)).toMatchObject({ status: 400, ...error });
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
    ['one of several', { country: 'France,Norge' }, { value: 'Norge', suggestion: 'Norway' }],
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
