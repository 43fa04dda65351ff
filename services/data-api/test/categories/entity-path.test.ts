// Tests docs/spec/categories.md 8.1, 8.6, 8.7, 8.11, 8.14.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { DIMENSIONS, dimensionsOf, ENTITY_IDS } from '@vcds/venture-model';
import { chargedOf, type Query } from '../support/api.ts';
import { type Facets, openCategorySetup, type Values } from './support/category-setup.ts';

const setup = await closedAfterAll(openCategorySetup());

describe('GET /categories/{dimension}/{value}/{entity}', () => {
  test('is the narrowed collection: all its parameters, its price and its next page', async () => {
    const path = '/categories/industry/Fintech/startups';
    expect(await setup.names(path)).toEqual(['One', 'Two']);
    const reply = await setup.api.get(path, {
      $top: '1',
      $orderby: 'Name desc',
      $select: 'Name',
      $expand: 'Tags',
      $filter: 'Founded ge 2000',
    });
    expect(reply.body).toEqual([{ Name: 'Two', Tags: [{ Name: 'Fintech' }] }]);
    expect(chargedOf(reply)).toBe(2);
    expect(reply.headers.link).toMatch(
      /^<http:\/\/data\.example\/v2\/categories\/industry\/Fintech\/startups\?.*\$skiptoken=[\w-]+>; rel="next"$/,
    );
    expect(await setup.countOf(path)).toBe(2);
    const rounds = await setup.api.get('/categories/country/USA/rounds', {
      $select: 'Series',
      $orderby: 'Date',
    });
    expect([rounds.body, chargedOf(rounds)]).toEqual([
      [{ Series: 'seed' }, { Series: 'Series A' }, { Series: 'series-a' }],
      2,
    ]);
    expect(
      await setup.api.list('/categories/investor_type/studio/funds', { $select: 'Name' }),
    ).toEqual([{ Name: 'Beta' }]);
  });

  test('records have the form of the collection', async () => {
    const [record] = await setup.api.list('/categories/city/New%20York/startups');
    expect(record).toEqual((await setup.api.list('/startups', { $filter: "Name eq 'One'" }))[0]);
  });

  test('the path accepts several values, slashes, commas, quotes and any script', async () => {
    const at = (value: string) =>
      setup.names(`/categories/industry/${encodeURIComponent(value)}/startups`);
    expect(await at('"Food, Drink"')).toEqual(['Three']);
    expect(await at('"A/B ""Tests"""')).toEqual(['Six']);
    expect(await at('"Food, Drink",fintech')).toEqual(['Four', 'Three']);
    expect(await setup.names(`/categories/city/${encodeURIComponent('😀')}/startups`)).toEqual([
      'Six',
    ]);
    expect(await setup.names('/categories/team_size/%22501–1,000%22/startups')).toEqual(['Two']);
  });

  test('dimensions in the query narrow further, even the one in the path', async () => {
    const path = '/categories/industry/Robots/startups';
    expect(await setup.names(path, { country: 'France' })).toEqual(['Three']);
    expect(await setup.names(path, { industry: 'Fintech,"Food, Drink"' })).toEqual([
      'One',
      'Three',
    ]);
    expect(await setup.names(path, { investor_type: 'studio', stage: 'series-a' })).toEqual([
      'One',
    ]);
    expect(await setup.names(path, { country: 'USA', $filter: "Tag ne 'Fintech'" })).toEqual([]);
  });

  test.each(['USA', 'us', 'United States of America', 'united states'])(
    'the country %s is the United States, as value, parameter and in filters',
    async (name) => {
      const all = ['Five', 'One', 'Two'];
      expect(await setup.names(`/categories/country/${name}/startups`)).toEqual(all);
      const france = `/categories/country/${name},FRA/startups`;
      expect(await setup.names(france, { $filter: "City eq 'Évry'" })).toEqual(['Three']);
      const named = (query: Query) => setup.names('/startups', query);
      for (const filter of [`Country eq '${name}'`, `Country in ('${name}','Peru')`]) {
        expect(await named({ $filter: filter })).toEqual(all);
      }
      for (const filter of [`Country ne '${name}'`, `Country notin ('${name}')`]) {
        expect(await named({ $filter: filter })).not.toEqual(expect.arrayContaining(['One']));
      }
      expect(await setup.facets({ dimensions: 'region', country: name })).toEqual({
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
        round_stage: 'seed',
        round_year: '2012',
        confirmed: 'confirmed',
        investor: 'ALPHA',
        lead_investor: 'f0000000-0000-0000-0000-000000000001',
      }),
    );
    const found: Record<string, number[]> = {};
    for (const { id } of DIMENSIONS) {
      const value = encodeURIComponent(values.get(id) ?? '');
      found[id] = await Promise.all(
        ENTITY_IDS.map((entity) => setup.countOf(`/categories/${id}/${value}/${entity}`)),
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
      round_stage: [1, 1, 1],
      round_year: [2, 2, 2],
      confirmed: [3, 2, 4],
      investor: [1, 1, 2],
      lead_investor: [1, 2, 2],
    });
  });

  test('the total and the count of every value of every dimension are those of the records', async () => {
    const country = { country: 'France,USA' };
    for (const entity of ENTITY_IDS) {
      const listed = await setup.countOf(`/categories/country/France,USA/${entity}`);
      const facets = await setup.get<Facets>('/categories/facets', { entity, ...country });
      expect([entity, facets.total]).toEqual([entity, listed]);
      for (const { id } of dimensionsOf(entity)) {
        const path = `/categories/${id}`;
        const { values, total } = await setup.get<Values>(path, { entity, ...country });
        expect([entity, id, total]).toEqual([entity, id, listed]);
        const uncounted = await setup.get<Values>(path, { entity, ...country, counts: 'false' });
        expect(uncounted).not.toHaveProperty('total');
        for (const { value, count } of values) {
          const written = encodeURIComponent(`"${String(value).replaceAll('"', '""')}"`);
          const path = `/categories/${id}/${written}/${entity}`;
          // A dimension is not narrowed by its own selection, so country narrows all but country.
          const behind = await setup.countOf(path, id === 'country' ? {} : country);
          expect([path, behind]).toEqual([path, count]);
        }
      }
    }
  });

  test('a record that the facet index does not contain yet is found', async () => {
    await setup.api.sql.query(
      `INSERT INTO venture.startup (name, tags) VALUES ('Seven', '{Brand new}')`,
    );
    expect(await setup.names('/categories/industry/Brand new/startups')).toEqual(['Seven']);
    expect(await setup.labels('industry', { q: 'brand' })).toEqual([]);
    await setup.api.catchUp();
    expect(await setup.labels('industry', { q: 'brand' })).toEqual(['Brand new']);
    await setup.api.sql.query(`UPDATE venture.startup SET deleted_at = now() WHERE name = 'Seven'`);
    await setup.api.catchUp();
  });
});

