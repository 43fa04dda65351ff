import { BUCKETS } from '@vcds/credentials';
import type { LedgerPass, LedgerStore, LedgerStream } from '@vcds/metering';
import { type Clock, secondsSince } from '@vcds/service-kit';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

const LAG_BUCKETS_SECONDS = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1_800];
const PASS_BUCKETS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

/** Metrics of draining the ledger, and the ports that record them. */
export interface LedgerMetrics {
  /** The stream; records the backlog of each bucket. */
  readonly stream: LedgerStream;
  /** The store; counts committed charges and records their age. */
  readonly store: LedgerStore;
  recordPass(pass: LedgerPass, seconds: number): void;
}

/** Wraps a stream and the store that it is drained into. */
export function createLedgerMetrics(
  { stream, store }: { readonly stream: LedgerStream; readonly store: LedgerStore },
  registry: Registry,
  clock: Clock,
): LedgerMetrics {
  const registers = [registry];
  const pending = new Array<number>(BUCKETS).fill(0);
  new Gauge({
    name: 'vcds_ledger_charges_pending',
    help: 'Charges in Redis that are not committed to PostgreSQL, as of the last pass.',
    registers,
    collect() {
      this.set(pending.reduce((sum, count) => sum + count, 0));
    },
  });
  const drained = new Counter({
    name: 'vcds_ledger_charges_drained_total',
    help: 'Charges committed to PostgreSQL for the first time.',
    registers,
  });
  const lag = new Histogram({
    name: 'vcds_ledger_lag_seconds',
    help: 'Age of the oldest charge of each batch at its commit.',
    buckets: LAG_BUCKETS_SECONDS,
    registers,
  });
  const healed = new Counter({
    name: 'vcds_ledger_buckets_repaired_total',
    help: 'Ledger buckets that were closed or behind PostgreSQL and were repaired.',
    registers,
  });
  const failed = new Counter({
    name: 'vcds_ledger_bucket_failures_total',
    help: 'Failed attempts to process a ledger bucket.',
    registers,
  });
  const passes = new Histogram({
    name: 'vcds_ledger_pass_duration_seconds',
    help: 'Duration of a pass over all ledger buckets.',
    buckets: PASS_BUCKETS_SECONDS,
    registers,
  });
  return {
    stream: {
      ...stream,
      standing: async (bucket) => {
        const standing = await stream.standing(bucket);
        pending[bucket] = standing.pending;
        return standing;
      },
    },
    store: {
      ...store,
      commit: async (bucket, entries) => {
        const fresh = await store.commit(bucket, entries);
        const [oldest] = fresh;
        drained.inc(fresh.length);
        if (oldest !== undefined) lag.observe(secondsSince(oldest.chargedAt.getTime(), clock));
        return fresh;
      },
    },
    recordPass: (pass, seconds) => {
      healed.inc(pass.healed.length);
      failed.inc(pass.failed.length);
      passes.observe(seconds);
    },
  };
}
