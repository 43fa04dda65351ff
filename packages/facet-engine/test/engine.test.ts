import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger } from '@vcds/service-kit';
import { endConnections } from '@vcds/test-kit';
import { ENTITY_IDS } from '@vcds/venture-model';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import type { ColumnarFacetEngine } from '../src/index.ts';
import type { FacetQuery } from '../src/port.ts';
import { dictionaries, idOf, queries, writes } from './support/arbitraries.ts';
import { type FacetDatabase, openFacetDatabase } from './support/facet-database.ts';
import { columnarEngine, until, untilWithin } from './support/open-engine.ts';
import { countNaively, type Value } from './support/oracle.ts';

let database: FacetDatabase;
let engine: ColumnarFacetEngine;

beforeEach(async () => {
  database = await openFacetDatabase();
  engine = columnarEngine(database.url);
});

afterEach(async () => {
  await engine.close();
  await database.drop();
});

const VALUES: readonly Value[] = [
  { code: 1, dimension: 1, value: 'Health', folded: 'health' },
  { code: 2, dimension: 1, value: 'Energy', folded: 'energy' },
  { code: 3, dimension: 2, value: 'France', folded: 'france' },
  { code: 4, dimension: 2, value: 'Chile', folded: 'chile' },
  { code: 5, dimension: 12, value: '2010', folded: '2010' },
];

/** Industries of French companies. */
const FRENCH: FacetQuery = {
  entity: 'startups',
  narrowing: [{ dimension: 'country', values: ['France'] }],
  facets: [{ dimension: 'industry', top: 10, skip: 0, order: 'count' }],
};

const industriesOfFrench = async () => (await engine.count(FRENCH)).get('industry');
const isLoaded = () => engine.state().ready;

describe('with a database', () => {
  test('what is there is loaded, of every entity, and counted as by looking at every record', async () => {
    const [dictionary = []] = fc.sample(dictionaries, { numRuns: 1, seed: 4 });
    const store = fc.sample(writes(dictionary, 400), { numRuns: 3_000, seed: 5 });
    await database.write({ values: dictionary, writes: store });
    const registry = new Registry();
    engine = columnarEngine(database.url, { registry });
    engine.start();
    await until(isLoaded, 'loaded');
    for (const query of fc.sample(queries, { numRuns: 150, seed: 6 })) {
      const records = database.records[ENTITY_IDS.indexOf(query.entity)] ?? new Map();
      expect(await engine.count(query)).toEqual(countNaively(query, records, dictionary));
    }
    const shown = await registry.metrics();
    for (const threads of ['none', 'one']) {
      expect(shown).toMatch(
        new RegExp(`vcds_facet_columnar_counts_total{threads="${threads}"} [1-9]`),
      );
    }
    const { size } = database.records[1] ?? new Map();
    expect(shown).toContain(`vcds_facet_columnar_records{entity="funds",state="live"} ${size}\n`);
    expect(shown).toContain('vcds_facet_columnar_records{entity="funds",state="dead"} 0\n');
    const { rows, bytes, loadMs, lagMs } = engine.state();
    expect(Object.values(rows)).toEqual(database.records.map(({ size }) => size));
    expect(bytes).toBeGreaterThan(0);
    expect(loadMs).toBeGreaterThan(0);
    expect(lagMs).toBeLessThan(2_000);
  });

  test('an empty one is answered for, and filled later', async () => {
    engine.start();
    await until(isLoaded, 'loaded');
    expect(await industriesOfFrench()).toEqual([]);
    await database.write({
      values: VALUES,
      writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }],
    });
    await until(async () => (await industriesOfFrench())?.length === 1, 'seen');
    expect(await industriesOfFrench()).toEqual([{ value: 'Health', count: 1 }]);
  });

  test('a change is counted within two seconds of its commit: new, changed, deleted, back', async () => {
    await database.write({ values: VALUES });
    engine.start();
    await until(isLoaded, 'loaded');
    const steps = [
      { codes: [1, 3], expected: [{ value: 'Health', count: 1 }] },
      { codes: [2, 3, 5], expected: [{ value: 'Energy', count: 1 }] },
      { codes: undefined, expected: [] },
      {
        codes: [1, 2, 3],
        expected: [
          { value: 'Energy', count: 1 },
          { value: 'Health', count: 1 },
        ],
      },
    ];
    for (const { codes, expected } of steps) {
      await database.write({ writes: [{ entity: 0, id: idOf(1), codes }] });
      const wanted = JSON.stringify(expected);
      const isCounted = async () => {
        await database.sql.query('SELECT 1');
        return JSON.stringify(await industriesOfFrench()) === wanted;
      };
      await untilWithin(2_000, isCounted, wanted);
    }
  });

  test('counts during changes are those of one batch: never of half of one', async () => {
    const count = 300;
    const batchOf = (code: number) =>
      Array.from({ length: count }, (_, i) => ({ entity: 0, id: idOf(i), codes: [code, 3] }));
    await database.write({ values: VALUES, writes: batchOf(1) });
    engine.start();
    await until(isLoaded, 'loaded');
    const seen = new Set<string>();
    let isWriting = true;
    const reading = (async () => {
      while (isWriting) {
        const query = { ...FRENCH, facets: [...FRENCH.facets, ...FRENCH_COUNTRIES] };
        const counts = await engine.count(query);
        const [first, ...others] = counts.get('industry') ?? [];
        expect(others).toEqual([]);
        expect(first?.count).toBe(count);
        expect(counts.get('country')).toEqual([{ value: 'France', count }]);
        seen.add(String(first?.value));
      }
    })();
    reading.catch(() => {
      isWriting = false;
    });
    // The engine looks now and then: it may pass over any of them, but not over one sort for ever.
    for (let i = 0; isWriting && (i < 20 || seen.size < 2); i++) {
      await database.write({ writes: batchOf(1 + (i % 2)) });
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    isWriting = false;
    await reading;
    expect([...seen].sort()).toEqual(['Energy', 'Health']);
    expect(engine.state().sizes[0]?.dead).toBeLessThanOrEqual(0.05 * count + count);
  });
});

