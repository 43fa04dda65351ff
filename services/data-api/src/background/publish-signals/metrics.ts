import type pg from 'pg';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { PublishedShare } from './publish-batch.ts';

/** What the publisher tells of its work, for `/metrics`. */
export interface PublisherMeasures {
  published(shares: readonly PublishedShare[]): void;
  leads(isLeading: boolean): void;
  failed(): void;
}

/** Changes are counted up to this many; more are as bad. */
const BACKLOG_MAX = 100_000;

/**
 * Measures of the feed. Lag and backlog are asked of the database when metrics are read, so that
 * they are known although no publisher runs.
 */
export function createPublisherMeasures(registry: Registry, pool: pg.Pool): PublisherMeasures {
  const registers = [registry];
  const published = new Counter({
    name: 'vcds_signals_published_total',
    help: 'Signals that this process published, by type.',
    labelNames: ['type'],
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
    help: '1 while this process is the leader.',
    registers,
  });
  const failures = new Counter({
    name: 'vcds_signals_publisher_failures_total',
    help: 'Times that the publisher lost its session or failed.',
    registers,
  });
  // Both are read in one go, and from one look at the database.
  let looking: Promise<Waiting> | undefined;
  const look = () => {
    looking ??= readWaiting(pool).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  new Gauge({
    name: 'vcds_signals_lag_seconds',
    help: 'Age of the oldest committed change that is not published; 0 if there is none.',
    registers,
    collect: async function () {
      this.set((await look()).seconds);
    },
  });
  new Gauge({
    name: 'vcds_signals_backlog',
    help: `Committed changes that are not published, counted up to ${BACKLOG_MAX}.`,
    registers,
    collect: async function () {
      this.set((await look()).count);
    },
  });
  return {
    published: (shares) => {
      for (const { type, count, delaySeconds } of shares) {
        published.inc({ type }, count);
        for (let n = 0; n < count; n++) delay.observe(delaySeconds);
      }
    },
    leads: (isLeading) => leading.set(isLeading ? 1 : 0),
    failed: () => failures.inc(),
  };
}

interface Waiting {
  readonly count: number;
  readonly seconds: number;
}

// A database out of reach must not take the other metrics along.
async function readWaiting(pool: pg.Pool): Promise<Waiting> {
  try {
    const { rows } = await pool.query<Waiting>(
      `SELECT count(*)::int AS count, coalesce(greatest(0,
         extract(epoch FROM clock_timestamp() - min(written_at))), 0)::float8 AS seconds
       FROM (SELECT written_at FROM venture.signal_outbox ORDER BY serial LIMIT $1) w`,
      [BACKLOG_MAX],
    );
    return rows[0] ?? { count: Number.NaN, seconds: Number.NaN };
  } catch {
    return { count: Number.NaN, seconds: Number.NaN };
  }
}