test('another spelling of a tag or place finds what the stored one does, if no record has it', async () => {
  await setup.api.sql.query(`
    INSERT INTO venture.term (kind, country, folded, label) VALUES
      ('tag', '', 'fintech', 'Fintech'), ('city', 'france', 'paris', 'Paris'),
      ('city', 'united states', 'boston', 'Boston'), ('country', '', 'omega', 'Ωmega');
    INSERT INTO venture.term_spelling (kind, country, folded, spelling) VALUES
      ('tag', '', 'fintech', 'Fin Tech'), ('tag', '', 'fintech', 'fintech'),
      ('tag', '', 'fintech', 'Fintech'), ('city', 'france', 'paris', 'Pâris'),
      ('city', 'united states', 'boston', 'Pâris'), ('country', '', 'omega', 'OMEGA')`);
  const names = async (filter: string) => {
    const query = { $filter: filter, $orderby: 'Name' };
    const found = await setup.names('/startups', query);
    expect([filter, await setup.countOf('/startups', query)]).toEqual([filter, found.length]);
    return found;
  };
  expect(await names("Tag eq 'Fin Tech'")).toEqual(['One', 'Two']);
  expect(await names("Tag eq 'fintech'")).toEqual(['Four']);
  expect(await names("Tag in ('Fin Tech','fintech') and Founded ne 1")).toEqual([
    ...['Four', 'One', 'Two'],
  ]);
  expect(await names("not (Tag ne 'Fin Tech')")).toEqual(['One', 'Two']);
  expect(await names("Tag notin ('Fin Tech','Robots')")).toEqual(['Five', 'Four']);
  expect(await names("City eq 'Pâris'")).toEqual(['Two']);
  expect(await setup.names('/funds', { $filter: "City eq 'Pâris'" })).toEqual(['Alpha', 'Beta']);
  expect(await names("Country eq 'OMEGA'")).toEqual(['Six']);
  expect(await setup.names('/categories/industry/Fin Tech/startups', { city: 'Pâris' })).toEqual([
    'Two',
  ]);
  const facets = await setup.get<Facets>('/categories/facets', { industry: 'Fin Tech' });
  expect([facets.total, facets.narrowedBy]).toEqual([2, { industry: ['Fintech'] }]);
});
