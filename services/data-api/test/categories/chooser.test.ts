import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FacetEngine, FacetQuery, LoadedFacetEngine } from '@vcds/facet-engine';
import { ApiError, createLogger } from '@vcds/service-kit';
import { Registry } from 'prom-client';
import {
  columnarEngine,
  until,
} from '../../../../packages/facet-engine/test/support/open-engine.ts';
import { openFacets } from '../../src/background/index-facets/open-facets.ts';
import { SqlFacetEngine } from '../../src/categories/sql-engine/sql-engine.ts';
import type { Database } from '../../src/postgres/database.ts';
import { type CategoryApi, openCategoryApi } from './support/category-api.ts';
import { openDatabase } from './support/engines.ts';

const QUERY: FacetQuery = {
  entity: 'startups',
  narrowing: [{ dimension: 'country', values: ['France'] }],
  facets: [{ dimension: 'industry', top: 5, skip: 0, order: 'count' }],
};

const logger = createLogger({ service: 'test', level: 'silent' });
let api: CategoryApi;
let database: Database;
let expected: Awaited<ReturnType<FacetEngine['count']>>;
beforeAll(async () => {
  api = await openCategoryApi();
  database = openDatabase(api.url);
  expected = await new SqlFacetEngine(database).count(QUERY);
});
afterAll(async () => {
  await database.close();
  await api.close();
});

function open(loaded: LoadedFacetEngine | undefined) {
  const registry = new Registry();
  const facets = openFacets({ database, primaryUrl: api.url, loaded, registry, logger });
  /** How many counts an engine has answered or failed. */
  const counts = async (engine: string, outcome: string) => {
    const metric = await registry.getSingleMetric('vcds_facet_count_duration_seconds')?.get();
    const found = metric?.values.find(
      (each) =>
        'metricName' in each &&
        each.metricName === 'vcds_facet_count_duration_seconds_count' &&
        each.labels.engine === engine &&
        each.labels.outcome === outcome,
    );
    return found?.value ?? 0;
  };
  return { facets, registry, counts };
}

test('the database answers until the engine has loaded, which answers from then on', async () => {
  const engine = columnarEngine(api.url);
  const { facets, registry, counts } = open(engine);
  try {
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect(await counts('sql', 'answered')).toBe(1);
    await until(() => engine.state().ready, 'loaded');
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect([await counts('sql', 'answered'), await counts('columnar', 'answered')]).toEqual([1, 1]);
    const hasLooked = /^vcds_facet_indexer_polls_total\{status="idle"\} [1-9]/m;
    await until(async () => hasLooked.test(await registry.metrics()), 'maintained');
    const text = await registry.metrics();
    expect(text).toMatch(/^vcds_facet_engine_ready\{engine="columnar"\} 1$/m);
    expect(text).toMatch(/^vcds_facet_engine_records\{engine="columnar",entity="startups"\} 118$/m);
    expect(text).toMatch(/^vcds_facet_engine_memory_bytes\{engine="columnar"\} [1-9]/m);
    expect(text).toMatch(/^vcds_facet_engine_load_duration_seconds\{engine="columnar"\} 0?\.?\d/m);
    expect(text).toMatch(/^vcds_facet_engine_lag_seconds\{engine="columnar"\} \d/m);
  } finally {
    await facets.close();
  }
  expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
});

test('the database answers where the data are too large for the engine', async () => {
  const engine = columnarEngine(api.url, { bytesMax: 1 });
  const { facets, counts } = open(engine);
  try {
    await until(() => engine.state().status === 'refused', 'refused');
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect(await counts('sql', 'answered')).toBe(1);
  } finally {
    await facets.close();
  }
});

test('the database answers where the engine fails, and the failure is counted', async () => {
  const failing: LoadedFacetEngine = {
    name: 'failing',
    state: () => ({
      ready: true,
      rows: { startups: 0, funds: 0, rounds: 0 },
      bytes: 0,
      loadMs: undefined,
      lagMs: undefined,
    }),
    start: () => undefined,
    close: async () => undefined,
    count: async () => {
      throw new ApiError('unavailable', 'Its threads are gone.');
    },
  };
  const { facets, counts } = open(failing);
  try {
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect([await counts('failing', 'failed'), await counts('sql', 'answered')]).toEqual([1, 1]);
    const signal = AbortSignal.abort(new Error('The caller has gone.'));
    await expect(facets.categories.facets.count(QUERY, signal)).rejects.toThrow(/caller has gone/);
  } finally {
    await facets.close();
  }
});

test('without an engine in memory the database answers', async () => {
  const { facets, counts } = open(undefined);
  try {
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect(await counts('sql', 'answered')).toBe(1);
    expect(await facets.categories.facets.count({ ...QUERY, facets: [] })).toEqual(new Map());
  } finally {
    await facets.close();
  }
});
