import type { FacetEngine, LoadedFacetEngine } from '@vcds/facet-engine';
import { createLogger } from '@vcds/service-kit';
import {
  columnarEngine,
  until,
} from '../../../../../packages/facet-engine/test/support/open-engine.ts';
import { SqlFacetEngine } from '../../../src/categories/sql-engine/sql-engine.ts';
import { Database } from '../../../src/postgres/database.ts';

/** An engine under test, over one database. */
export interface EngineUnderTest {
  readonly engine: FacetEngine;
  /** Resolves once it has seen all that the indexer has applied. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/** How to open each engine that implements the port. */
export const ENGINES: Readonly<Record<string, (url: string) => Promise<EngineUnderTest>>> = {
  columnar: async (url) => {
    const engine = columnarEngine(url);
    engine.start();
    return {
      engine,
      caughtUp: async () => {
        const askedMs = Date.now();
        await until(() => isCaughtUp(engine, askedMs), 'caught up with the maintainer');
      },
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

/** A read side of its own. */
export function openDatabase(connectionString: string): Database {
  return new Database({
    connectionString,
    connectionsMax: 2,
    statementMsMax: 30_000,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
}

// It was known to hold all that was applied at a moment after it was asked.
function isCaughtUp(engine: LoadedFacetEngine, askedMs: number): boolean {
  const { ready, lagMs = Number.POSITIVE_INFINITY } = engine.state();
  return ready && Date.now() - lagMs > askedMs;
}
