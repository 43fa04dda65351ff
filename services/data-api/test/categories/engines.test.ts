// Tests docs/spec/categories.md 8.7, 8.10, 8.12, 8.13, 8.14.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ApiError, createLogger } from '@vcds/service-kit';
import {
  atLength,
  closedAfterAll,
  createTestDatabase,
  describeWithData,
  eventually,
  runs,
  type TestDatabase,
} from '@vcds/test-kit';
import type { DimensionId } from '@vcds/venture-model';
import fc from 'fast-check';
import pg from 'pg';
import { Registry } from 'prom-client';
import { chooseEngine } from '../../src/categories/facet-chooser.ts';
import { createFacetMetrics } from '../../src/categories/facet-metrics.ts';
import type {
  FacetCounts,
  FacetQuery,
  LoadedFacetEngine,
} from '../../src/categories/facet-schema.ts';
import { shadowed } from '../../src/categories/shadow-engine.ts';
import { SqlFacetEngine } from '../../src/categories/sql-engine/sql-engine.ts';
import type { CountOutcome } from '../../src/collections/count.ts';
import type { FacetIndexer } from '../../src/worker/index-facets/facet-indexer.ts';
import { applyAll, indexerOf, openCategoryApi } from './support/category-api.ts';
import { columnarEngine, ENGINES, type EngineUnderTest, openDatabase } from './support/engines.ts';
import { openCounted } from './support/open-counted.ts';
import { Oracle } from './support/oracle.ts';
import { addVariety, importRealData, REAL_FILES, writeConcurrently } from './support/real-data.ts';
import { facetQueries } from './support/requests.ts';

const MINUTE_MS = 60_000;

