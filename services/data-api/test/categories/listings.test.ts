import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DIMENSIONS, dimensionsOf, ENTITY_IDS } from '../../src/dimensions/index.ts';
import { chargedOf, type Query } from '../support/api.ts';
import { openSmallWorld, type SmallWorld, type Value, type Values } from './support/small-world.ts';

let world: SmallWorld;
beforeAll(async () => {
  world = await openSmallWorld();
});
afterAll(() => world.close());

describe('GET /categories', () => {
  test.each(ENTITY_IDS)(
    'of %s lists its dimensions, closed ones with all values',
    async (entity) => {
      const body = await world.get<{ entities: string[]; dimensions: unknown[] }>('/categories', {
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
            ...(closed && {
              values: closed.map(({ value, label, slug, name }) => ({ value, label, slug, name })),
            }),
          }),
        ),
      );
    },
  );

  test('is of startups unless told otherwise', async () => {
    expect(await world.get('/categories')).toEqual(
      await world.get('/categories', { entity: 'startups' }),
    );
  });

  test('a value of a closed list has number, label, slug and name', async () => {
    const { dimensions } = await world.get<{ dimensions: { id: string; values?: unknown[] }[] }>(
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

describe('GET /startups/tags/search', () => {
  const tags = async (query: Query) => {
    const found = await world.get<Value[]>('/startups/tags/search', query);
    return found.map(({ label, count }) => `${label}: ${count}`);
  };

  test('lists tags that begin with q, then those that contain it, each most used first', async () => {
    expect(await world.get('/startups/tags/search', { q: 'ROB' })).toEqual([
      { value: 'Robots', label: 'Robots', count: 3 },
    ]);
    expect(await tags({ q: 't' })).toEqual([
      'Robots: 3',
      'Fintech: 2',
      'A/B "Tests": 1',
      'fintech: 1',
    ]);
    await world.api.sql.query(`INSERT INTO venture.startup (name, tags) VALUES ('Eight', '{Tea}')`);
    await world.api.settle();
    expect(await tags({ q: 't', top: '2' })).toEqual(['Tea: 1', 'Robots: 3']);
    await world.api.sql.query(`UPDATE venture.startup SET deleted_at = now() WHERE name = 'Eight'`);
    await world.api.settle();
  });

  test('a tag that only deleted startups have is not listed', async () => {
    expect(await tags({ q: 'gone' })).toEqual([]);
    expect(await tags({ q: 'tea' })).toEqual([]);
  });

  test('the most used of hundreds comes first, however long it is', async () => {
    await world.api.sql.query(`
      INSERT INTO venture.startup (name, tags) VALUES
        ('Nine', ARRAY(SELECT 'Q' || i FROM generate_series(1, 600) AS i) || '{Questions asked}'),
        ('Nine', '{Questions asked}')`);
    await world.api.settle();
    expect(await tags({ q: 'q', top: '1' })).toEqual(['Questions asked: 2']);
    await world.api.sql.query(`UPDATE venture.startup SET deleted_at = now() WHERE name = 'Nine'`);
    await world.api.settle();
  });
});

describe('GET /categories/{dimension}', () => {
  test('lists open values, most common first, then in order of their letters', async () => {
    expect(await world.get('/categories/industry')).toEqual({
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
    expect((await world.get<Values>('/categories/country')).entity).toBe('startups');
    expect((await world.get<Values>('/categories/investor_type')).entity).toBe('funds');
    expect((await world.get<Values>('/categories/round_year')).entity).toBe('rounds');
  });

  test('q begins a value, or with a star stands anywhere in it, whatever case and accents', async () => {
    expect(await world.labels('city', { q: 'new' })).toEqual(['New Haven', 'New York']);
    expect(await world.labels('city', { q: 'EV' })).toEqual(['Évry']);
    expect(await world.labels('city', { q: '*r' })).toEqual(['Évry', 'New York', 'Paris']);
    expect(await world.labels('city', { q: '*' })).toHaveLength(6);
    expect(await world.labels('city', { q: 'ork' })).toEqual([]);
    expect(await world.labels('industry', { q: '*%' })).toEqual([]);
    expect(await world.labels('country', { q: 'ω' })).toEqual(['Ωmega']);
    expect(await world.labels('founded_year', { q: '201' })).toEqual(['2010', '2012']);
  });

  test('top and skip page through the list, beyond its end there is nothing', async () => {
    const all = await world.labels('industry');
    const paged = await Promise.all(
      [0, 2, 4, 6].map((skip) => world.labels('industry', { top: '2', skip: String(skip) })),
    );
    expect(paged.flat()).toEqual(all);
    expect(await world.labels('industry', { skip: '1000000000' })).toEqual([]);
    expect(await world.labels('industry', { q: 'f', top: '1', skip: '1' })).toEqual(['fintech']);
  });

  test('without counts the values are the same, in order of their labels, at the same price', async () => {
    const { values } = await world.get<Values>('/categories/industry', { counts: 'false' });
    expect(values).toEqual(
      ['A/B "Tests"', 'Fintech', 'fintech', 'Food, Drink', 'Robots'].map((value) => ({
        value,
        label: value,
      })),
    );
    expect(await world.labels('city', { counts: 'false', country: 'France', top: '2' })).toEqual([
      'Boston',
      'Évry',
    ]);
  });

  test('a closed dimension lists every value, those that do not occur last, with a count of 0', async () => {
    const { values } = await world.get<Values>('/categories/exit_status', { industry: 'Fintech' });
    expect(values.map(({ label, count }) => [label, count])).toEqual([
      ['Held', 2],
      ['Exited', 1],
      ['Acquired', 0],
    ]);
    const stages = await world.get<Values>('/categories/stage');
    expect(stages.values).toHaveLength(22);
    expect(stages.values.slice(0, 3).map(({ label }) => label)).toEqual([
      'Series A',
      'Angel',
      'Convertible',
    ]);
    expect(await world.labels('stage', { q: 'series', top: '2', skip: '7' })).toEqual(['Series H']);
    expect(await world.labels('investor_type', { counts: 'false', top: '3' })).toEqual([
      'Accelerator',
      'Angel Group',
      'Corporate',
    ]);
  });

  test('without counts, values that have an order come in it: stages, buckets, years', async () => {
    for (const [dimension, last] of [
      ['stage', 22],
      ['next_stage', 22],
      ['investment_stage', 22],
      ['team_size', 9],
    ] as const) {
      const { values } = await world.get<Values>(`/categories/${dimension}`, { counts: 'false' });
      expect(values.map(({ value }) => value)).toEqual(
        Array.from({ length: last }, (_, index) => index + 1),
      );
      const page = { counts: 'false', top: '2', skip: '3' };
      expect((await world.get<Values>(`/categories/${dimension}`, page)).values).toEqual(
        values.slice(3, 5),
      );
    }
    expect(await world.labels('stage', { q: '*E', counts: 'false', top: '3' })).toEqual([
      'Pre-Seed',
      'Angel',
      'Seed',
    ]);
    const years = await world.get<Values>('/categories/founded_year', { counts: 'false' });
    expect(years.values.map(({ value }) => value)).toEqual([1999, 2010, 2012]);
  });

  test('numbers are numbers', async () => {
    const { values } = await world.get<Values>('/categories/founded_year', { entity: 'funds' });
    expect(values).toEqual([
      { value: 1999, label: '1999', count: 1 },
      { value: 2001, label: '2001', count: 1 },
    ]);
  });
});

describe('GET /categories/{dimension}/{value}/{entity}', () => {
  test('is the collection, narrowed: every collection parameter, its price and its next page', async () => {
    const path = '/categories/industry/Fintech/startups';
    expect(await world.names(path)).toEqual(['One', 'Two']);
    const reply = await world.api.get(path, {
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
    expect(await world.countOf(path)).toBe(2);
    const rounds = await world.api.get('/categories/country/USA/rounds', {
      $select: 'Series',
      $orderby: 'Date',
    });
    expect([rounds.body, chargedOf(rounds)]).toEqual([
      [{ Series: 'seed' }, { Series: 'Series A' }, { Series: 'series-a' }],
      2,
    ]);
    expect(
      await world.api.list('/categories/investor_type/studio/funds', { $select: 'Name' }),
    ).toEqual([{ Name: 'Beta' }]);
  });

  test('records are shaped as the collection shapes them', async () => {
    const [record] = await world.api.list('/categories/city/New%20York/startups');
    expect(record).toEqual((await world.api.list('/startups', { $filter: "Name eq 'One'" }))[0]);
  });

  test('the value in the path may be several, or hold a slash, a comma, quotes, another script', async () => {
    const at = (value: string) =>
      world.names(`/categories/industry/${encodeURIComponent(value)}/startups`);
    expect(await at('"Food, Drink"')).toEqual(['Three']);
    expect(await at('"A/B ""Tests"""')).toEqual(['Six']);
    expect(await at('"Food, Drink",fintech')).toEqual(['Four', 'Three']);
    expect(await world.names(`/categories/city/${encodeURIComponent('😀')}/startups`)).toEqual([
      'Six',
    ]);
    expect(await world.names('/categories/team_size/%22501–1,000%22/startups')).toEqual(['Two']);
  });

  test('dimensions in the query stack with the one in the path, the same one too', async () => {
    const path = '/categories/industry/Robots/startups';
    expect(await world.names(path, { country: 'France' })).toEqual(['Three']);
    expect(await world.names(path, { industry: 'Fintech,"Food, Drink"' })).toEqual([
      'One',
      'Three',
    ]);
    expect(await world.names(path, { investor_type: 'studio', stage: 'series-a' })).toEqual([
      'One',
    ]);
    expect(await world.names(path, { country: 'USA', $filter: "Tag ne 'Fintech'" })).toEqual([]);
  });

  test.each(['USA', 'us', 'United States of America', 'united states'])(
    'the country %s is the United States, as value, parameter and in filters',
    async (name) => {
      const all = ['Five', 'One', 'Two'];
      expect(await world.names(`/categories/country/${name}/startups`)).toEqual(all);
      const france = `/categories/country/${name},FRA/startups`;
      expect(await world.names(france, { $filter: "City eq 'Évry'" })).toEqual(['Three']);
      const named = (query: Query) => world.names('/startups', query);
      for (const filter of [`Country eq '${name}'`, `Country in ('${name}','Peru')`]) {
        expect(await named({ $filter: filter })).toEqual(all);
      }
      for (const filter of [`Country ne '${name}'`, `Country notin ('${name}')`]) {
        expect(await named({ $filter: filter })).not.toEqual(expect.arrayContaining(['One']));
      }
      expect(await world.facets({ dimensions: 'region', country: name })).toEqual({
        region: { NY: 1, MA: 1 },
      });
    },
  );

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
        ENTITY_IDS.map((entity) => world.countOf(`/categories/${id}/${value}/${entity}`)),
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
        const { values } = await world.get<Values>(`/categories/${id}`, { entity, ...country });
        for (const { value, count } of values) {
          const written = encodeURIComponent(`"${String(value).replaceAll('"', '""')}"`);
          const path = `/categories/${id}/${written}/${entity}`;
          // The path is a selection of its own dimension, so country narrows all but country.
          const behind = await world.countOf(path, id === 'country' ? {} : country);
          expect([path, behind]).toEqual([path, count]);
        }
      }
    }
  });

  test('what has come a moment ago is found, though no facet counts it yet', async () => {
    await world.api.sql.query(
      `INSERT INTO venture.startup (name, tags) VALUES ('Seven', '{Brand new}')`,
    );
    expect(await world.names('/categories/industry/Brand new/startups')).toEqual(['Seven']);
    expect(await world.labels('industry', { q: 'brand' })).toEqual([]);
    await world.api.settle();
    expect(await world.labels('industry', { q: 'brand' })).toEqual(['Brand new']);
    await world.api.sql.query(`UPDATE venture.startup SET deleted_at = now() WHERE name = 'Seven'`);
    await world.api.settle();
  });
});
