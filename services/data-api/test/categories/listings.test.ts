// Tests docs/spec/search.md 7.1, 7.4.
// Tests docs/spec/categories.md 8.1, 8.3, 8.4, 8.9, 8.10.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { dimensionsOf, ENTITY_IDS } from '@vcds/venture-model';
import type { Query } from '../support/api.ts';
import { openCategorySetup, type Value, type Values } from './support/category-setup.ts';

const setup = await closedAfterAll(openCategorySetup());

describe('GET /categories', () => {
  test.each(ENTITY_IDS)(
    'of %s lists its dimensions, closed ones with all values',
    async (entity) => {
      const body = await setup.get<{ entities: string[]; dimensions: unknown[] }>('/categories', {
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

  test('is of startups by default', async () => {
    expect(await setup.get('/categories')).toEqual(
      await setup.get('/categories', { entity: 'startups' }),
    );
  });

  test('a value of a closed list has number, label, slug and name', async () => {
    const { dimensions } = await setup.get<{ dimensions: { id: string; values?: unknown[] }[] }>(
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
    const found = await setup.get<Value[]>('/startups/tags/search', query);
    return found.map(({ label, count }) => `${label}: ${count}`);
  };

  test('lists tags that begin with q, then those that contain it, each most used first', async () => {
    expect(await setup.get('/startups/tags/search', { q: 'ROB' })).toEqual([
      { value: 'Robots', label: 'Robots', count: 3 },
    ]);
    expect(await tags({ q: 't' })).toEqual([
      'Robots: 3',
      'Fintech: 2',
      'A/B "Tests": 1',
      'fintech: 1',
    ]);
    await setup.api.sql.query(`INSERT INTO venture.startup (name, tags) VALUES ('Eight', '{Tea}')`);
    await setup.api.catchUp();
    expect(await tags({ q: 't', top: '2' })).toEqual(['Tea: 1', 'Robots: 3']);
    await setup.api.sql.query(`UPDATE venture.startup SET deleted_at = now() WHERE name = 'Eight'`);
    await setup.api.catchUp();
  });

  test('a tag that only deleted startups have is not listed', async () => {
    expect(await tags({ q: 'gone' })).toEqual([]);
    expect(await tags({ q: 'tea' })).toEqual([]);
  });

  test('the most used of hundreds comes first, even a long one', async () => {
    await setup.api.sql.query(`
      INSERT INTO venture.startup (name, tags) VALUES
        ('Nine', ARRAY(SELECT 'Q' || i FROM generate_series(1, 600) AS i) || '{Questions asked}'),
        ('Nine', '{Questions asked}')`);
    await setup.api.catchUp();
    expect(await tags({ q: 'q', top: '1' })).toEqual(['Questions asked: 2']);
    await setup.api.sql.query(`UPDATE venture.startup SET deleted_at = now() WHERE name = 'Nine'`);
    await setup.api.catchUp();
  });
});

const tagsOf = async (query: Record<string, string>) =>
  (await setup.get<Value[]>('/startups/tags/search', query)).map(({ label }) => label);

describe('GET /categories/{dimension}', () => {
  test('lists open values, most common first, then in order of their letters', async () => {
    expect(await setup.get('/categories/industry')).toEqual({
      dimension: 'industry',
      entity: 'startups',
      narrowedBy: {},
      total: 6,
      values: [
        { value: 'Robots', label: 'Robots', count: 3 },
        { value: 'Fintech', label: 'Fintech', count: 2 },
        { value: 'A/B "Tests"', label: 'A/B "Tests"', count: 1 },
        { value: 'fintech', label: 'fintech', count: 1 },
        { value: 'Food, Drink', label: 'Food, Drink', count: 1 },
      ],
    });
  });

  test('is of startups by default, or of the first entity that has the dimension', async () => {
    expect((await setup.get<Values>('/categories/country')).entity).toBe('startups');
    expect((await setup.get<Values>('/categories/investor_type')).entity).toBe('funds');
    expect((await setup.get<Values>('/categories/round_year')).entity).toBe('rounds');
  });

  test('q matches a prefix, after a star any part, without case and accents', async () => {
    expect(await setup.labels('city', { q: 'new' })).toEqual(['New Haven', 'New York']);
    expect(await setup.labels('city', { q: 'EV' })).toEqual(['Évry']);
    expect(await setup.labels('city', { q: '*r' })).toEqual(['Évry', 'New York', 'Paris']);
    expect(await setup.labels('city', { q: '*' })).toHaveLength(6);
    expect(await setup.labels('city', { q: 'ork' })).toEqual([]);
    expect(await setup.labels('industry', { q: '*%' })).toEqual([]);
    expect(await setup.labels('country', { q: 'ω' })).toEqual(['Ωmega']);
    expect(await setup.labels('founded_year', { q: '201' })).toEqual(['2010', '2012']);
  });

  test('q that no value has lists those that resemble it, and the one that it misspells of a closed list', async () => {
    expect(await setup.labels('industry', { q: 'robotz' })).toEqual(['Robots']);
    expect(await setup.labels('industry', { q: '*fintehc', top: '1' })).toEqual(['Fintech']);
    expect(await setup.labels('industry', { q: 'robotz', skip: '1' })).toEqual([]);
    expect(await setup.labels('industry', { q: 'robotz', counts: 'false' })).toEqual(['Robots']);
    expect(await setup.labels('industry', { q: 'bananas' })).toEqual([]);
    expect(await setup.labels('stage', { q: 'serie a' })).toEqual(['Series A']);
    const [stage] = (await setup.get<Values>('/categories/stage', { q: 'serie a' })).values;
    const all = (await setup.get<Values>('/categories/stage')).values;
    expect(stage).toEqual(all.find(({ label }) => label === 'Series A'));
    expect(await tagsOf({ q: 'robotz' })).toEqual(['Robots']);
    expect(await tagsOf({ q: 'bananas' })).toEqual([]);
  });

  test('top and skip page through the list; a page beyond its end is empty', async () => {
    const all = await setup.labels('industry');
    const paged = await Promise.all(
      [0, 2, 4, 6].map((skip) => setup.labels('industry', { top: '2', skip: String(skip) })),
    );
    expect(paged.flat()).toEqual(all);
    expect(await setup.labels('industry', { skip: '1000000000' })).toEqual([]);
    expect(await setup.labels('industry', { q: 'f', top: '1', skip: '1' })).toEqual(['fintech']);
  });

  test('without counts the values are the same, in order of their labels, at the same price', async () => {
    const { values } = await setup.get<Values>('/categories/industry', { counts: 'false' });
    expect(values).toEqual(
      ['A/B "Tests"', 'Fintech', 'fintech', 'Food, Drink', 'Robots'].map((value) => ({
        value,
        label: value,
      })),
    );
    expect(await setup.labels('city', { counts: 'false', country: 'France', top: '2' })).toEqual([
      'Boston',
      'Évry',
    ]);
  });

  test('a closed dimension lists every value, those that do not occur last, with a count of 0', async () => {
    const { values } = await setup.get<Values>('/categories/exit_status', {
      industry: 'Fintech',
    });
    expect(values.map(({ label, count }) => [label, count])).toEqual([
      ['Held', 2],
      ['Exited', 1],
      ['Acquired', 0],
    ]);
    const stages = await setup.get<Values>('/categories/stage');
    expect(stages.values).toHaveLength(22);
    expect(stages.values.slice(0, 3).map(({ label }) => label)).toEqual([
      'Series A',
      'Angel',
      'Convertible',
    ]);
    expect(await setup.labels('stage', { q: 'series', top: '2', skip: '7' })).toEqual(['Series H']);
    expect(await setup.labels('investor_type', { counts: 'false', top: '3' })).toEqual([
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
      const { values } = await setup.get<Values>(`/categories/${dimension}`, { counts: 'false' });
      expect(values.map(({ value }) => value)).toEqual(
        Array.from({ length: last }, (_, index) => index + 1),
      );
      const page = { counts: 'false', top: '2', skip: '3' };
      expect((await setup.get<Values>(`/categories/${dimension}`, page)).values).toEqual(
        values.slice(3, 5),
      );
    }
    expect(await setup.labels('stage', { q: '*E', counts: 'false', top: '3' })).toEqual([
      'Pre-Seed',
      'Angel',
      'Seed',
    ]);
    const years = await setup.get<Values>('/categories/founded_year', { counts: 'false' });
    expect(years.values.map(({ value }) => value)).toEqual([1999, 2010, 2012]);
  });

  test('numbers are numbers', async () => {
    const { values } = await setup.get<Values>('/categories/founded_year', { entity: 'funds' });
    expect(values).toEqual([
      { value: 1999, label: '1999', count: 1 },
      { value: 2001, label: '2001', count: 1 },
    ]);
  });
});