describeWithData(
  'on varied real data',
  (folder) => {
    let database: TestDatabase;
    let sql: pg.Pool;
    let indexer: FacetIndexer;
    let oracle: Oracle;
    const engines = new Map<string, EngineUnderTest>();

    beforeAll(async () => {
      database = await createTestDatabase();
      sql = new pg.Pool({ connectionString: database.url, max: 8, options: '-c jit=off' });
      sql.on('error', () => undefined);
      indexer = indexerOf(database.url);
      for (const [name, open] of Object.entries(ENGINES))
        engines.set(name, await open(database.url));
      await importRealData(database.url, folder);
      await applyAll(indexer);
      await addVariety(sql);
    }, 5 * MINUTE_MS);
    afterAll(async () => {
      for (const { close } of engines.values()) await close();
      await indexer.close();
      await sql.end();
      await database.drop();
    });

    describe('after an import and many edits', () => {
      beforeAll(async () => {
        await applyAll(indexer);
        oracle = await Oracle.read(sql);
      }, MINUTE_MS);

      test(
        'every engine returns the counts of the reference for random requests',
        () => agree(runs(8, 500).numRuns),
        10 * MINUTE_MS,
      );
    });

    describe('after concurrent writers and two indexers', () => {
      beforeAll(async () => {
        const rebuilding = { times: { rebuildRowsMin: 200 } };
        const others = [indexerOf(database.url, 50), indexerOf(database.url, 500, rebuilding)];
        for (const other of others) other.start();
        await writeConcurrently(sql, 6, atLength(8, 60));
        for (const other of others) await other.close();
        await applyAll(indexer);
        oracle = await Oracle.read(sql);
      }, 2 * MINUTE_MS);

      test(
        'every engine returns the counts of the reference for random requests',
        () => agree(runs(5, 300).numRuns),
        10 * MINUTE_MS,
      );

      test('derived columns of companies and investments match the records', async () => {
        const { rows } = await sql.query(
          `SELECT 'round' AS kept, r.id FROM venture.funding_round r
             JOIN venture.startup s ON s.id = r.startup_id
             WHERE r.startup_deleted <> (s.deleted_at IS NOT NULL)
           UNION ALL
           SELECT 'fund', f.id FROM venture.fund f WHERE f.investments_count <> (
             SELECT count(*) FROM venture.round_investor p
             JOIN venture.funding_round r ON r.id = p.round_id AND r.deleted_at IS NULL
             JOIN venture.startup s ON s.id = r.startup_id AND s.deleted_at IS NULL
             WHERE p.investor_id = f.id AND p.deleted_at IS NULL)`,
        );
        expect(rows).toEqual([]);
      });

      test('the stored counts match the stored codes', async () => {
        const { rows } = await sql.query(
          `SELECT * FROM (
             SELECT entity, code, count FROM venture.facet_count WHERE count <> 0
             EXCEPT SELECT * FROM (
               SELECT 1::smallint, 0, count(*) FROM venture.startup_facet WHERE NOT deleted
               UNION ALL SELECT 2, 0, count(*) FROM venture.fund_facet WHERE NOT deleted
               UNION ALL SELECT 3, 0, count(*) FROM venture.round_facet WHERE NOT deleted UNION ALL
               SELECT 1::smallint, unnest(codes) AS code, count(*) FROM venture.startup_facet GROUP BY 2
               UNION ALL SELECT 2::smallint, unnest(codes), count(*) FROM venture.fund_facet GROUP BY 2
               UNION ALL SELECT 3::smallint, unnest(codes), count(*) FROM venture.round_facet GROUP BY 2) c
           ) d`,
        );
        expect(rows).toEqual([]);
      });
    });

    let asked = 0;
    let filled = 0;
    async function agree(numRuns: number): Promise<void> {
      for (const { caughtUp } of engines.values()) await caughtUp();
      const queries = facetQueries(oracle.sample());
      await fc.assert(
        fc.asyncProperty(queries, async (query) => {
          const expected = oracle.expected(query);
          asked += 1;
          if (Object.values(expected).some((rows) => rows.length > 0)) filled += 1;
          for (const [name, { engine }] of engines) {
            const counts = await engine.count(query);
            expect({ engine: name, total: counts.total, ...rowsOf(query, counts) }).toEqual({
              engine: name,
              total: oracle.total(query),
              ...expected,
            });
          }
        }),
        { numRuns, endOnFailure: true },
      );
    }

    test('about half of the answers have values', () => {
      expect(filled).toBeGreaterThan(asked / 10);
    });
  },
  REAL_FILES,
);

function rowsOf(
  { facets }: FacetQuery,
  { facets: counts }: FacetCounts,
): Partial<Record<DimensionId, string[]>> {
  expect([...counts.keys()]).toEqual(facets.map(({ dimension }) => dimension));
  return Object.fromEntries(
    [...counts].map(([id, values]) => [id, values.map(({ value, count }) => `${value}: ${count}`)]),
  );
}

const QUERY: FacetQuery = {
  entity: 'startups',
  narrowing: [{ dimension: 'country', values: ['France'] }],
  facets: [{ dimension: 'industry', top: 5, skip: 0, order: 'count' }],
};

const api = await closedAfterAll(openCategoryApi());
const database = await closedAfterAll(openDatabase(api.url));
const expected = await new SqlFacetEngine(database).count(QUERY);

const open = (loaded: LoadedFacetEngine | undefined, registry = new Registry()) =>
  openCounted({ database, loaded, registry });

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
  const fail = async () => {
    throw new ApiError('unavailable', 'No thread is running.');
  };
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
    count: fail,
    aggregate: fail,
    countRecords: fail,
  };
  const { facets, counts } = open(failing);
  try {
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect([await counts('failing', 'failed'), await counts('sql', 'answered')]).toEqual([1, 1]);
    const every = { kind: 'and', of: [] } as const;
    const { records } = facets.categories;
    expect(await records.countRecords({ entity: 'startups', where: every })).toBeUndefined();
    expect(await counts('failing', 'failed')).toBe(2);
    const signal = AbortSignal.abort(new Error('The client disconnected.'));
    await expect(facets.categories.facets.count(QUERY, signal)).rejects.toThrow(
      /client disconnected/,
    );
  } finally {
    await facets.close();
  }
});

