import type { Logger } from '@vcds/service-kit';
import type { Registry } from 'prom-client';
import type { Database } from '../execute/database.ts';
import type { CategorySources } from '../execute/execute-category.ts';
import { ValueResolver } from '../execute/resolve-values.ts';
import { FacetChooser } from './chooser.ts';
import { FacetMaintainer } from './maintain/maintainer.ts';
import { createFacetMeasures } from './measures.ts';
import type { LoadedFacetEngine } from './port.ts';
import { SqlFacetEngine } from './sql/sql-engine.ts';

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
  const measures = createFacetMeasures(registry, loaded);
  const maintainer = new FacetMaintainer({
    connectionString: primaryUrl,
    logger,
    onLook: (outcome, seconds) => measures.maintained(outcome, seconds),
  });
  const sql = new SqlFacetEngine(database);
  maintainer.start();
  loaded?.start();
  return {
    categories: {
      values: new ValueResolver(database),
      facets: new FacetChooser({ sql, loaded, measures, logger }),
    },
    close: async () => {
      await Promise.all([maintainer.close(), loaded?.close()]);
    },
  };
}
