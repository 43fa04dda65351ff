import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { ENTITY_IDS } from '../dimensions/index.ts';
import type { BatchOutcome } from './maintain/apply-batch.ts';
import type { LoadedFacetEngine } from './port.ts';

const COUNT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What facets tell of themselves, for `/metrics`. */
export interface FacetMeasures {
  /** A count was answered, or failed, by an engine. */
  counted(engine: string, outcome: 'answered' | 'failed', seconds: number): void;
  /** The maintainer of this process looked at the log. */
  maintained(outcome: BatchOutcome | { readonly status: 'failed' }, seconds: number): void;
}

/** Measures in a registry; those of a loaded engine are read when they are asked for. */
export function createFacetMeasures(
  registry: Registry,
  loaded: LoadedFacetEngine | undefined,
): FacetMeasures {
  const registers = [registry];
  const counts = new Histogram({
    name: 'facet_count_seconds',
    help: 'Time of facet counts, by the engine that answered and what came of it.',
    labelNames: ['engine', 'outcome'],
    buckets: COUNT_SECONDS,
    registers,
  });
  const batches = new Histogram({
    name: 'facet_maintainer_batch_seconds',
    help: 'Time of the batches this process applied to the facets.',
    registers,
  });
  const looks = new Counter({
    name: 'facet_maintainer_looks_total',
    help: 'Looks of this process at the log of facets: idle, busy (another process), applied, failed.',
    labelNames: ['status'],
    registers,
  });
  const records = new Counter({
    name: 'facet_maintainer_records_total',
    help: 'Rows of the log this process took, and records whose facets it changed.',
    labelNames: ['fate'],
    registers,
  });
  const lag = new Gauge({
    name: 'facet_maintainer_lag_seconds',
    help: 'Age of the oldest change in the last batch of this process; 0 when the log was empty.',
    registers,
  });
  if (loaded !== undefined) gaugeLoaded(loaded, registry);
  return {
    counted: (engine, outcome, seconds) => counts.observe({ engine, outcome }, seconds),
    maintained: (outcome, seconds) => {
      looks.inc({ status: outcome.status });
      if (outcome.status === 'idle') lag.set(0);
      if (outcome.status !== 'applied') return;
      batches.observe(seconds);
      lag.set(outcome.lagMs / 1000);
      records.inc({ fate: 'taken' }, outcome.taken);
      records.inc({ fate: 'changed' }, outcome.changed);
    },
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
  gauge('facet_engine_ready', 'Whether the engine has loaded and answers.', () =>
    Number(engine.state().ready),
  );
  gauge('facet_engine_bytes', "Memory of the engine's copy.", () => engine.state().bytes);
  gauge('facet_engine_load_seconds', 'How long loading took.', () =>
    seconds(engine.state().loadMs),
  );
  gauge('facet_engine_lag_seconds', 'Time since the engine last held all that was applied.', () =>
    seconds(engine.state().lagMs),
  );
  new Gauge({
    name: 'facet_engine_rows',
    help: 'Live records the engine holds, by entity.',
    labelNames: ['engine', 'entity'],
    registers,
    collect() {
      const { rows } = engine.state();
      for (const entity of ENTITY_IDS) this.set({ ...labels, entity }, rows[entity]);
    },
  });
}
