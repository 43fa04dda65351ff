import type { LoadedFacetEngine } from '@vcds/facet-engine';
import { ENTITY_IDS } from '@vcds/venture-model';
import { Gauge, Histogram, type Registry } from 'prom-client';

const COUNT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** What facets tell of themselves, for `/metrics`. */
export interface FacetMeasures {
  /** A count was answered, or failed, by an engine. */
  counted(engine: string, outcome: 'answered' | 'failed', seconds: number): void;
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
  if (loaded !== undefined) gaugeLoaded(loaded, registry);
  return {
    counted: (engine, outcome, seconds) => counts.observe({ engine, outcome }, seconds),
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
