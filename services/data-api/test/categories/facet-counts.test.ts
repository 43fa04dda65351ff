// Tests docs/spec/resources.md 4.15.
// Tests docs/spec/categories.md 8.1, 8.5, 8.6, 8.7, 8.8.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import type { Query } from '../support/api.ts';
import { type Facets, openCategorySetup } from './support/category-setup.ts';

const setup = await closedAfterAll(openCategorySetup());

describe('GET /categories/facets', () => {
  test('counts every closed dimension of startups by default', async () => {
    expect(await setup.get('/categories/facets')).toEqual({
      entity: 'startups',
      narrowedBy: {},
      total: 6,
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

  test('counts the stage of rounds by default, whatever their sources wrote', async () => {
    expect(await setup.facets({ entity: 'rounds' })).toEqual({
      round_stage: { 'Series A': 2, Seed: 1 },
      confirmed: { Confirmed: 4 },
    });
    const series = await setup.facets({ entity: 'rounds', dimensions: 'round_series' });
    expect(series.round_series).toEqual({ 'Series A': 1, 'series-a': 1, seed: 1 });
  });

  test('counts the requested dimensions in order, most common values first', async () => {
    const body = await setup.get<Facets>('/categories/facets', {
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
    expect(await setup.facets({ dimensions: 'industry', country: 'France' })).toEqual({
      industry: { Robots: 1, Fintech: 1, 'Food, Drink': 1 },
    });
    expect(
      await setup.facets({ dimensions: 'city', country: 'USA,France', industry: 'Robots' }),
    ).toEqual({
      city: { 'New York': 1, Évry: 1 },
    });
  });

  test('a dimension is never constrained by its own selection', async () => {
    const query = { industry: 'Fintech', country: 'USA' };
    const own = await setup.facets({ dimensions: 'industry,country,region', ...query });
    // The industries of American companies, the countries of Fintech, the regions of both.
    expect(own).toEqual({
      industry: { Fintech: 2, Robots: 1 },
      country: { 'United States': 2, France: 1 },
      region: { MA: 1, NY: 1 },
    });
    const alternatives = await setup.facets({ dimensions: 'industry', industry: 'Fintech' });
    expect(alternatives).toEqual(await setup.facets({ dimensions: 'industry' }));
    expect(await setup.labels('industry', { industry: 'Fintech' })).toEqual(
      await setup.labels('industry'),
    );
  });

  test('narrowedBy has the resolved labels, however they were written', async () => {
    for (const stage of [
      'Series A',
      'series-a',
      'SeriesA',
      '4',
      ' series-a ',
      'SeriesA,series-a,4',
    ]) {
      const body = await setup.get<Facets>('/categories/facets', {
        stage,
        dimensions: 'industry',
      });
      expect(body.narrowedBy).toEqual({ stage: ['Series A'] });
      expect(body.facets.industry).toEqual([
        { value: 'Fintech', label: 'Fintech', count: 2 },
        { value: 'Robots', label: 'Robots', count: 1 },
      ]);
    }
    const { narrowedBy } = await setup.get<Facets>('/categories/facets', {
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
    const body = await setup.get<Facets>('/categories/facets', {
      industry: '"Food, Drink", "A/B ""Tests"""',
      dimensions: 'country',
    });
    expect(body.narrowedBy).toEqual({ industry: ['Food, Drink', 'A/B "Tests"'] });
    expect(body.facets.country?.map(({ label }) => label)).toEqual(['France', 'Ωmega']);
  });
});

describe('narrowing through relations', () => {
  test('a round through its startup, or any of its investors', async () => {
    const of = (query: Query) =>
      setup.facets({ entity: 'rounds', dimensions: 'round_series', ...query });
    expect(await of({ country: 'France' })).toEqual({ round_series: { 'series-a': 1 } });
    expect(await of({ investor_type: 'Studio' })).toEqual({
      round_series: { 'Series A': 1, 'series-a': 1 },
    });
    expect(await of({ fund_group: '"Top, Tier"', stage: '4' })).toEqual({
      round_series: { seed: 1, 'Series A': 1 },
    });
  });

  test('a startup through its investors, or its rounds', async () => {
    const of = (query: Query) => setup.facets({ dimensions: 'industry', ...query });
    expect(await of({ investment_stage: 'seed' })).toEqual({ industry: { Fintech: 1, Robots: 1 } });
    expect(await of({ round_year: '2012', investor_type: 'accelerator' })).toEqual({
      industry: { Fintech: 2, Robots: 1 },
    });
  });

  test('a fund through its portfolio, or its rounds', async () => {
    const of = (query: Query) =>
      setup.facets({ entity: 'funds', dimensions: 'industry', ...query });
    expect(await of({ stage: 'SeriesA' })).toEqual({ industry: { Fintech: 2, Robots: 1 } });
    expect(await of({ round_series: 'seed' })).toEqual({ industry: { Fintech: 1 } });
  });
});

describe('exit status per investor', () => {
  test('a company appears under the status of each investor', async () => {
    // Alpha has exited One, Beta still holds it.
    expect(await setup.names('/categories/exit_status/exited/startups')).toEqual(['One']);
    expect(await setup.names('/categories/exit_status/Held/startups')).toEqual(['One', 'Two']);
    expect((await setup.facets({ dimensions: 'exit_status' })).exit_status).toEqual({
      Held: 2,
      Acquired: 1,
      Exited: 1,
    });
  });

  test('a fund appears under its own status, not under that of other funds', async () => {
    expect(await setup.names('/categories/exit_status/Exited/funds')).toEqual(['Alpha']);
    expect(await setup.names('/categories/exit_status/Held/funds')).toEqual(['Beta']);
    expect(
      await setup.facets({ entity: 'funds', dimensions: 'industry', exit_status: 'Exited' }),
    ).toEqual({
      industry: { Fintech: 1 },
    });
    expect(
      await setup.facets({
        entity: 'funds',
        dimensions: 'founded_year',
        exit_status: 'Acquired',
      }),
    ).toEqual({
      founded_year: { 2001: 1 },
    });
  });
});
