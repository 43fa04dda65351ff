import type pg from 'pg';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { PublishedShare } from './publish-batch.ts';

/** Metrics of the publisher. */
export type PublisherMetrics = ReturnType<typeof createPublisherMetrics>;

/** The backlog is counted up to this many changes. */
const BACKLOG_MAX = 100_000;

/**
 * Metrics of the feed. Lag and backlog are read from the database at each collection, so that every
 * process reports them, also without a leader.
 */
export function createPublisherMetrics(registry: Registry, pool: pg.Pool) {
  const registers = [registry];
  const published = new Counter({
    name: 'vcds_signals_published_total',
    help: 'Signals that this process published, by type.',
    labelNames: ['type'],
    registers,
  });
  const changed = new Counter({
    name: 'vcds_changes_published_total',
    help: 'Changes of records that this process published.',
    registers,
  });
  const delay = new Histogram({
    name: 'vcds_signals_publish_delay_seconds',
    help: 'Time from the write of a change to the publication of its signal.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600],
    registers,
  });
  const leading = new Gauge({
    name: 'vcds_signals_publisher_leader',
    help: '1 while this process publishes signals.',
    registers,
  });
  const failures = new Counter({
    name: 'vcds_signals_publisher_failures_total',
    help: 'Times that the publisher lost its session or failed.',
    registers,
  });
  // One query serves both gauges.
  let reading: Promise<Backlog> | undefined;
  const read = () => {
    reading ??= readBacklog(pool).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  new Gauge({
    name: 'vcds_signals_lag_seconds',
    help: 'Age of the oldest committed change that is not in a feed; 0 if there is none.',
    registers,
    collect: async function () {
      this.set((await read()).seconds);
    },
  });
  new Gauge({
    name: 'vcds_signals_backlog',
    help: `Committed changes whose signals are not published, counted up to ${BACKLOG_MAX}.`,
    registers,
    collect: async function () {
      this.set((await read()).count);
    },
  });
  return {
    /** @param entries changes of records. */
    published: (shares: readonly PublishedShare[], entries: number): void => {
      changed.inc(entries);
      for (const { type, count, delaySeconds } of shares) {
        published.inc({ type }, count);
        for (let n = 0; n < count; n++) delay.observe(delaySeconds);
      }
    },
    leads: (isLeading: boolean) => leading.set(isLeading ? 1 : 0),
    failed: () => failures.inc(),
  };
}

interface Backlog {
  readonly count: number;
  readonly seconds: number;
}

// An unreachable database must not fail the other metrics.
async function readBacklog(pool: pg.Pool): Promise<Backlog> {
  try {
    const { rows } = await pool.query<Backlog>(
      `SELECT count(*) FILTER (WHERE is_signal)::int AS count, coalesce(greatest(0,
         extract(epoch FROM clock_timestamp() - min(written_at))), 0)::float8 AS seconds
       FROM (
         (SELECT written_at, true AS is_signal FROM venture.signal_outbox
           ORDER BY serial LIMIT $1)
         UNION ALL
         (SELECT written_at, false FROM venture.change_outbox ORDER BY serial LIMIT 1)) w`,
      [BACKLOG_MAX],
    );
    return rows[0] ?? { count: Number.NaN, seconds: Number.NaN };
  } catch {
    return { count: Number.NaN, seconds: Number.NaN };
  }
}
