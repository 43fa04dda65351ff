import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  atLength,
  createTestDatabase,
  describeWithData,
  runs,
  type TestDatabase,
} from '@vcds/test-kit';
import type { DimensionId } from '@vcds/venture-model';
import fc from 'fast-check';
import pg from 'pg';
import type { FacetIndexer } from '../../src/background/index-facets/facet-indexer.ts';
import type { FacetCounts, FacetQuery } from '../../src/categories/facet-schema.ts';
import { applyAll, indexerOf } from './support/category-api.ts';
import { ENGINES, type EngineUnderTest } from './support/engines.ts';
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
        () => agree(runs(120).numRuns),
        10 * MINUTE_MS,
      );
    });

    describe('after concurrent writers and two indexers', () => {
      beforeAll(async () => {
        const others = [indexerOf(database.url, 50), indexerOf(database.url, 500)];
        for (const other of others) other.start();
        await writeConcurrently(sql, 6, atLength(15, 60));
        for (const other of others) await other.close();
        await applyAll(indexer);
        oracle = await Oracle.read(sql);
      }, 2 * MINUTE_MS);

      test(
        'every engine returns the counts of the reference for random requests',
        () => agree(runs(60).numRuns),
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
               SELECT 1::smallint, unnest(codes) AS code, count(*) FROM venture.startup_facet GROUP BY 2
               UNION ALL SELECT 2::smallint, unnest(codes), count(*) FROM venture.fund_facet GROUP BY 2
               UNION ALL SELECT 3::smallint, unnest(codes), count(*) FROM venture.round_facet GROUP BY 2) c
           ) d`,
        );
        expect(rows).toEqual([]);
      });
    });

    async function agree(numRuns: number): Promise<void> {
      for (const { caughtUp } of engines.values()) await caughtUp();
      const queries = facetQueries(oracle.sample());
      let filled = 0;
      await fc.assert(
        fc.asyncProperty(queries, async (query) => {
          const expected = oracle.expected(query);
          if (Object.values(expected).some((rows) => rows.length > 0)) filled += 1;
          for (const [name, { engine }] of engines) {
            const counts = await engine.count(query);
            expect({ engine: name, ...rowsOf(query, counts) }).toEqual({
              engine: name,
              ...expected,
            });
          }
        }),
        { numRuns, endOnFailure: true },
      );
      // Most answers must not be empty.
      expect(filled).toBeGreaterThan(numRuns / 3);
    }
  },
  REAL_FILES,
);

function rowsOf(
  { facets }: FacetQuery,
  counts: FacetCounts,
): Partial<Record<DimensionId, string[]>> {
  expect([...counts.keys()]).toEqual(facets.map(({ dimension }) => dimension));
  return Object.fromEntries(
    [...counts].map(([id, values]) => [id, values.map(({ value, count }) => `${value}: ${count}`)]),
  );
}
