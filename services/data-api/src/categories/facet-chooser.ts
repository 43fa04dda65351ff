import type { Logger } from '@vcds/service-kit';
import type { FacetMetrics } from './facet-metrics.ts';
import type { FacetCounts, FacetEngine, FacetQuery, LoadedFacetEngine } from './facet-schema.ts';

export interface ChooserOptions {
  readonly sql: FacetEngine;
  /** Used while it is ready; undefined if the service has none. */
  readonly loaded: LoadedFacetEngine | undefined;
  readonly metrics: FacetMetrics;
  readonly logger: Logger;
}

/** Counts by the loaded engine if it is ready; else, or if it fails, by the database. */
export class FacetChooser implements FacetEngine {
  readonly name = 'chooser';
  readonly #options: ChooserOptions;

  constructor(options: ChooserOptions) {
    this.#options = options;
  }

  async count(query: FacetQuery, signal?: AbortSignal): Promise<FacetCounts> {
    const { sql, loaded, logger } = this.#options;
    if (loaded === undefined || !loaded.state().ready) return this.#count(sql, query, signal);
    try {
      return await this.#count(loaded, query, signal);
    } catch (error) {
      signal?.throwIfAborted();
      logger.error(
        { error, engine: loaded.name },
        'the facet engine failed; the database counts instead',
      );
      return this.#count(sql, query, signal);
    }
  }

  async #count(engine: FacetEngine, query: FacetQuery, signal?: AbortSignal): Promise<FacetCounts> {
    const startedMs = performance.now();
    const seconds = () => (performance.now() - startedMs) / 1000;
    try {
      const counts = await engine.count(query, signal);
      this.#options.metrics.counted(engine.name, 'answered', seconds());
      return counts;
    } catch (error) {
      this.#options.metrics.counted(engine.name, 'failed', seconds());
      throw error;
    }
  }
}
