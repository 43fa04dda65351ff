import type pg from 'pg';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { APPLIED_TO } from './applied-to.ts';
import type { BatchOutcome } from './apply-batch.ts';

/**
 * Metrics of the facet indexer of this process. `onPoll` records the end of a poll, `onRebuild` that a
 * rebuild of the index has computed records. The lag is read from the database at each collection, so that it grows also while no process applies the log.
 */
export function createIndexerMetrics(registry: Registry, pool: pg.Pool) {
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
    help:
      'Rows of the log that this process read, records whose facets it changed, and records that it ' +
      'computed to rebuild the index.',
    labelNames: ['outcome'],
    registers,
  });
  new Gauge({
    name: 'vcds_facet_indexer_lag_seconds',
    help: 'Age of the oldest committed change that is not in the facet index; 0 if there is none.',
    registers,
    collect: async function () {
      this.set(await readLag(pool));
    },
  });
  return {
    onPoll: (outcome: BatchOutcome | { readonly status: 'failed' }, seconds: number): void => {
      polls.inc({ status: outcome.status });
      if (outcome.status !== 'applied') return;
      batches.observe(seconds);
      records.inc({ outcome: 'read' }, outcome.taken);
      records.inc({ outcome: 'changed' }, outcome.changed);
    },
    onRebuild: (count: number): void => records.inc({ outcome: 'rebuilt' }, count),
  };
}

// An unreachable database must not fail the other metrics.
async function readLag(pool: pg.Pool): Promise<number> {
  try {
    const { rows } = await pool.query<{ seconds: number }>(
      `SELECT coalesce(greatest(0, extract(epoch FROM clock_timestamp() - (
         SELECT logged_at FROM venture.facet_change WHERE position > ${APPLIED_TO}
         ORDER BY position LIMIT 1))), 0)::float8 AS seconds`,
    );
    return rows[0]?.seconds ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}
