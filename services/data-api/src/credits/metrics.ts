import type { Charging, Reservation, Settlement } from '@vcds/metering';
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
  const settled = (held: number, charged: number): void => {
    credits.inc({ outcome: 'settled' }, charged);
    credits.inc({ outcome: 'released' }, held - charged);
  };
  return {
    reserved: (status: Reservation['status'], amount: number): void => {
      replies.inc({ step: 'reserve', status });
      if (status === 'held') credits.inc({ outcome: 'reserved' }, amount);
    },
    /** A hold of that many credits was settled; a release settles 0. */
    settled: (settlement: Settlement, held: number): void => {
      replies.inc({ step: 'settle', status: settlement.status });
      if (settlement.status === 'settled') settled(held, settlement.charged);
    },
    /** A call was charged without a hold; counted as if it had held its maximum price. */
    charged: (charging: Charging, max: number): void => {
      replies.inc({ step: 'charge', status: charging.status });
      if (charging.status !== 'settled') return;
      credits.inc({ outcome: 'reserved' }, max);
      settled(max, charging.charged);
    },
  };
}
