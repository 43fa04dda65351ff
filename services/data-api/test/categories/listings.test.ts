import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DIMENSIONS, dimensionsOf, ENTITY_IDS } from '../../src/dimensions/index.ts';
import { chargedOf, type Query } from '../support/api.ts';
import { type CategoryApi, openCategoryApi } from './support/category-api.ts';

interface Value {
  readonly value: string | number;
  readonly label: string;
  readonly slug?: string;
  readonly name?: string;
  readonly count?: number;
}

interface Facets {
  readonly entity: string;
  readonly narrowedBy: Record<string, string[]>;
  readonly facets: Record<string, Value[]>;
}

interface Values {
  readonly dimension: string;
  readonly entity: string;
  readonly narrowedBy: Record<string, string[]>;
  readonly values: Value[];
}

let api: CategoryApi;
beforeAll(async () => {
  api = await openCategoryApi({ seed: SEED });
});
afterAll(() => api.close());

/**
 * Six startups and three funds, written out so that every count can be made by hand; one more of
 * each is deleted.
 */
const SEED = `
  INSERT INTO venture.fund (id, name, tags, addresses, investment_stages, investment_types, groups,
    members_count, operating_status_stated, founded) VALUES
    ('f0000000-0000-0000-0000-000000000001', 'Alpha', '{Fintech}', '[{"Country": "USA", "City": "Boston"}]',
      '{3,4}', '{VentureFund}', '{"Top, Tier"}', 5, 'Active', 1999),
    ('f0000000-0000-0000-0000-000000000002', 'Beta', '{Fintech,Robots}', '[{"Country": "France", "City": "Paris"}]',
      '{4}', '{Accelerator,Studio}', '{}', 60, NULL, NULL),
    ('f0000000-0000-0000-0000-000000000003', 'Gamma', '{}', '[]', '{}', '{}', '{}', NULL, 'Closed', 2001),
    ('f0000000-0000-0000-0000-000000000009', 'Gone', '{Gone}', '[]', '{}', '{Public}', '{}', NULL, NULL, NULL);
  INSERT INTO venture.startup (id, name, tags, addresses, founded, members_count,
    operating_status_stated) VALUES
    ('50000000-0000-0000-0000-000000000001', 'One', '{Fintech,Robots}',
      '[{"Country": "USA", "Region": "NY", "City": "New York"}]', 2010, 5, 'Active'),
    ('50000000-0000-0000-0000-000000000002', 'Two', '{Fintech}',
      '[{"Country": "USA", "Region": "MA", "City": "Boston"}, {"Country": "France", "City": "Paris"}]', 2010, 700, 'Closed'),
    ('50000000-0000-0000-0000-000000000003', 'Three', '{Robots,"Food, Drink"}',
      '[{"Country": "France", "City": "Évry"}]', 2012, NULL, NULL),
    ('50000000-0000-0000-0000-000000000004', 'Four', '{fintech}', '[]', NULL, 5, 'Active'),
    ('50000000-0000-0000-0000-000000000005', 'Five', '{}', '[{"Country": "USA", "City": "New Haven"}]', 2012, 20000, NULL),
    ('50000000-0000-0000-0000-000000000006', 'Six', '{"A/B \\"Tests\\"",Robots}', '[{"Country": "Ωmega", "City": "😀"}]', 1999, 11, 'Active'),
    ('50000000-0000-0000-0000-000000000009', 'Gone', '{Gone,Fintech}', '[{"Country": "USA"}]', 2010, 5, 'Active');
  INSERT INTO venture.funding_round (id, startup_id, date, series, stage) VALUES
    ('d0000000-0000-0000-0000-000000000001', '50000000-0000-0000-0000-000000000001', '2011-01-01', 'seed', 3),
    ('d0000000-0000-0000-0000-000000000002', '50000000-0000-0000-0000-000000000001', '2012-01-01', 'Series A', 4),
    ('d0000000-0000-0000-0000-000000000003', '50000000-0000-0000-0000-000000000002', '2012-06-01', 'series-a', 4),
    ('d0000000-0000-0000-0000-000000000004', '50000000-0000-0000-0000-000000000003', NULL, NULL, NULL),
    ('d0000000-0000-0000-0000-000000000009', '50000000-0000-0000-0000-000000000003', '2013-01-01', 'Gone', 5);
  INSERT INTO venture.round_investor (round_id, fund_id) VALUES
    ('d0000000-0000-0000-0000-000000000001', 'f0000000-0000-0000-0000-000000000001'),
    ('d0000000-0000-0000-0000-000000000002', 'f0000000-0000-0000-0000-000000000001'),
    ('d0000000-0000-0000-0000-000000000002', 'f0000000-0000-0000-0000-000000000002'),
    ('d0000000-0000-0000-0000-000000000003', 'f0000000-0000-0000-0000-000000000002');
  UPDATE venture.holding SET status = 'Exited'
    WHERE fund_id = 'f0000000-0000-0000-0000-000000000001';
  INSERT INTO venture.holding (fund_id, startup_id, status) VALUES
    ('f0000000-0000-0000-0000-000000000003', '50000000-0000-0000-0000-000000000003', 'Acquired');
  UPDATE venture.startup SET deleted_at = now() WHERE name = 'Gone';
  UPDATE venture.fund SET deleted_at = now() WHERE name = 'Gone';
  UPDATE venture.funding_round SET deleted_at = now() WHERE series = 'Gone';
`;

