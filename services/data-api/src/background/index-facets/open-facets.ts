import type { Logger } from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import type { CategorySources } from '../../categories/execute.ts';
import { FacetChooser } from '../../categories/facet-chooser.ts';
import { createFacetMetrics } from '../../categories/facet-metrics.ts';
import type { LoadedFacetEngine } from '../../categories/facet-schema.ts';
import { SqlFacetEngine } from '../../categories/sql-engine/sql-engine.ts';
import { ValueResolver } from '../../narrowing/resolve.ts';
import type { Database } from '../../postgres/database.ts';
import { FacetIndexer } from './facet-indexer.ts';
import { createIndexerMetrics } from './metrics.ts';

export interface FacetsOptions {
  /** For reads. */
  readonly database: Database;
  /** The primary, for the indexer. */
  readonly primaryUrl: string;
  /** An engine in memory; `close` of the facets closes it. */
  readonly loaded?: LoadedFacetEngine | undefined;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** The facets of a running service. The indexer and the engine run until they are closed. */
export interface Facets {
  readonly categories: CategorySources;
  close(): Promise<void>;
}

/**
 * Starts the indexer and the loading of the engine; returns at once. The service is ready without
 * either: the database counts the records indexed so far.
 */
export function openFacets(options: FacetsOptions): Facets {
  const { database, primaryUrl, loaded, registry, logger } = options;
  const metrics = createFacetMetrics(registry, loaded);
  const indexer = new FacetIndexer({
    connectionString: primaryUrl,
    logger,
    onPoll: createIndexerMetrics(registry).polled,
  });
  const sql = new SqlFacetEngine(database);
  indexer.start();
  loaded?.start();
  return {
    categories: {
      values: new ValueResolver(database),
      facets: new FacetChooser({ sql, loaded, metrics, logger }),
    },
    close: async () => {
      await Promise.all([indexer.close(), loaded?.close()]);
    },
  };
}
