import {
  type ColumnarEngineOptions,
  ColumnarFacetEngine,
  type ColumnarState,
  type EngineMetrics,
} from '@vcds/facet-engine';
import { type DimensionId, ENTITY_IDS, type EntityId, type IndexedId } from '@vcds/venture-model';
import { Counter, Gauge, type Registry } from 'prom-client';
import { FACET_SCHEMA } from '../facet-tables/schema.ts';
import { connectionOptions } from '../postgres/connection.ts';

export interface ColumnarOptions extends Omit<ColumnarEngineOptions, 'schema' | 'metrics'> {
  /** For the metrics of the engine. */
  readonly registry?: Registry;
}

/** The columnar engine over the facet index of the venture data, with its metrics. */
export function createColumnarEngine({
  registry,
  ...options
}: ColumnarOptions): ColumnarFacetEngine<EntityId, DimensionId, IndexedId> {
  const engine: ColumnarFacetEngine<EntityId, DimensionId, IndexedId> = new ColumnarFacetEngine({
    ...options,
    schema: FACET_SCHEMA,
    ...(registry && { metrics: createColumnarMetrics(registry, () => engine.state().sizes) }),
  });
  return engine;
}

/** The columnar engine of a process, over a connection of its own to the primary. */
export function openColumnarEngine({
  connectionString,
  name,
  memoryMb,
  ...options
}: Omit<ColumnarOptions, 'connection' | 'bytesMax'> & {
  /** Direct, not through a pooler. */
  readonly connectionString: string;
  /** Shown in `pg_stat_activity`. */
  readonly name: string;
  /** Megabytes above which it does not load. */
  readonly memoryMb: number;
}): ColumnarFacetEngine<EntityId, DimensionId, IndexedId> {
  return createColumnarEngine({
    ...options,
    connection: connectionOptions({
      connectionString,
      name,
      settings: { idle_in_transaction_session_timeout: 60_000 },
      statementMsMax: 0,
    }),
    bytesMax: memoryMb * 1_048_576,
  });
}

/** The metrics of a columnar engine, in addition to those of every loaded engine. */
function createColumnarMetrics(
  registry: Registry,
  sizesOf: () => ColumnarState['sizes'],
): EngineMetrics {
  const registers = [registry];
  const counts = new Counter({
    name: 'vcds_facet_columnar_counts_total',
    help: 'Counts in memory by number of threads: none (stored counts), one, all.',
    labelNames: ['threads'],
    registers,
  });
  const losses = new Counter({
    name: 'vcds_facet_columnar_threads_lost_total',
    help: 'Threads that crashed and were replaced, by program: count or store.',
    labelNames: ['program'],
    registers,
  });
  new Gauge({
    name: 'vcds_facet_columnar_records',
    help: 'Records in memory by entity and state: live, or dead and not yet removed.',
    labelNames: ['entity', 'state'],
    registers,
    collect() {
      const sizes = sizesOf();
      for (const [index, entity] of ENTITY_IDS.entries()) {
        const { live = 0, dead = 0 } = sizes[index] ?? {};
        this.set({ entity, state: 'live' }, live);
        this.set({ entity, state: 'dead' }, dead);
      }
    },
  });
  return {
    counted: (threads) => counts.inc({ threads }),
    crashed: (program) => losses.inc({ program }),
  };
}
