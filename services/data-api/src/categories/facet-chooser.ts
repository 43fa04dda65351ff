import { createOutageLog, type Logger } from '@vcds/service-kit';
import type { CountOutcome, RecordCounter } from '../collections/read-count.ts';
import type { PageOutcome, RecordFinder } from '../collections/read-in-memory.ts';
import type { FacetMetrics } from './facet-metrics.ts';
import type { FacetCounts, FacetEngine, FacetQuery, LoadedFacetEngine } from './facet-schema.ts';

interface ChooserOptions {
  readonly sql: FacetEngine;
  /** Used while it is ready; undefined if the service has none. */
  readonly loaded: LoadedFacetEngine | undefined;
  readonly metrics: FacetMetrics;
  readonly logger: Logger;
}

/** Warnings, at most one in 10 s each. A failure of the engine has a line of its own. */
const FALLBACKS: Partial<Readonly<Record<CountOutcome, string>>> = {
  index_behind: 'counts read every match: too many changes are not in the facet index',
  not_ready: 'counts read every match: the facet engine is not ready',
  other_version: 'counts read every match: the facet engine has another version than the index',
};

const PAGE_FALLBACKS: Partial<Readonly<Record<PageOutcome, string>>> = {
  index_behind: 'the database finds pages: too many changes are not in the facet index',
  not_ready: 'the database finds pages: the facet engine is not ready',
  other_version: 'the database finds pages: the facet engine has another version than the index',
};

/**
 * Counts and finds records by the loaded engine if it is ready; else, or if it fails, the database
 * counts, and the caller finds them.
 */
export function chooseEngine(options: ChooserOptions): FacetEngine & RecordCounter & RecordFinder {
  const { sql, loaded, metrics, logger } = options;
  const measured = async <Counted>(
    { name }: FacetEngine,
    count: () => Promise<Counted>,
  ): Promise<Counted> => {
    const startedMs = performance.now();
    const seconds = () => (performance.now() - startedMs) / 1000;
    try {
      const counts = await count();
      metrics.counted(name, 'answered', seconds());
      return counts;
    } catch (error) {
      metrics.counted(name, 'failed', seconds());
      throw error;
    }
  };
  const countBy = (engine: FacetEngine, query: FacetQuery, signal?: AbortSignal) =>
    measured<FacetCounts>(engine, () => engine.count(query, signal));
  const isReady = () => loaded?.state().ready === true;
  const logFailure = (error: unknown) =>
    logger.error(
      { error, engine: loaded?.name },
      'the facet engine failed; the database counts instead',
    );
  const outages = createOutageLog();
  // Without an engine in memory, that the database counts is no outage.
  const logFallback = (message: string | undefined, outcome: string) => {
    if (message !== undefined && loaded !== undefined) outages.warn(logger, message, outcome);
  };
  const byLoaded = async <Found>(
    ask: (engine: LoadedFacetEngine) => Promise<Found>,
  ): Promise<Found | undefined> => {
    if (loaded === undefined || !isReady()) return undefined;
    try {
      return await measured(loaded, () => ask(loaded));
    } catch (error) {
      logFailure(error);
      return undefined;
    }
  };
  return {
    name: 'chooser',
    isReady,
    count: async (query, signal) => {
      if (loaded === undefined || !isReady()) return countBy(sql, query, signal);
      try {
        return await countBy(loaded, query, signal);
      } catch (error) {
        signal?.throwIfAborted();
        logFailure(error);
        return countBy(sql, query, signal);
      }
    },
    counted: (outcome) => {
      metrics.countedRecords(outcome);
      logFallback(FALLBACKS[outcome], outcome);
    },
    found: (outcome) => {
      metrics.foundRecords(outcome);
      logFallback(PAGE_FALLBACKS[outcome], outcome);
    },
    countRecords: (query) => byLoaded((engine) => engine.countRecords(query)),
    firstRecords: (query) => byLoaded((engine) => engine.firstRecords(query)),
  };
}
