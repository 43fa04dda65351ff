import type { Logger } from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import { ValueResolver } from '../narrowing/resolve.ts';
import type { Database } from '../postgres/database.ts';
import { chooseEngine } from './facet-chooser.ts';
import { createFacetMetrics } from './facet-metrics.ts';
import type { LoadedFacetEngine } from './facet-schema.ts';
import { SQL_RECORDS_MAX, SqlFacetEngine } from './sql-engine/sql-engine.ts';

interface FacetsOptions {
  /** For reads. */
  readonly database: Database;
  /** An engine in memory; `close` of the facets closes it. */
  readonly loaded?: LoadedFacetEngine | undefined;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Starts the loading of the engine; returns at once. It runs until `close`. */
export function openFacets(options: FacetsOptions) {
  const { database, loaded, registry, logger } = options;
  const metrics = createFacetMetrics(registry, loaded);
  const sql = new SqlFacetEngine(database, { recordsMax: SQL_RECORDS_MAX });
  const facets = chooseEngine({ sql, loaded, metrics, logger, signal: () => database.signal });
  loaded?.start();
  return {
    categories: {
      values: new ValueResolver(database),
      facets,
      records: facets,
      groups: facets,
    },
    /**
     * For `/ready`. Once the engine has loaded it stays true: a database that does not respond, which makes
     * the engine stale, must not take all replicas away at once.
     *
     * @throws Error before.
     */
    assertLoaded: async (): Promise<void> => {
      if (loaded !== undefined && loaded.state().loadMs === undefined) {
        throw new Error(`The facet index is not loaded yet (${loaded.name}).`);
      }
    },
    close: async (): Promise<void> => {
      await loaded?.close();
    },
  };
}
