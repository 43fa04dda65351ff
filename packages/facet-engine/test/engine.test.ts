import { inspect, isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { endConnections, eventually, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import type { ColumnarFacetEngine } from '../src/index.ts';
import type { FacetQuery } from '../src/port.ts';
import { dictionaries, idOf, queries, writes } from './support/arbitraries.ts';
import { type FacetDatabase, openFacetDatabase } from './support/facet-database.ts';
import { columnarEngine, untilWithin } from './support/open-engine.ts';
import { countNaively, type Value } from './support/oracle.ts';
import { ENTITY_IDS } from './support/schema.ts';

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
  { code: 1, dimension: 1, value: 'Western', folded: 'western' },
  { code: 2, dimension: 1, value: 'Drama', folded: 'drama' },
  { code: 3, dimension: 2, value: 'France', folded: 'france' },
  { code: 4, dimension: 2, value: 'Chile', folded: 'chile' },
  { code: 5, dimension: 12, value: '2010', folded: '2010' },
];

/** Genres of French films. */
const FRENCH: FacetQuery = {
  entity: 'films',
  narrowing: [{ dimension: 'country', values: ['France'] }],
  facets: [{ dimension: 'genre', top: 10, skip: 0, order: 'count' }],
};

const genresOfFrench = async () => (await engine.count(FRENCH)).facets.get('genre');
const isLoaded = () => engine.state().ready;
const entityIndex = ({ entity }: FacetQuery) => ENTITY_IDS.indexOf(entity);
const UNAVAILABLE = { name: 'EngineUnavailableError' };

describe('with a database', () => {
  test('all records are loaded and counted like the reference', async () => {
    const [dictionary = []] = fc.sample(dictionaries, { numRuns: 1, seed: 4 });
    const records = fc.sample(writes(dictionary, 400), { ...runs(1_000), seed: 5 });
    await database.write({ values: dictionary, writes: records });
    const counted = new Set<string>();
    const metrics = { counted: (by: string) => counted.add(by), crashed: () => undefined };
    engine = columnarEngine(database.url, { metrics });
    engine.start();
    await eventually(isLoaded);
    for (const query of fc.sample(queries, { ...runs(20, 1_200), seed: 6 })) {
      const own = database.records[entityIndex(query)] ?? new Map();
      expect(await engine.count(query)).toEqual(countNaively(query, own, dictionary));
    }
    expect([...counted].sort()).toEqual(['none', 'one']);
    const { rows, sizes, bytes, loadMs, lagMs } = engine.state();
    expect(Object.values(rows)).toEqual(database.records.map(({ size }) => size));
    expect(sizes[1]).toMatchObject({ live: database.records[1]?.size, dead: 0 });
    expect(bytes).toBeGreaterThan(0);
    expect(loadMs).toBeGreaterThan(0);
    expect(lagMs).toBeGreaterThanOrEqual(0);
  });

  test('records of an older version, without a later figure, are not counted before they are complete', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    await database.sql.query(`UPDATE library.film SET figures = '{1}'`);
    const warnings: unknown[] = [];
    const warn = (...of: unknown[]) => {
      warnings.push(of);
    };
    engine = columnarEngine(database.url, { logger: { info: warn, warn, error: warn } });
    engine.start();
    await eventually(() => warnings.length > 0);
    expect(JSON.stringify(warnings[0])).toContain('1 of 2 figures');
    await expect(genresOfFrench()).rejects.toMatchObject(UNAVAILABLE);
    await database.sql.query(`UPDATE library.film SET figures = '{1,NULL,3}'`);
    await eventually(isLoaded);
    expect(await genresOfFrench()).toEqual([{ value: 'Western', count: 1 }]);
  });

  test('an empty database has no values until records are inserted', async () => {
    engine.start();
    await eventually(isLoaded);
    expect(await genresOfFrench()).toEqual([]);
    await database.write({
      values: VALUES,
      writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }],
    });
    await eventually(async () => (await genresOfFrench())?.length === 1);
    expect(await genresOfFrench()).toEqual([{ value: 'Western', count: 1 }]);
  });

  test('inserts, updates and deletions are counted within two seconds', async () => {
    await database.write({ values: VALUES });
    engine.start();
    await eventually(isLoaded);
    const steps = [
      { codes: [1, 3], expected: [{ value: 'Western', count: 1 }] },
      { codes: [2, 3, 5], expected: [{ value: 'Drama', count: 1 }] },
      { codes: undefined, expected: [] },
      {
        codes: [1, 2, 3],
        expected: [
          { value: 'Drama', count: 1 },
          { value: 'Western', count: 1 },
        ],
      },
    ];
    const renamed = VALUES.filter(({ value }) => value === 'Western');
    for (const { codes, expected, ...also } of [
      ...steps,
      // A value of another name has another place.
      {
        codes: [1, 2, 3],
        values: renamed.map((value) => ({ ...value, folded: 'a western' })),
        expected: steps[3]?.expected.toReversed(),
      },
    ]) {
      await database.write({ ...also, writes: [{ entity: 0, id: idOf(1), codes }] });
      const wanted = JSON.stringify(expected);
      const isCounted = async () => {
        await database.sql.query('SELECT 1');
        return JSON.stringify(await genresOfFrench()) === wanted;
      };
      await untilWithin(2_000, isCounted, wanted);
    }
  });

  test('a count during changes includes each batch as a whole or not at all', async () => {
    const count = 300;
    const batchOf = (code: number) =>
      Array.from({ length: count }, (_, i) => ({ entity: 0, id: idOf(i), codes: [code, 3] }));
    await database.write({ values: VALUES, writes: batchOf(1) });
    engine.start();
    await eventually(isLoaded);
    const found = new Set<string>();
    let isWriting = true;
    const reading = (async () => {
      while (isWriting) {
        const query = { ...FRENCH, facets: [...FRENCH.facets, ...FRENCH_COUNTRIES] };
        const { total, facets: counts } = await engine.count(query);
        expect(total).toBe(count);
        const [first, ...others] = counts.get('genre') ?? [];
        expect(others).toEqual([]);
        expect(first?.count).toBe(count);
        expect(counts.get('country')).toEqual([{ value: 'France', count }]);
        found.add(String(first?.value));
      }
    })();
    reading.catch(() => {
      isWriting = false;
    });
    // The engine polls: it may skip any batch, but both genres occur in the end.
    for (let i = 0; isWriting && (i < 20 || found.size < 2); i++) {
      await database.write({ writes: batchOf(1 + (i % 2)) });
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    isWriting = false;
    await reading;
    expect([...found].sort()).toEqual(['Drama', 'Western']);
    expect(engine.state().sizes[0]?.dead).toBeLessThanOrEqual(0.05 * count + count);
  });
});

