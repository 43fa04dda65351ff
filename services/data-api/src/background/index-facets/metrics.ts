import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { BatchOutcome } from './apply-batch.ts';

/** Metrics of the facet indexer of this process; the function records the end of a poll. */
export function createIndexerMetrics(registry: Registry) {
  const registers = [registry];
  const batches = new Histogram({
    name: 'vcds_facet_indexer_batch_duration_seconds',
    help: 'Duration of the batches that this process applied to the facet index.',
    registers,
  });
  const polls = new Counter({
    name: 'vcds_facet_indexer_polls_total',
    help: 'Polls of the log: idle, busy (another process holds the lock), applied, failed.',
    labelNames: ['status'],
    registers,
  });
  const records = new Counter({
    name: 'vcds_facet_indexer_records_total',
    help: 'Rows of the log that this process read, and records whose facets it changed.',
    labelNames: ['outcome'],
    registers,
  });
  const lag = new Gauge({
    name: 'vcds_facet_indexer_lag_seconds',
    help: 'Age of the oldest change in the last batch of this process; 0 if the log was empty.',
    registers,
  });
  return (outcome: BatchOutcome | { readonly status: 'failed' }, seconds: number): void => {
    polls.inc({ status: outcome.status });
    if (outcome.status === 'idle') lag.set(0);
    if (outcome.status !== 'applied') return;
    batches.observe(seconds);
    lag.set(outcome.lagMs / 1000);
    records.inc({ outcome: 'read' }, outcome.taken);
    records.inc({ outcome: 'changed' }, outcome.changed);
  };
}