test('a share of the answers is compared with those of another engine', async () => {
  const registry = new Registry();
  const logged: Record<string, unknown>[] = [];
  const sink = { write: (line: string) => logged.push(JSON.parse(line)) };
  const logger = createLogger({ service: 'test', sink });
  const engine = columnarEngine(api.url);
  const isReady = () => ({ ...engine.state(), ready: true });
  const other = columnarEngine(api.url, { pollMs: 50 });
  let answer = (query: FacetQuery) => other.count(query);
  const both = (share: number, of = registry) =>
    shadowed({
      ...{ engine, share, registry: of, logger },
      other: {
        ...{
          name: 'other',
          state: isReady,
          start: () => other.start(),
          close: () => other.close(),
        },
        count: (query) => answer(query),
        countRecords: (query) => other.countRecords(query),
        aggregate: (query) => other.aggregate(query),
      },
    });
  const compared = both(1);
  compared.start();
  const outcome = async (name: string, count: number) => {
    const line = `vcds_facet_shadow_calls_total{outcome="${name}"} ${count}`;
    await eventually(async () => (await registry.metrics()).includes(line));
  };
  try {
    await eventually(() => engine.state().ready && other.state().ready);
    const where = { kind: 'and', of: [] } as const;
    expect(await compared.count(QUERY)).toEqual(expected);
    await outcome('equal', 1);
    await compared.countRecords({ entity: 'startups', where });
    await compared.aggregate({
      ...{ entity: 'startups', where, by: [{ kind: 'dimension', dimension: 'country' }] },
      ...{ measures: [{ kind: 'count' }], order: [], top: 5, skip: 0, groupsMax: 100 },
    });
    await outcome('equal', 3);
    answer = async (query) => ({ ...(await other.count(query)), total: 7 });
    expect(await compared.count(QUERY)).toEqual(expected);
    await outcome('different', 1);
    expect(logged).toMatchObject([
      { msg: 'two engines count differently', query: JSON.stringify(QUERY) },
    ]);
    answer = () => Promise.reject(new Error('It is not there.'));
    expect(await compared.count(QUERY)).toEqual(expected);
    await outcome('failed', 1);
    const few = new Registry();
    const seldom = both(0, few);
    await seldom.count(QUERY);
    expect(await few.metrics()).not.toContain('outcome=');
  } finally {
    await compared.close();
  }
});

test('counts that read every match have a metric by reason and, if avoidable, a warning', async () => {
  const registry = new Registry();
  const reasons: unknown[] = [];
  const sink = { write: (line: string) => reasons.push(JSON.parse(line).reason) };
  const { counted } = chooseEngine({
    sql: new SqlFacetEngine(database),
    loaded: columnarEngine(api.url),
    metrics: createFacetMetrics(registry, undefined),
    logger: createLogger({ service: 'test', sink }),
  });
  const outcomes: CountOutcome[] = ['in_memory', 'not_indexed', 'not_ready', 'not_ready'];
  for (const outcome of outcomes) counted(outcome);
  const text = await registry.metrics();
  expect(text).toMatch(/^vcds_record_counts_total\{outcome="not_indexed"\} 1$/m);
  expect(text).toMatch(/^vcds_record_counts_total\{outcome="not_ready"\} 2$/m);
  expect(reasons).toEqual(['not_ready']);
});

test('without an engine in memory the database counts', async () => {
  const { facets, counts } = open(undefined);
  try {
    expect(await facets.categories.facets.count(QUERY)).toEqual(expected);
    expect(await counts('sql', 'answered')).toBe(1);
    expect(await facets.categories.facets.count({ ...QUERY, facets: [] })).toEqual({
      total: expected.total,
      facets: new Map(),
    });
  } finally {
    await facets.close();
  }
});
