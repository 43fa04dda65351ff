import type { LoadedFacetEngine } from '@vcds/facet-engine';
import type { Logger } from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import type { CategorySources } from '../../categories/execute.ts';
import { FacetChooser } from '../../categories/facet-chooser.ts';
import { createFacetMetrics } from '../../categories/facet-metrics.ts';
import { SqlFacetEngine } from '../../categories/sql-engine/sql-engine.ts';
import { ValueResolver } from '../../narrowing/resolve.ts';
import type { Database } from '../../postgres/database.ts';
import { FacetIndexer } from './facet-indexer.ts';
import { createIndexerMetrics } from './metrics.ts';

export interface FacetsOptions {
  /** Where counts are read. */
  readonly database: Database;
  /** The primary, where the facets are kept up to date. */
  readonly primaryUrl: string;
  /** An engine with a copy of its own, which then belongs to the facets. */
  readonly loaded?: LoadedFacetEngine | undefined;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Facets of a running service: what listings are answered from, kept up to date until closed. */
export interface Facets {
  readonly categories: CategorySources;
  close(): Promise<void>;
}

/**
 * Starts to keep facets up to date and to load the engine; returns at once. The service is ready
 * without either: counts come from the database as it is.
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
