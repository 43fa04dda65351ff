import { createLogger } from '@vcds/service-kit';
import { eventually } from '@vcds/test-kit';
import { THREAD_ARGUMENTS } from '../../../../../packages/facet-engine/test/support/open-engine.ts';
import {
  type ColumnarOptions,
  createColumnarEngine,
} from '../../../src/categories/columnar-engine.ts';
import type { FacetEngine, LoadedFacetEngine } from '../../../src/categories/facet-schema.ts';
import { SqlFacetEngine } from '../../../src/categories/sql-engine/sql-engine.ts';
import { Database } from '../../../src/postgres/database.ts';

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
};

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
