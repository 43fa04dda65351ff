import { ENTITY_IDS } from '@vcds/venture-model';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CountOutcome } from '../collections/count.ts';
import type { LoadedFacetEngine } from './facet-schema.ts';

const COUNT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Metrics of facet counts. */
export type FacetMetrics = ReturnType<typeof createFacetMetrics>;

/** Registers the metrics; those of a loaded engine are read at each scrape. */
export function createFacetMetrics(registry: Registry, loaded: LoadedFacetEngine | undefined) {
  const registers = [registry];
  const counts = new Histogram({
    name: 'vcds_facet_count_duration_seconds',
    help: 'Duration of facet counts by engine and outcome.',
    labelNames: ['engine', 'outcome'],
    buckets: COUNT_SECONDS,
    registers,
  });
  const recordCounts = new Counter({
    name: 'vcds_record_counts_total',
    help: 'Counts of records by outcome: in_memory, or why the database read every match.',
    labelNames: ['outcome'],
    registers,
  });
  if (loaded !== undefined) gaugeLoaded(loaded, registry);
  return {
    /** An engine answered a count, or failed. */
    counted: (engine: string, outcome: 'answered' | 'failed', seconds: number) =>
      counts.observe({ engine, outcome }, seconds),
    /** A count of records was made. */
    countedRecords: (outcome: CountOutcome) => recordCounts.inc({ outcome }),
  };
}

function gaugeLoaded(engine: LoadedFacetEngine, registry: Registry): void {
  const labels = { engine: engine.name };
  const labelNames = ['engine'];
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        const value = read();
        if (value !== undefined) this.set(labels, value);
      },
    });
  const seconds = (milliseconds: number | undefined) =>
    milliseconds === undefined ? undefined : milliseconds / 1000;
  gauge('vcds_facet_engine_ready', '1 if the engine can count.', () =>
    Number(engine.state().ready),
  );
  gauge(
    'vcds_facet_engine_memory_bytes',
    "Memory of the engine's data in this process.",
    () => engine.state().bytes,
  );
  gauge('vcds_facet_engine_load_duration_seconds', 'Time that the engine took to load.', () =>
    seconds(engine.state().loadMs),
  );
  gauge(
    'vcds_facet_engine_lag_seconds',
    'Time since the engine last had all applied changes.',
    () => seconds(engine.state().lagMs),
  );
  new Gauge({
    name: 'vcds_facet_engine_records',
    help: 'Live records in the engine by entity.',
    labelNames: ['engine', 'entity'],
    registers,
    collect() {
      const { rows } = engine.state();
      for (const entity of ENTITY_IDS) this.set({ ...labels, entity }, rows[entity]);
    },
  });
}
