// Tests docs/spec/aggregates.md 22.4.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type FacetQuery, TooManyGroupsError } from '@vcds/facet-engine';
import {
  createTestClickHouse,
  describeWithClickHouse,
  eventually,
  runs,
  type TestClickHouse,
} from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
import {
  conditions,
  dictionaries,
  idOf,
  queries,
  writes,
} from '../../facet-engine/test/support/arbitraries.ts';
import {
  type FacetDatabase,
  openFacetDatabase,
} from '../../facet-engine/test/support/facet-database.ts';
import {
  countNaively,
  countRecordsNaively,
  type Value,
} from '../../facet-engine/test/support/oracle.ts';
import { ENTITY_IDS, SCHEMA } from '../../facet-engine/test/support/schema.ts';
import { Connection } from '../src/client.ts';
import { ClickHouseEngine, CopyWriter, type CopyWriterOptions, placeOf } from '../src/index.ts';

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const [DICTIONARY = []]: (readonly Value[])[] = fc.sample(dictionaries, { numRuns: 1, seed: 4 });
const GENRES = {
  entity: 'films',
  narrowing: [],
  facets: [{ dimension: 'genre', top: 10, skip: 0, order: 'count' }],
} as const satisfies FacetQuery;

describeWithClickHouse('the copy in ClickHouse', () => {
  let server: TestClickHouse;
  let database: FacetDatabase;
  let connection: Connection;
  let engine: ReturnType<typeof openEngine>;
  let writing: Writing | undefined;

  beforeEach(async () => {
    [server, database] = await Promise.all([createTestClickHouse(), openFacetDatabase()]);
    connection = new Connection({ ...placeOf(server.url), msMax: 10_000 });
    engine = openEngine();
    await database.write({ values: DICTIONARY, writes: someWrites(300, 1) });
  });
  afterEach(async () => {
    await writing?.end();
    writing = undefined;
    await engine.close();
    await connection.close();
    await Promise.all([server.close(), database.drop()]);
  });

  const place = () => ({ ...placeOf(server.url), schema: SCHEMA, logger: SILENT, pollMs: 10 });

  function openEngine(options: { schema?: typeof SCHEMA; staleMs?: number } = {}) {
    const opened = new ClickHouseEngine<string>({ ...place(), ...options });
    opened.start();
    return opened;
  }

  interface Writing {
    /** Rejects when the writer does. */
    readonly done: Promise<void>;
    end(): Promise<void>;
  }

  /** @param onStatement called before each statement that the writer sends to PostgreSQL. */
  function startWriter(
    onStatement?: (text: string) => unknown,
    options: Partial<CopyWriterOptions> = {},
  ): Writing {
    const stop = new AbortController();
    const writer = new CopyWriter({
      ...place(),
      batchBytes: 2_000,
      connect: async () => {
        const client = new pg.Client({ connectionString: database.url });
        client.on('error', () => undefined);
        await client.connect();
        const { query } = client;
        client.query = ((...words: unknown[]) => {
          const [text] = words;
          onStatement?.(typeof text === 'string' ? text : 'COPY');
          return (query as (...all: unknown[]) => unknown).apply(client, words);
        }) as typeof query;
        return client;
      },
      ...options,
    });
    const done = writer.follow(stop.signal).finally(() => writer.close());
    done.catch(() => undefined);
    writing = {
      done,
      end: async () => {
        stop.abort();
        await done.catch(() => undefined);
      },
    };
    return writing;
  }

  function someWrites(count: number, seed: number) {
    return fc.sample(writes(DICTIONARY, 120), { numRuns: count, seed });
  }

  async function caughtUp(of = engine): Promise<void> {
    const { rows } = await database.sql.query('SELECT version FROM library.state');
    await eventually(() => of.state().ready && of.state().batch === rows[0]?.version);
  }

  async function agrees(count: number): Promise<void> {
    for (const query of fc.sample(queries, { numRuns: count, seed: 6 })) {
      const own = database.records[ENTITY_IDS.indexOf(query.entity)] ?? new Map();
      expect(await engine.count(query)).toEqual(countNaively(query, own, DICTIONARY));
    }
  }

  test('has what the facet tables have, after every batch of changes', async () => {
    startWriter();
    for (const seed of [2, 3, 4]) {
      await caughtUp();
      await agrees(runs(20).numRuns);
      for (const where of fc.sample(conditions, { ...runs(20), seed })) {
        const own = database.records[0] ?? new Map();
        expect(await engine.countRecords({ entity: 'films', where })).toBe(
          countRecordsNaively(where, own, DICTIONARY),
        );
      }
      await database.write({ writes: someWrites(60, seed) });
    }
  });

  test('has each record once wherever the writer or ClickHouse was killed', async () => {
    for (const [seed, at] of ['BEGIN', 'COPY', 'COMMIT', 'BEGIN', 'COPY', 'COMMIT'].entries()) {
      await database.write({ writes: someWrites(60, seed + 10) });
      const isServer = seed > 2;
      let kill: () => void = () => undefined;
      const killed = new Promise<unknown>((resolve) => {
        kill = () => resolve(isServer ? server.kill() : writing?.end());
      });
      const ended = startWriter((text) => {
        if (text.includes(at)) kill();
      });
      await killed;
      await ended.end();
      if (isServer) await server.restart();
    }
    startWriter();
    await caughtUp();
    await agrees(30);
  });

  test('is loaded again under writes when asked, and no answer goes back', async () => {
    startWriter(undefined, { times: { cleanMs: 0, keptMs: 0 } });
    await caughtUp();
    const generations = async () => {
      const rows = await connection.rows<{ name: string }>(
        "SELECT name FROM system.tables WHERE database = 'vcds' AND name LIKE 'facet_films_%'",
      );
      return rows.map(({ name }) => name);
    };
    const [first] = await generations();
    let last = { batch: 0n, ms: 0, total: 0 };
    const looks = async () => {
      const { total } = await engine.count(GENRES);
      const { asOf } = await engine.aggregate({
        ...{ entity: 'films', where: { kind: 'and', of: [] }, by: [], measures: [] },
        ...{ order: [], top: 1, skip: 0, groupsMax: 10 },
      });
      expect(total).toBeGreaterThanOrEqual(last.total);
      expect(BigInt(asOf.batch)).toBeGreaterThanOrEqual(last.batch);
      expect(asOf.ms).toBeGreaterThanOrEqual(last.ms);
      last = { batch: BigInt(asOf.batch), ms: asOf.ms, total };
    };
    await connection.run(
      `INSERT INTO vcds.facet_position (layout, generation)
       SELECT 'rebuild', toUnixTimestamp64Milli(now64(3))`,
    );
    let added = 1_000;
    await eventually(async () => {
      await database.write({ writes: [{ entity: 0, id: idOf(added++), codes: [] }] });
      await looks();
      return !(await generations()).includes(String(first));
    });
    expect(await generations()).toHaveLength(1);
    await caughtUp();
    await looks();
    await agrees(20);
  });

  test('is loaded again if the database went back to an earlier state', async () => {
    startWriter();
    await caughtUp();
    await database.sql.query('DELETE FROM library.batch; UPDATE library.state SET version = 7');
    await database.sql.query('DELETE FROM library.film');
    database.records[0] && (database.records[0] as Map<string, unknown>).clear();
    await caughtUp();
    await agrees(20);
  });

  test('of another schema is not read, and stays beside', async () => {
    startWriter();
    await caughtUp();
    const schema = { ...SCHEMA, dimensions: [...SCHEMA.dimensions].reverse() } as never;
    const other = openEngine({ schema });
    expect(other.state().ready).toBe(false);
    await expect(other.count(GENRES)).rejects.toMatchObject({ name: 'EngineUnavailableError' });
    await writing?.end();
    startWriter(undefined, { schema });
    await caughtUp(other);
    await engine.count(GENRES);
    await other.close();
  });

  describe('without ClickHouse', () => {
    test('a count fails with its reason, and works again afterwards', async () => {
      const { done } = startWriter();
      await caughtUp();
      await server.kill();
      await expect(engine.count(GENRES)).rejects.toMatchObject({
        name: 'EngineUnavailableError',
        message: expect.stringContaining('ClickHouse'),
      });
      await expect(done).rejects.toMatchObject({ name: 'ClickHouseFailure' });
      await server.restart();
      await eventually(() => engine.count(GENRES).then(() => true));
    });

    test('a count ends with its call', async () => {
      startWriter();
      await caughtUp();
      const signal = AbortSignal.abort(new Error('The client disconnected.'));
      await expect(engine.count(GENRES, signal)).rejects.toThrow('The client disconnected.');
    });
  });

  test('does not count once its position is old, nor lets it go back', async () => {
    const stale = openEngine({ staleMs: 300 });
    startWriter();
    await caughtUp(stale);
    await writing?.end();
    const { batch } = stale.state();
    await connection.run('TRUNCATE TABLE vcds.facet_position');
    await eventually(() => !stale.state().ready);
    expect(stale.state().batch).toBe(batch);
    await stale.close();
  });

  test('has no more groups than a query may have', async () => {
    startWriter();
    await caughtUp();
    const query = {
      ...{ entity: 'films', where: { kind: 'and', of: [] } as const, measures: [] },
      ...{ by: [{ kind: 'dimension', dimension: 'genre' } as const], order: [], top: 5, skip: 0 },
    };
    const { groups } = await engine.aggregate({ ...query, groupsMax: 100 });
    expect((await engine.aggregate({ ...query, groupsMax: groups })).groups).toBe(groups);
    await expect(engine.aggregate({ ...query, groupsMax: groups - 1 })).rejects.toBeInstanceOf(
      TooManyGroupsError,
    );
  });
});
