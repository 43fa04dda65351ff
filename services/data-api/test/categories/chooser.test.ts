import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApiError, createLogger } from '@vcds/service-kit';
import { eventually } from '@vcds/test-kit';
import { Registry } from 'prom-client';
import { openFacets } from '../../src/background/index-facets/open-facets.ts';
import type {
  FacetEngine,
  FacetQuery,
  LoadedFacetEngine,
} from '../../src/categories/facet-schema.ts';
import { SqlFacetEngine } from '../../src/categories/sql-engine/sql-engine.ts';
import type { Database } from '../../src/postgres/database.ts';
import { type CategoryApi, openCategoryApi } from './support/category-api.ts';
import { columnarEngine, openDatabase } from './support/engines.ts';

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

function open(loaded: LoadedFacetEngine | undefined, registry = new Registry()) {
  const facets = openFacets({ database, primaryUrl: api.url, loaded, registry, logger });
  /** The number of counts of an engine by outcome. */
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
  return { facets, counts };
}

test('the database counts until the engine has loaded, then the engine', async () => {
  const registry = new Registry();
  const engine = columnarEngine(api.url, { registry });
  const { facets, counts } = open(engine, registry);
  try {
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect(await counts('sql', 'answered')).toBe(1);
    await eventually(() => engine.state().ready);
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect([await counts('sql', 'answered'), await counts('columnar', 'answered')]).toEqual([1, 1]);
    const hasPolled = /^vcds_facet_indexer_polls_total\{status="idle"\} [1-9]/m;
    await eventually(async () => hasPolled.test(await registry.metrics()));
    const text = await registry.metrics();
    expect(text).toMatch(/^vcds_facet_engine_ready\{engine="columnar"\} 1$/m);
    expect(text).toMatch(/^vcds_facet_engine_records\{engine="columnar",entity="startups"\} 118$/m);
    expect(text).toMatch(/^vcds_facet_engine_memory_bytes\{engine="columnar"\} [1-9]/m);
    expect(text).toMatch(/^vcds_facet_engine_load_duration_seconds\{engine="columnar"\} 0?\.?\d/m);
    expect(text).toMatch(/^vcds_facet_columnar_counts_total\{threads="one"\} 1$/m);
    expect(text).toMatch(/^vcds_facet_columnar_records\{entity="startups",state="live"\} 118$/m);
    expect(text).toMatch(/^vcds_facet_columnar_records\{entity="startups",state="dead"\} \d+$/m);
    expect(text).toMatch(/^vcds_facet_engine_lag_seconds\{engine="columnar"\} \d/m);
  } finally {
    await facets.close();
  }
  expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
});

test('the database counts if the data exceeds the memory limit of the engine', async () => {
  const engine = columnarEngine(api.url, { bytesMax: 1 });
  const { facets, counts } = open(engine);
  try {
    await eventually(() => engine.state().status === 'too-large');
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect(await counts('sql', 'answered')).toBe(1);
  } finally {
    await facets.close();
  }
});

test('the database counts if the engine fails, and a metric records the failure', async () => {
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
      throw new ApiError('unavailable', 'No thread is running.');
    },
  };
  const { facets, counts } = open(failing);
  try {
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect([await counts('failing', 'failed'), await counts('sql', 'answered')]).toEqual([1, 1]);
    const signal = AbortSignal.abort(new Error('The client disconnected.'));
    await expect(facets.categories.facets.count(QUERY, signal)).rejects.toThrow(
      /client disconnected/,
    );
  } finally {
    await facets.close();
  }
});

test('without an engine in memory the database counts', async () => {
  const { facets, counts } = open(undefined);
  try {
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect(await counts('sql', 'answered')).toBe(1);
    expect(await facets.categories.facets.count({ ...QUERY, facets: [] })).toEqual(new Map());
  } finally {
    await facets.close();
  }
});
