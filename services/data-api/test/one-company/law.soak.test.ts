// Tests docs/spec/one-company.md 25.1, 25.5, 25.6, 25.7, 25.8.
import { expect, test } from '@jest/globals';
import { runImport } from '@vcds/importer';
import { createTestDatabase, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
import { differences } from '../changes/support/copy.ts';
import { type MadeSources, SourceMaker } from './made-sources.ts';
import { answered, cluster, FUND, STARTUP } from './support.ts';

async function withDatabase<T>(work: (pool: pg.Pool, url: string) => Promise<T>): Promise<T> {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => undefined);
  try {
    return await work(pool, database.urlOf('vcds_importer'));
  } finally {
    await pool.end();
    await database.drop();
  }
}

async function importAll(url: string, lines: readonly string[]): Promise<void> {
  const report = await runImport({ connectionString: url, stream: { name: 'lines', lines } });
  expect(report).toMatchObject({ state: 'applied', total: { rejected: 0 } });
}

const alone = (ids: readonly string[]) => ids.map((id) => [id]);

async function splitAll(pool: pg.Pool, { startups, funds }: MadeSources): Promise<void> {
  await cluster(pool, STARTUP, alone(startups));
  await cluster(pool, FUND, alone(funds));
}

test('records follow from statements and clusters, whatever the order of imports, merges and splits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const maker = new SourceMaker(seed);
      const made = maker.make();
      const [startups, funds] = [maker.clusters(made.startups), maker.clusters(made.funds)];
      const { never, merged } = await withDatabase(async (pool, url) => {
        await importAll(url, made.base);
        await importAll(
          url,
          made.batches.flatMap(({ lines }) => lines),
        );
        const before = await answered(pool);
        await cluster(pool, FUND, funds);
        await cluster(pool, STARTUP, startups);
        return { never: before, merged: await answered(pool) };
      });
      await withDatabase(async (pool, url) => {
        await importAll(url, made.base);
        for (const { lines } of maker.schedule(made)) {
          if (maker.chance(0.6)) await cluster(pool, STARTUP, maker.clusters(made.startups));
          if (maker.chance(0.6)) await cluster(pool, FUND, maker.clusters(made.funds));
          await importAll(url, lines);
          if (maker.chance(0.1)) await splitAll(pool, made);
        }
        await cluster(pool, STARTUP, startups);
        await cluster(pool, FUND, funds);
        expect(differences(await answered(pool), merged)).toEqual([]);
        await splitAll(pool, made);
        expect(differences(await answered(pool), never)).toEqual([]);
        const { rows } = await pool.query('SELECT * FROM venture.company_member');
        expect(rows).toEqual([]);
      });
    }),
    { ...runs(1), endOnFailure: true },
  );
}, 3_000_000);
