import { type Aggregates, TooManyGroupsError } from '@vcds/facet-engine';
import { createOutageLog, type Logger } from '@vcds/service-kit';
import type { CountOutcome, RecordCounter } from '../collections/count.ts';
import type { FacetMetrics } from './facet-metrics.ts';
import type {
  AggregateQuery,
  FacetCounts,
  FacetEngine,
  LoadedFacetEngine,
} from './facet-schema.ts';

interface ChooserOptions {
  /** Rejects counts that would take too long. */
  readonly sql: FacetEngine;
  /** Used while it is ready; undefined if the service has none. */
  readonly loaded: LoadedFacetEngine | undefined;
  readonly metrics: FacetMetrics;
  readonly logger: Logger;
  /** Ends the counts of the current call. */
  readonly signal?: () => AbortSignal | undefined;
}

/** Groups records in memory. */
export interface RecordGrouper {
  /** Undefined if no engine in memory can group now. */
  aggregate(query: AggregateQuery): Promise<Aggregates | undefined>;
}

const NOT_READY = 'counts read every match: the facet engine is not ready';

/** Counts by the loaded engine if it is ready; else, or if it fails, the database counts. */
export function chooseEngine(options: ChooserOptions): FacetEngine & RecordCounter & RecordGrouper {
  const { sql, loaded, metrics, logger, signal: current } = options;
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
  const outages = createOutageLog();
  const byLoaded = async <Counted>(
    count: (engine: LoadedFacetEngine, signal?: AbortSignal) => Promise<Counted>,
    signal: AbortSignal | undefined = current?.(),
  ): Promise<Counted | undefined> => {
    if (loaded === undefined || !loaded.state().ready) return undefined;
    try {
      return await measured(loaded, () => count(loaded, signal));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TooManyGroupsError) throw error;
      const fields = { error, engine: loaded.name };
      logger.error(fields, 'the facet engine failed; the database counts instead');
      return undefined;
    }
  };
  return {
    name: 'chooser',
    count: async (query, signal) => {
      const counts = await byLoaded((engine, until) => engine.count(query, until), signal);
      return counts ?? measured<FacetCounts>(sql, () => sql.count(query, signal));
    },
    counted: (outcome: CountOutcome) => {
      metrics.countedRecords(outcome);
      // Without an engine in memory, that the database counts is no outage.
      if (outcome === 'not_ready' && loaded !== undefined) {
        outages.warn(logger, NOT_READY, outcome);
      }
    },
    countRecords: (query) => byLoaded((engine, signal) => engine.countRecords(query, signal)),
    aggregate: (query) => byLoaded((engine, signal) => engine.aggregate(query, signal)),
  };
}
