import type { Reservation, Settlement } from '@vcds/metering';
import { Counter, type Registry } from 'prom-client';

/** Metrics of the meter. */
export type MeterMetrics = ReturnType<typeof createMeterMetrics>;

/** Counts credits and replies of the ledger in a registry. */
export function createMeterMetrics(registry: Registry) {
  const registers = [registry];
  const replies = new Counter({
    name: 'vcds_ledger_replies_total',
    help: 'Replies of the credit ledger by step and status.',
    labelNames: ['step', 'status'],
    registers,
  });
  const credits = new Counter({
    name: 'vcds_credits_total',
    help: 'Credits by outcome: reserved by calls, then settled or released.',
    labelNames: ['outcome'],
    registers,
  });
  return {
    reserved: (status: Reservation['status'], amount: number): void => {
      replies.inc({ step: 'reserve', status });
      if (status === 'held') credits.inc({ outcome: 'reserved' }, amount);
    },
    /** A hold of that many credits was settled; a release settles 0. */
    settled: (settlement: Settlement, held: number): void => {
      replies.inc({ step: 'settle', status: settlement.status });
      if (settlement.status !== 'settled') return;
      credits.inc({ outcome: 'settled' }, settlement.charged);
      credits.inc({ outcome: 'released' }, held - settlement.charged);
    },
  };
}
