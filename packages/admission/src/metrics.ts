import { Counter, Gauge, type Registry } from 'prom-client';

/** The reason for which a call got no slot. */
export type RejectionReason = 'concurrency' | 'unpaid_time' | 'busy_time' | 'no_connection';

/** Calls that use the database, and those that wait for a slot. */
export interface SharesNow {
  readonly running: number;
  readonly waiting: number;
}

/** Metrics of {@link AccountShares}. */
export interface ShareMetrics {
  rejected(reason: RejectionReason): void;
}

/** @param read the values of the gauges, called at each collection. */
export function createShareMetrics(registry: Registry, read: () => SharesNow): ShareMetrics {
  const registers = [registry];
  const rejected = new Counter({
    name: 'vcds_account_share_rejections_total',
    help: 'Calls that got no slot for the database, by reason.',
    labelNames: ['reason'],
    registers,
  });
  new Gauge({
    name: 'vcds_account_share_calls',
    help: 'Calls that use the database (running) or wait for a slot (waiting).',
    labelNames: ['state'],
    registers,
    collect() {
      const { running, waiting } = read();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  return { rejected: (reason) => rejected.inc({ reason }) };
}
