import { ENTITY_IDS } from '@vcds/venture-model';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { EntitySize } from './entity-store.ts';

/** The threads of a count: none for maintained counts, one for small ones, or all. */
export type CountedBy = 'none' | 'one' | 'all';

/** What the columnar engine tells of itself beyond what every engine does, for `/metrics`. */
export interface ColumnarMeasures {
  counted(by: CountedBy): void;
  /** A thread died. */
  lost(program: 'count' | 'store'): void;
}

/** @param sizesOf by entity; none before it has loaded */
export function createColumnarMeasures(
  registry: Registry,
  sizesOf: () => readonly EntitySize[],
): ColumnarMeasures {
  const registers = [registry];
  const counts = new Counter({
    name: 'vcds_facet_columnar_counts_total',
    help: 'Counts in memory by number of threads: none (maintained counts), one, all.',
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
      for (const [place, entity] of ENTITY_IDS.entries()) {
        const { live = 0, dead = 0 } = sizes[place] ?? {};
        this.set({ entity, state: 'live' }, live);
        this.set({ entity, state: 'dead' }, dead);
      }
    },
  });
  return {
    counted: (threads) => counts.inc({ threads }),
    lost: (program) => losses.inc({ program }),
  };
}
