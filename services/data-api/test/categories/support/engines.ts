import { ClickHouseEngine, CopyWriter, placeOf } from '@vcds/clickhouse-engine';
import { createLogger } from '@vcds/service-kit';
import { clickHouseFolder, createTestClickHouse, eventually } from '@vcds/test-kit';
import type { DimensionId, EntityId, IndexedId } from '@vcds/venture-model';
import pg from 'pg';
import { THREAD_ARGUMENTS } from '../../../../../packages/facet-engine/test/support/open-engine.ts';
import {
  type ColumnarOptions,
  createColumnarEngine,
} from '../../../src/categories/columnar-engine.ts';
import type { FacetEngine, LoadedFacetEngine } from '../../../src/categories/facet-schema.ts';
import { SqlFacetEngine } from '../../../src/categories/sql-engine/sql-engine.ts';
import { FACET_SCHEMA } from '../../../src/facet-tables/schema.ts';
import { Database } from '../../../src/postgres/database.ts';

/** Everything runs in one process, which a test may occupy for long. */
const STALE_MS = 600_000;

/** An engine under test, over one database. */
export interface EngineUnderTest {
  readonly engine: FacetEngine;
  /** Resolves once it has seen all that the indexer has applied. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** Opens each engine that implements the port. */
export const ENGINES: Readonly<Record<string, (url: string) => Promise<EngineUnderTest>>> = {
  columnar: async (url) => {
    const engine = columnarEngine(url);
    engine.start();
    return {
      engine,
      caughtUp: () => caughtUp(engine),
      close: () => engine.close(),
    };
  },
  sql: async (url) => {
    const database = openDatabase(url);
    return {
      engine: new SqlFacetEngine(database),
      caughtUp: async () => undefined,
      close: () => database.close(),
    };
  },
  // Its test says so where it is not installed.
  ...(clickHouseFolder() === undefined ? {} : { clickhouse: clickHouseEngine }),
};

/** The engine over a copy in ClickHouse, and the writer that keeps it up to date. */
export async function clickHouseEngine(connectionString: string) {
  const server = await createTestClickHouse();
  const logger = createLogger({ service: 'test', level: 'silent' });
  const options = { ...placeOf(server.url), schema: FACET_SCHEMA, logger, pollMs: 20 };
  const stop = new AbortController();
  const writer = new CopyWriter({
    ...options,
    connect: async () => {
      const client = new pg.Client({ connectionString });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
  });
  const following = writer.follow(stop.signal);
  following.catch(() => undefined);
  const engine = new ClickHouseEngine<EntityId, DimensionId, IndexedId>({
    ...options,
    ...{ staleMs: STALE_MS, queryMsMax: 60_000 },
  });
  engine.start();
  return {
    engine,
    caughtUp: () => Promise.race([caughtUp(engine), following]),
    close: async () => {
      stop.abort();
      await following.catch(() => undefined);
      await engine.close();
      await writer.close();
      await server.close();
    },
  };
}

/** The engine in memory; where ClickHouse is installed, a count of it that differs is an error. */
export async function countingEngine(connectionString: string) {
  const engine = columnarEngine(connectionString);
  engine.start();
  const copy = clickHouseFolder() ? await clickHouseEngine(connectionString) : undefined;
  return {
    countRecords: async (query: Parameters<typeof engine.countRecords>[0]): Promise<number> => {
      const counts = await Promise.all(
        [engine, copy?.engine].map((each) => each?.countRecords(query)),
      );
      const [count = 0, other = count] = counts;
      if (other !== count)
        throw new Error(`${JSON.stringify(query)}: ${count}, in ClickHouse ${other}`);
      return count;
    },
    caughtUp: async (): Promise<void> => {
      await eventually(() => engine.state().ready, { timeoutMs: 120_000 });
      await Promise.all([caughtUp(engine), copy?.caughtUp()]);
    },
    close: async (): Promise<void> => {
      await Promise.all([engine.close(), copy?.close()]);
    },
  };
}

/**
 * The columnar engine of the service, with threads that run the TypeScript sources. Its segments are small, so that most
 * records are in full ones, as in production.
 */
export function columnarEngine(
  connectionString: string,
  options: Partial<ColumnarOptions> = {},
): ReturnType<typeof createColumnarEngine> {
  return createColumnarEngine({
    connection: { connectionString, application_name: 'data-api facets' },
    logger: createLogger({ service: 'test', level: 'silent' }),
    threads: 2,
    pollMs: 20,
    staleMs: STALE_MS,
    segmentRecordsMax: 40,
    execArgv: THREAD_ARGUMENTS,
    ...options,
  });
}

/** A pool for reads. */
export function openDatabase(connectionString: string): Database {
  return new Database({
    connectionString,
    connectionsMax: 2,
    statementMsMax: 30_000,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
}

/** Waits until the engine has a read that started after the call. */
export async function caughtUp(engine: LoadedFacetEngine): Promise<void> {
  const askedMs = Date.now();
  await eventually(() => {
    const { ready, lagMs = Number.POSITIVE_INFINITY } = engine.state();
    return ready && Date.now() - lagMs > askedMs;
  });
}
