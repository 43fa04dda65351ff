import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { BatchOutcome } from './apply-batch.ts';

/** Metrics of the facet indexer of this process. */
export interface IndexerMetrics {
  /** A poll of the log ended. */
  polled(outcome: BatchOutcome | { readonly status: 'failed' }, seconds: number): void;
}

export function createIndexerMetrics(registry: Registry): IndexerMetrics {
  const registers = [registry];
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
  return {
    polled: (outcome, seconds) => {
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