const FRENCH_COUNTRIES = [
  { dimension: 'country', top: 10, skip: 0, order: 'count' },
] as const satisfies FacetQuery['facets'];

describe('when something goes wrong', () => {
  test('before it has loaded, the engine says so and refuses', async () => {
    expect(engine.state()).toMatchObject({ ready: false, status: 'idle', bytes: 0 });
    await expect(engine.count(FRENCH)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('above its memory the engine refuses to load, says so and holds nothing', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    engine = columnarEngine(database.url, { bytesMax: 10_000 });
    engine.start();
    await until(() => engine.state().status === 'refused', 'refused');
    expect(engine.state()).toMatchObject({ ready: false, bytes: 0 });
    await expect(engine.count(FRENCH)).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('a connection that breaks is made again, and nothing is missed', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    engine.start();
    await until(isLoaded, 'loaded');
    expect(await endConnections(database.url, 'data-api facets')).toBe(1);
    await database.write({ writes: [{ entity: 0, id: idOf(2), codes: [1, 3] }] });
    await until(async () => (await industriesOfFrench())?.[0]?.count === 2, 'both seen');
  });

  test('without word from the database the engine does not answer, until there is word', async () => {
    await database.write({ values: VALUES });
    engine = columnarEngine(database.url, { staleMs: 300 });
    engine.start();
    await until(isLoaded, 'loaded');
    const client = await database.sql.connect();
    await client.query('BEGIN; LOCK TABLE venture.facet_state IN ACCESS EXCLUSIVE MODE');
    await until(() => !engine.state().ready, 'stale');
    await expect(engine.count(FRENCH)).rejects.toMatchObject({ code: 'unavailable' });
    await client.query('COMMIT');
    client.release();
    // Whenever the word is late it refuses once more.
    const answers = () => industriesOfFrench().catch(() => undefined);
    await until(async () => (await answers())?.length === 0, 'answered again');
  });

  test('a database that was set back is loaded anew', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    await database.write({ writes: [{ entity: 0, id: idOf(2), codes: [2, 3] }] });
    engine.start();
    await until(isLoaded, 'loaded');
    await database.sql.query('DELETE FROM venture.startup_facet WHERE version > 1');
    await database.sql.query('UPDATE venture.facet_state SET version = 1');
    await until(() => !engine.state().ready, 'noticed');
    await until(isLoaded, 'loaded anew');
    expect(await industriesOfFrench()).toEqual([{ value: 'Health', count: 1 }]);
  });

  test('records with values that no dictionary has are not counted; it loads once they are mended', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    await database.sql.query("UPDATE venture.startup_facet SET codes = '{1,3,99}'");
    const lines: string[] = [];
    engine = columnarEngine(database.url, {
      logger: createLogger({ service: 'test', sink: { write: (line) => lines.push(line) } }),
    });
    engine.start();
    await until(() => lines.some((line) => line.includes('the dimension value 99')), 'told');
    expect(engine.state()).toMatchObject({ ready: false, status: 'loading' });
    await database.sql.query("UPDATE venture.startup_facet SET codes = '{1,3}'");
    await until(isLoaded, 'loaded');
    expect(await industriesOfFrench()).toEqual([{ value: 'Health', count: 1 }]);
  });

  test('a signal ends the wait', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    engine.start();
    await until(isLoaded, 'loaded');
    const reason = new Error('the caller has gone');
    const controller = new AbortController();
    const counting = engine.count(FRENCH, controller.signal);
    controller.abort(reason);
    await expect(counting).rejects.toBe(reason);
    await expect(engine.count(FRENCH, controller.signal)).rejects.toBe(reason);
    expect(await industriesOfFrench()).toEqual([{ value: 'Health', count: 1 }]);
  });

  test('closing ends counts under way and the connection, and may come twice', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    engine.start();
    await until(isLoaded, 'loaded');
    const counting = engine.count(FRENCH).catch((error: unknown) => error);
    await engine.close();
    await engine.close();
    expect(await counting).toMatchObject({ code: 'unavailable' });
    await expect(engine.count(FRENCH)).rejects.toMatchObject({ code: 'unavailable' });
    expect(engine.state()).toMatchObject({ ready: false, status: 'closed', threads: 0 });
    await until(async () => {
      const { rows } = await database.sql.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE application_name = 'data-api facets' AND datname = current_database()`,
      );
      return rows.length === 0;
    }, 'no connection');
  });
});
