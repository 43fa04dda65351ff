import { Counter, Gauge, type Registry } from 'prom-client';

/** Why a call got no slot. */
export type RefusalReason = 'concurrency' | 'unpaid_time' | 'busy_time' | 'no_connection';

/** Calls that read at the moment, and those that wait for a slot. */
export interface SharesNow {
  readonly running: number;
  readonly waiting: number;
}

/** What the division of connections among accounts reports to `/metrics`. */
export interface ShareMetrics {
  refused(reason: RefusalReason): void;
}

/** @param read what the gauges show, at the moment they are collected. */
export function createShareMetrics(registry: Registry, read: () => SharesNow): ShareMetrics {
  const registers = [registry];
  const refused = new Counter({
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
  return { refused: (reason) => refused.inc({ reason }) };
}