async function get<T>(path: string, query: Query = {}): Promise<T> {
  const reply = await api.get(path, query);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`);
  expect(chargedOf(reply)).toBe(1);
  return reply.body as T;
}

async function facets(query: Query): Promise<Record<string, Record<string, number>>> {
  const body = await get<Facets>('/categories/facets', query);
  return Object.fromEntries(
    Object.entries(body.facets).map(([id, values]) => [
      id,
      Object.fromEntries(values.map(({ label, count }) => [label, count ?? Number.NaN])),
    ]),
  );
}

async function labels(dimension: string, query: Query = {}): Promise<string[]> {
  const { values } = await get<Values>(`/categories/${dimension}`, query);
  return values.map(({ label }) => label);
}

async function names(path: string, query: Query = {}): Promise<string[]> {
  const rows = await api.list(path, { $orderby: 'Name', ...query });
  return rows.map((row) => String(row.Name));
}

async function countOf(path: string, query: Query = {}): Promise<number> {
  const { count } = await get<{ count: number }>(path, { ...query, $count: 'true' });
  return count;
}

describe('GET /categories', () => {
  test.each(ENTITY_IDS)(
    'of %s lists its dimensions, closed ones with all values',
    async (entity) => {
      const body = await get<{ entities: string[]; dimensions: unknown[] }>('/categories', {
        entity,
      });
      expect(body.entities).toEqual(['startups', 'funds', 'rounds']);
      expect(body.dimensions).toEqual(
        dimensionsOf(entity).map(
          ({ id, title, description, kind, entities, filterField, closed }) => ({
            id,
            title,
            description,
            kind,
            entities,
            filterField,
            ...(closed === undefined ? {} : { values: closed }),
          }),
        ),
      );
    },
  );

  test('is of startups unless told otherwise', async () => {
    expect(await get('/categories')).toEqual(await get('/categories', { entity: 'startups' }));
  });

  test('a value of a closed list has number, label, slug and name', async () => {
    const { dimensions } = await get<{ dimensions: { id: string; values?: unknown[] }[] }>(
      '/categories',
    );
    const stage = dimensions.find(({ id }) => id === 'stage');
    expect(stage?.values?.[3]).toEqual({
      value: 4,
      label: 'Series A',
      slug: 'series-a',
      name: 'SeriesA',
    });
    expect(stage?.values).toHaveLength(22);
  });
});

describe('GET /categories/facets', () => {
  test('counts every closed dimension of startups unless told otherwise', async () => {
    expect(await get('/categories/facets')).toEqual({
      entity: 'startups',
      narrowedBy: {},
      facets: {
        stage: [{ value: 4, label: 'Series A', slug: 'series-a', name: 'SeriesA', count: 2 }],
        next_stage: [{ value: 5, label: 'Series B', slug: 'series-b', name: 'SeriesB', count: 2 }],
        team_size: [
          { value: 1, label: '1–10', slug: '1-10', name: 'From1To10', count: 2 },
          { value: 9, label: '10,001+', slug: '10001-plus', name: 'From10001', count: 1 },
          { value: 2, label: '11–50', slug: '11-50', name: 'From11To50', count: 1 },
          { value: 6, label: '501–1,000', slug: '501-1000', name: 'From501To1000', count: 1 },
        ],
        operating_status: [
          { value: 'Active', label: 'Active', slug: 'active', name: 'Active', count: 3 },
          { value: 'Closed', label: 'Closed', slug: 'closed', name: 'Closed', count: 1 },
        ],
        exit_status: [
          { value: 'Held', label: 'Held', slug: 'held', name: 'Held', count: 2 },
          { value: 'Acquired', label: 'Acquired', slug: 'acquired', name: 'Acquired', count: 1 },
          { value: 'Exited', label: 'Exited', slug: 'exited', name: 'Exited', count: 1 },
        ],
      },
    });
  });

  test('of rounds has no default: they have no closed dimension', async () => {
    expect(await get('/categories/facets', { entity: 'rounds' })).toEqual({
      entity: 'rounds',
      narrowedBy: {},
      facets: {},
    });
  });

  test('counts the dimensions asked for, in that order, most common first, up to top', async () => {
    const body = await get<Facets>('/categories/facets', {
      dimensions: 'founded_year,industry',
      top: '2',
    });
    expect(Object.keys(body.facets)).toEqual(['founded_year', 'industry']);
    expect(body.facets).toEqual({
      founded_year: [
        { value: 2010, label: '2010', count: 2 },
        { value: 2012, label: '2012', count: 2 },
      ],
      industry: [
        { value: 'Robots', label: 'Robots', count: 3 },
        { value: 'Fintech', label: 'Fintech', count: 2 },
      ],
    });
  });

  test('narrowing applies to the counts: any of the values, all of the dimensions', async () => {
    expect(await facets({ dimensions: 'industry', country: 'France' })).toEqual({
      industry: { Robots: 1, Fintech: 1, 'Food, Drink': 1 },
    });
    expect(await facets({ dimensions: 'city', country: 'USA,France', industry: 'Robots' })).toEqual(
      {
        city: { 'New York': 1, Évry: 1 },
      },
    );
  });

  test('a dimension is never constrained by its own selection', async () => {
    const query = { industry: 'Fintech', country: 'USA' };
    const own = await facets({ dimensions: 'industry,country,region', ...query });
    // Among American companies, whatever they do; among Fintech, wherever; and among both.
    expect(own).toEqual({
      industry: { Fintech: 2, Robots: 1 },
      country: { USA: 2, France: 1 },
      region: { MA: 1, NY: 1 },
    });
    const alternatives = await facets({ dimensions: 'industry', industry: 'Fintech' });
    expect(alternatives).toEqual(await facets({ dimensions: 'industry' }));
    expect(await labels('industry', { industry: 'Fintech' })).toEqual(await labels('industry'));
  });

  test('narrowedBy holds the resolved labels, whatever way they were written', async () => {
    for (const stage of [
      'Series A',
      'series-a',
      'SeriesA',
      '4',
      ' series-a ',
      'SeriesA,series-a,4',
    ]) {
      const body = await get<Facets>('/categories/facets', { stage, dimensions: 'industry' });
      expect(body.narrowedBy).toEqual({ stage: ['Series A'] });
      expect(body.facets.industry).toEqual([
        { value: 'Fintech', label: 'Fintech', count: 2 },
        { value: 'Robots', label: 'Robots', count: 1 },
      ]);
    }
    const { narrowedBy } = await get<Facets>('/categories/facets', {
      founded_year: '2012,2010',
      team_size: '"10,001+",1-10',
      operating_status: 'Probably closed',
    });
    expect(narrowedBy).toEqual({
      team_size: ['10,001+', '1–10'],
      operating_status: ['Probably closed'],
      founded_year: ['2012', '2010'],
    });
  });

  test('values with commas and quotes are written as in CSV', async () => {
    const body = await get<Facets>('/categories/facets', {
      industry: '"Food, Drink", "A/B ""Tests"""',
      dimensions: 'country',
    });
    expect(body.narrowedBy).toEqual({ industry: ['Food, Drink', 'A/B "Tests"'] });
    expect(body.facets.country?.map(({ label }) => label)).toEqual(['France', 'Ωmega']);
  });
});

describe('narrowing through relations', () => {
  test('a round through its startup, or any of its investors', async () => {
    const of = (query: Query) => facets({ entity: 'rounds', dimensions: 'round_series', ...query });
    expect(await of({ country: 'France' })).toEqual({ round_series: { 'series-a': 1 } });
    expect(await of({ investor_type: 'Studio' })).toEqual({
      round_series: { 'Series A': 1, 'series-a': 1 },
    });
    expect(await of({ fund_group: '"Top, Tier"', stage: '4' })).toEqual({
      round_series: { seed: 1, 'Series A': 1 },
    });
  });

  test('a startup through its investors, or its rounds', async () => {
    const of = (query: Query) => facets({ dimensions: 'industry', ...query });
    expect(await of({ investment_stage: 'seed' })).toEqual({ industry: { Fintech: 1, Robots: 1 } });
    expect(await of({ round_year: '2012', investor_type: 'accelerator' })).toEqual({
      industry: { Fintech: 2, Robots: 1 },
    });
  });

  test('a fund through its portfolio, or its rounds', async () => {
    const of = (query: Query) => facets({ entity: 'funds', dimensions: 'industry', ...query });
    expect(await of({ stage: 'SeriesA' })).toEqual({ industry: { Fintech: 2, Robots: 1 } });
    expect(await of({ round_series: 'seed' })).toEqual({ industry: { Fintech: 1 } });
  });
});

describe('exit status per investor', () => {
  test('a company appears under the status of each investor', async () => {
    // Alpha has left One, Beta still holds it.
    expect(await names('/categories/exit_status/exited/startups')).toEqual(['One']);
    expect(await names('/categories/exit_status/Held/startups')).toEqual(['One', 'Two']);
    expect((await facets({ dimensions: 'exit_status' })).exit_status).toEqual({
      Held: 2,
      Acquired: 1,
      Exited: 1,
    });
  });

  test('a fund appears under what it did itself, not under what others did', async () => {
    expect(await names('/categories/exit_status/Exited/funds')).toEqual(['Alpha']);
    expect(await names('/categories/exit_status/Held/funds')).toEqual(['Beta']);
    expect(
      await facets({ entity: 'funds', dimensions: 'industry', exit_status: 'Exited' }),
    ).toEqual({
      industry: { Fintech: 1 },
    });
    expect(
      await facets({ entity: 'funds', dimensions: 'founded_year', exit_status: 'Acquired' }),
    ).toEqual({
      founded_year: { 2001: 1 },
    });
  });
});

describe('GET /startups/tags/search', () => {
  const tags = async (query: Query) => {
    const found = await get<Value[]>('/startups/tags/search', query);
    return found.map(({ label, count }) => `${label}: ${count}`);
  };

  test('lists tags that begin with q, then those that contain it, each most used first', async () => {
    expect(await get('/startups/tags/search', { q: 'ROB' })).toEqual([
      { value: 'Robots', label: 'Robots', count: 3 },
    ]);
    expect(await tags({ q: 't' })).toEqual([
      'Robots: 3',
      'Fintech: 2',
      'A/B "Tests": 1',
      'fintech: 1',
    ]);
    await api.sql.query(`INSERT INTO venture.startup (name, tags) VALUES ('Eight', '{Tea}')`);
    await api.settle();
    expect(await tags({ q: 't', top: '2' })).toEqual(['Tea: 1', 'Robots: 3']);
    await api.sql.query(`UPDATE venture.startup SET deleted_at = now() WHERE name = 'Eight'`);
    await api.settle();
  });

  test('a tag that only deleted startups have is not listed', async () => {
    expect(await tags({ q: 'gone' })).toEqual([]);
    expect(await tags({ q: 'tea' })).toEqual([]);
  });

  test('the most used of hundreds comes first, however long it is', async () => {
    await api.sql.query(`
      INSERT INTO venture.startup (name, tags) VALUES
        ('Nine', ARRAY(SELECT 'Q' || i FROM generate_series(1, 600) AS i) || '{Questions asked}'),
        ('Nine', '{Questions asked}')`);
    await api.settle();
    expect(await tags({ q: 'q', top: '1' })).toEqual(['Questions asked: 2']);
    await api.sql.query(`UPDATE venture.startup SET deleted_at = now() WHERE name = 'Nine'`);
    await api.settle();
  });
});

describe('GET /categories/{dimension}', () => {
  test('lists open values, most common first, then in order of their letters', async () => {
    expect(await get('/categories/industry')).toEqual({
      dimension: 'industry',
      entity: 'startups',
      narrowedBy: {},
      values: [
        { value: 'Robots', label: 'Robots', count: 3 },
        { value: 'Fintech', label: 'Fintech', count: 2 },
        { value: 'A/B "Tests"', label: 'A/B "Tests"', count: 1 },
        { value: 'fintech', label: 'fintech', count: 1 },
        { value: 'Food, Drink', label: 'Food, Drink', count: 1 },
      ],
    });
  });

  test('is of startups, or of the first entity the dimension is a fact of', async () => {
    expect((await get<Values>('/categories/country')).entity).toBe('startups');
    expect((await get<Values>('/categories/investor_type')).entity).toBe('funds');
    expect((await get<Values>('/categories/round_year')).entity).toBe('rounds');
  });

  test('q begins a value, or with a star stands anywhere in it, whatever case and accents', async () => {
    expect(await labels('city', { q: 'new' })).toEqual(['New Haven', 'New York']);
    expect(await labels('city', { q: 'EV' })).toEqual(['Évry']);
    expect(await labels('city', { q: '*r' })).toEqual(['Évry', 'New York', 'Paris']);
    expect(await labels('city', { q: '*' })).toHaveLength(6);
    expect(await labels('city', { q: 'ork' })).toEqual([]);
    expect(await labels('industry', { q: '*%' })).toEqual([]);
    expect(await labels('country', { q: 'ω' })).toEqual(['Ωmega']);
    expect(await labels('founded_year', { q: '201' })).toEqual(['2010', '2012']);
  });

  test('top and skip page through the list, beyond its end there is nothing', async () => {
    const all = await labels('industry');
    const paged = await Promise.all(
      [0, 2, 4, 6].map((skip) => labels('industry', { top: '2', skip: String(skip) })),
    );
    expect(paged.flat()).toEqual(all);
    expect(await labels('industry', { skip: '1000000000' })).toEqual([]);
    expect(await labels('industry', { q: 'f', top: '1', skip: '1' })).toEqual(['fintech']);
  });

  test('without counts the values are the same, in order of their labels, at the same price', async () => {
    const { values } = await get<Values>('/categories/industry', { counts: 'false' });
    expect(values).toEqual(
      ['A/B "Tests"', 'Fintech', 'fintech', 'Food, Drink', 'Robots'].map((value) => ({
        value,
        label: value,
      })),
    );
    expect(await labels('city', { counts: 'false', country: 'France', top: '2' })).toEqual([
      'Boston',
      'Évry',
    ]);
  });

  test('a closed dimension lists every value, those that do not occur last, with a count of 0', async () => {
    const { values } = await get<Values>('/categories/exit_status', { industry: 'Fintech' });
    expect(values.map(({ label, count }) => [label, count])).toEqual([
      ['Held', 2],
      ['Exited', 1],
      ['Acquired', 0],
    ]);
    const stages = await get<Values>('/categories/stage');
    expect(stages.values).toHaveLength(22);
    expect(stages.values.slice(0, 3).map(({ label }) => label)).toEqual([
      'Series A',
      'Angel',
      'Convertible',
    ]);
    expect(await labels('stage', { q: 'series', top: '2', skip: '7' })).toEqual(['Series H']);
    expect(await labels('stage', { q: '*E', counts: 'false', top: '3' })).toEqual([
      'Angel',
      'Convertible',
      'Corporate',
    ]);
  });

  test('numbers are numbers', async () => {
    const { values } = await get<Values>('/categories/founded_year', { entity: 'funds' });
    expect(values).toEqual([
      { value: 1999, label: '1999', count: 1 },
      { value: 2001, label: '2001', count: 1 },
    ]);
  });
});

describe('GET /categories/{dimension}/{value}/{entity}', () => {
  test('is the collection, narrowed: every collection parameter, its price and its next page', async () => {
    const path = '/categories/industry/Fintech/startups';
    expect(await names(path)).toEqual(['One', 'Two']);
    const reply = await api.get(path, {
      $top: '1',
      $orderby: 'Name desc',
      $select: 'Name',
      $expand: 'Tags',
      $filter: 'Founded ge 2000',
    });
    expect(reply.body).toEqual([{ Name: 'Two', Tags: [{ Name: 'Fintech' }] }]);
    expect(chargedOf(reply)).toBe(2);
    expect(reply.headers.link).toMatch(
      /^<http:\/\/data\.example\/v2\/categories\/industry\/Fintech\/startups\?.*\$skip=1>; rel="next"$/,
    );
    expect(await countOf(path)).toBe(2);
    const rounds = await api.get('/categories/country/USA/rounds', {
      $select: 'Series',
      $orderby: 'Date',
    });
    expect([rounds.body, chargedOf(rounds)]).toEqual([
      [{ Series: 'seed' }, { Series: 'Series A' }, { Series: 'series-a' }],
      2,
    ]);
    expect(await api.list('/categories/investor_type/studio/funds', { $select: 'Name' })).toEqual([
      { Name: 'Beta' },
    ]);
  });

  test('records are shaped as the collection shapes them', async () => {
    const [record] = await api.list('/categories/city/New%20York/startups');
    expect(record).toEqual((await api.list('/startups', { $filter: "Name eq 'One'" }))[0]);
  });

  test('the value in the path may be several, or hold a slash, a comma, quotes, another script', async () => {
    const at = (value: string) =>
      names(`/categories/industry/${encodeURIComponent(value)}/startups`);
    expect(await at('"Food, Drink"')).toEqual(['Three']);
    expect(await at('"A/B ""Tests"""')).toEqual(['Six']);
    expect(await at('"Food, Drink",fintech')).toEqual(['Four', 'Three']);
    expect(await names(`/categories/city/${encodeURIComponent('😀')}/startups`)).toEqual(['Six']);
    expect(await names('/categories/team_size/%22501–1,000%22/startups')).toEqual(['Two']);
  });

  test('dimensions in the query stack with the one in the path, the same one too', async () => {
    const path = '/categories/industry/Robots/startups';
    expect(await names(path, { country: 'France' })).toEqual(['Three']);
    expect(await names(path, { industry: 'Fintech,"Food, Drink"' })).toEqual(['One', 'Three']);
    expect(await names(path, { investor_type: 'studio', stage: 'series-a' })).toEqual(['One']);
    expect(await names(path, { country: 'USA', $filter: "Tag ne 'Fintech'" })).toEqual([]);
  });

  test('any dimension narrows any entity', async () => {
    const values = new Map(
      Object.entries({
        industry: 'Fintech',
        country: 'USA',
        region: 'NY',
        city: 'Boston',
        stage: '4',
        next_stage: '5',
        investment_stage: '4',
        investor_type: 'Studio',
        team_size: '1',
        operating_status: 'Active',
        exit_status: 'Held',
        founded_year: '2010',
        fund_group: '"Top, Tier"',
        round_series: 'seed',
        round_year: '2012',
      }),
    );
    const found: Record<string, number[]> = {};
    for (const { id } of DIMENSIONS) {
      const value = encodeURIComponent(values.get(id) ?? '');
      found[id] = await Promise.all(
        ENTITY_IDS.map((entity) => countOf(`/categories/${id}/${value}/${entity}`)),
      );
    }
    expect(found).toEqual({
      industry: [2, 2, 3],
      country: [3, 1, 3],
      region: [1, 0, 2],
      city: [1, 1, 1],
      stage: [2, 2, 3],
      next_stage: [2, 2, 3],
      investment_stage: [2, 2, 3],
      investor_type: [2, 1, 2],
      team_size: [2, 1, 2],
      operating_status: [3, 1, 2],
      exit_status: [2, 1, 3],
      founded_year: [2, 0, 3],
      fund_group: [1, 1, 2],
      round_series: [1, 1, 1],
      round_year: [2, 2, 2],
    });
  });

  test('of every value of every dimension, the count is that of the records behind it', async () => {
    const country = { country: 'France,USA' };
    for (const entity of ENTITY_IDS) {
      for (const { id } of dimensionsOf(entity)) {
        const { values } = await get<Values>(`/categories/${id}`, { entity, ...country });
        for (const { value, count } of values) {
          const written = encodeURIComponent(`"${String(value).replaceAll('"', '""')}"`);
          const path = `/categories/${id}/${written}/${entity}`;
          // The path is a selection of its own dimension, so country narrows all but country.
          const behind = await countOf(path, id === 'country' ? {} : country);
          expect([path, behind]).toEqual([path, count]);
        }
      }
    }
  });

  test('what has come a moment ago is found, though no facet counts it yet', async () => {
    await api.sql.query(`INSERT INTO venture.startup (name, tags) VALUES ('Seven', '{Brand new}')`);
    expect(await names('/categories/industry/Brand new/startups')).toEqual(['Seven']);
    expect(await labels('industry', { q: 'brand' })).toEqual([]);
    await api.settle();
    expect(await labels('industry', { q: 'brand' })).toEqual(['Brand new']);
    await api.sql.query(`UPDATE venture.startup SET deleted_at = now() WHERE name = 'Seven'`);
    await api.settle();
  });
});
