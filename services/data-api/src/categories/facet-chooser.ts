import type { FacetCounts, FacetEngine, FacetQuery, LoadedFacetEngine } from '@vcds/facet-engine';
import type { Logger } from '@vcds/service-kit';
import type { FacetMetrics } from './facet-metrics.ts';

export interface ChooserOptions {
  /** Always there. */
  readonly sql: FacetEngine;
  /** Answers once it has loaded; undefined where there is none. */
  readonly loaded: LoadedFacetEngine | undefined;
  readonly metrics: FacetMetrics;
  readonly logger: Logger;
}

/** Asks the loaded engine where it is ready, the database where not, or where the other fails. */
export class FacetChooser implements FacetEngine {
  readonly name = 'chooser';
  readonly #options: ChooserOptions;

  constructor(options: ChooserOptions) {
    this.#options = options;
  }

  async count(query: FacetQuery, signal?: AbortSignal): Promise<FacetCounts> {
    const { sql, loaded, logger } = this.#options;
    if (loaded === undefined || !loaded.state().ready) return this.#ask(sql, query, signal);
    try {
      return await this.#ask(loaded, query, signal);
    } catch (error) {
      signal?.throwIfAborted();
      logger.error(
        { error, engine: loaded.name },
        'the facet engine failed; the database counts instead',
      );
      return this.#ask(sql, query, signal);
    }
  }

  async #ask(engine: FacetEngine, query: FacetQuery, signal?: AbortSignal): Promise<FacetCounts> {
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
