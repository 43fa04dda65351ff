import type { Logger } from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import { chooseEngine } from './categories/facet-chooser.ts';
import { createFacetMetrics } from './categories/facet-metrics.ts';
import type { LoadedFacetEngine } from './categories/facet-schema.ts';
import { SQL_RECORDS_MAX, SqlFacetEngine } from './categories/sql-engine/sql-engine.ts';
import { ValueResolver } from './narrowing/resolve.ts';
import type { Database } from './postgres/database.ts';
import { FacetIndexer } from './worker/index-facets/facet-indexer.ts';
import { createIndexerMetrics } from './worker/index-facets/metrics.ts';

interface FacetsOptions {
  /** For reads. */
  readonly database: Database;
  /** The primary, for the indexer. */
  readonly primaryUrl: string;
  /** An engine in memory; `close` of the facets closes it. */
  readonly loaded?: LoadedFacetEngine | undefined;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Starts the indexer and the loading of the engine; returns at once. Both run until `close`. */
export function openFacets(options: FacetsOptions) {
  const { database, primaryUrl, loaded, registry, logger } = options;
  const metrics = createFacetMetrics(registry, loaded);
  const indexer = new FacetIndexer({
    connectionString: primaryUrl,
    logger,
    ...createIndexerMetrics(registry, database.pool),
  });
  const sql = new SqlFacetEngine(database, { recordsMax: SQL_RECORDS_MAX });
  const facets = chooseEngine({ sql, loaded, metrics, logger });
  indexer.start();
  loaded?.start();
  return {
    categories: {
      values: new ValueResolver(database),
      facets,
      records: facets,
    },
    /**
     * For `/ready`. Once the engine has loaded it stays true: a database that does not respond, which makes
     * the engine stale, must not take all replicas away at once.
     *
     * @throws Error before.
     */
    assertLoaded: async (): Promise<void> => {
      if (loaded !== undefined && loaded.state().loadMs === undefined) {
        throw new Error('The facet index is being loaded into memory.');
      }
    },
    close: async (): Promise<void> => {
      await Promise.all([indexer.close(), loaded?.close()]);
    },
  };
}
