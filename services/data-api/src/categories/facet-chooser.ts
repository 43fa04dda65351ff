import type { Logger } from '@vcds/service-kit';
import type { FacetMetrics } from './facet-metrics.ts';
import type { FacetCounts, FacetEngine, FacetQuery, LoadedFacetEngine } from './facet-schema.ts';

interface ChooserOptions {
  readonly sql: FacetEngine;
  /** Used while it is ready; undefined if the service has none. */
  readonly loaded: LoadedFacetEngine | undefined;
  readonly metrics: FacetMetrics;
  readonly logger: Logger;
}

/** Counts by the loaded engine if it is ready; else, or if it fails, by the database. */
export function chooseEngine({ sql, loaded, metrics, logger }: ChooserOptions): FacetEngine {
  const countBy = async (
    engine: FacetEngine,
    query: FacetQuery,
    signal?: AbortSignal,
  ): Promise<FacetCounts> => {
    const startedMs = performance.now();
    const seconds = () => (performance.now() - startedMs) / 1000;
    try {
      const counts = await engine.count(query, signal);
      metrics.counted(engine.name, 'answered', seconds());
      return counts;
    } catch (error) {
      metrics.counted(engine.name, 'failed', seconds());
      throw error;
    }
  };
  return {
    name: 'chooser',
    count: async (query, signal) => {
      if (loaded === undefined || !loaded.state().ready) return countBy(sql, query, signal);
      try {
        return await countBy(loaded, query, signal);
      } catch (error) {
        signal?.throwIfAborted();
        logger.error(
          { error, engine: loaded.name },
          'the facet engine failed; the database counts instead',
        );
        return countBy(sql, query, signal);
      }
    },
  };
}