const FRENCH_COUNTRIES = [
  { dimension: 'country', top: 10, skip: 0, order: 'count' },
] as const satisfies FacetQuery['facets'];

describe('on failures', () => {
  test('before it has loaded, the engine is not ready and does not count', async () => {
    expect(engine.state()).toMatchObject({ ready: false, status: 'idle', bytes: 0 });
    await expect(engine.count(FRENCH)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('data above the memory limit is not loaded, and the state says so', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    engine = columnarEngine(database.url, { bytesMax: 10_000 });
    engine.start();
    await eventually(() => engine.state().status === 'too-large');
    expect(engine.state()).toMatchObject({ ready: false, bytes: 0 });
    await expect(engine.count(FRENCH)).rejects.toMatchObject(UNAVAILABLE);
  });

  test('a lost connection is replaced without missing a change', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    engine.start();
    await eventually(isLoaded);
    expect(await endConnections(database.url, 'facets')).toBe(1);
    await database.write({ writes: [{ entity: 0, id: idOf(2), codes: [1, 3] }] });
    await eventually(async () => (await genresOfFrench())?.[0]?.count === 2);
  });

  test('the engine does not count while the database does not respond', async () => {
    await database.write({ values: VALUES });
    engine = columnarEngine(database.url, { staleMs: 300 });
    engine.start();
    await eventually(isLoaded);
    const client = await database.sql.connect();
    await client.query('BEGIN; LOCK TABLE library.state IN ACCESS EXCLUSIVE MODE');
    await eventually(() => !engine.state().ready);
    await expect(engine.count(FRENCH)).rejects.toMatchObject(UNAVAILABLE);
    await client.query('COMMIT');
    client.release();
    await eventually(async () => (await genresOfFrench())?.length === 0);
  });

  test('a database that was restored to an earlier version is reloaded', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    await database.write({ writes: [{ entity: 0, id: idOf(2), codes: [2, 3] }] });
    engine.start();
    await eventually(isLoaded);
    await database.sql.query('DELETE FROM library.film WHERE version > 1');
    await database.sql.query('DELETE FROM library.batch WHERE version > 1');
    await database.sql.query('UPDATE library.state SET version = 1');
    await eventually(() => !engine.state().ready);
    await eventually(isLoaded);
    expect(await genresOfFrench()).toEqual([{ value: 'Western', count: 1 }]);
  });

  test('a replica without the last batch, promoted and written again, is reloaded', async () => {
    const { sql, write } = database;
    await write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    engine.start();
    await eventually(isLoaded);
    await write({ writes: [{ entity: 0, id: idOf(1), codes: [2, 3] }] });
    await eventually(async () => (await genresOfFrench())?.[0]?.value !== 'Western');
    // In place of that batch, another one with a later version.
    await sql.query(`BEGIN;
      DELETE FROM library.batch WHERE version = 2;
      UPDATE library.film SET codes = '{1,3}', version = 1;
      INSERT INTO library.film VALUES ('${idOf(2)}', '{1,3}', false, 3);
      UPDATE library.state SET version = 3;
      INSERT INTO library.batch VALUES (3);
      COMMIT`);
    const both = [{ value: 'Western', count: 2 }];
    await eventually(async () => isLoaded() && isDeepStrictEqual(await genresOfFrench(), both));
  });

  test('a record that is deleted while a load begins again is not counted', async () => {
    const { sql, url, write } = database;
    const writes = [1, 2].map((n) => ({ entity: 0, id: idOf(n), codes: [1, 3] }));
    await write({ values: VALUES, writes });
    const blocker = await sql.connect();
    await blocker.query('BEGIN; LOCK TABLE library.book IN ACCESS EXCLUSIVE MODE');
    engine.start();
    // It has read the films, and waits for the books.
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => (await sql.query(waiting)).rowCount === 1);
    await sql.query(`BEGIN;
      UPDATE library.film SET deleted = true, version = 2 WHERE id = '${idOf(1)}';
      UPDATE library.state SET version = 2;
      INSERT INTO library.batch VALUES (2);
      COMMIT`);
    expect(await endConnections(url, 'facets')).toBe(1);
    await blocker.query('COMMIT');
    blocker.release();
    await eventually(isLoaded);
    expect(await genresOfFrench()).toEqual([{ value: 'Western', count: 1 }]);
  });

  test('the engine does not load records with unknown codes until they are corrected', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    await database.sql.query("UPDATE library.film SET codes = '{1,3,99}'");
    const errors: string[] = [];
    const ignore = () => undefined;
    const log = (fields: object) => errors.push(inspect(fields));
    engine = columnarEngine(database.url, {
      logger: { info: ignore, warn: ignore, error: log },
    });
    engine.start();
    await eventually(() => errors.some((text) => text.includes('the code 99')));
    expect(engine.state()).toMatchObject({ ready: false, status: 'loading' });
    await database.sql.query("UPDATE library.film SET codes = '{1,3}'");
    await eventually(isLoaded);
    expect(await genresOfFrench()).toEqual([{ value: 'Western', count: 1 }]);
  });

  test('a signal ends the wait', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    engine.start();
    await eventually(isLoaded);
    const reason = new Error('the client disconnected');
    const controller = new AbortController();
    const counting = engine.count(FRENCH, controller.signal);
    controller.abort(reason);
    await expect(counting).rejects.toBe(reason);
    await expect(engine.count(FRENCH, controller.signal)).rejects.toBe(reason);
    expect(await genresOfFrench()).toEqual([{ value: 'Western', count: 1 }]);
  });

  test('close ends running counts and the connection, and may be called twice', async () => {
    await database.write({ values: VALUES, writes: [{ entity: 0, id: idOf(1), codes: [1, 3] }] });
    engine.start();
    await eventually(isLoaded);
    const counting = engine.count(FRENCH).catch((error: unknown) => error);
    await engine.close();
    await engine.close();
    expect(await counting).toMatchObject(UNAVAILABLE);
    await expect(engine.count(FRENCH)).rejects.toMatchObject(UNAVAILABLE);
    expect(engine.state()).toMatchObject({ ready: false, status: 'closed', threads: 0 });
    await eventually(async () => {
      const { rows } = await database.sql.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE application_name = 'facets' AND datname = current_database()`,
      );
      return rows.length === 0;
    });
  });
});
