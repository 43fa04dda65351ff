import type { Reservation, Settlement } from '@vcds/metering';
import { Counter, type Registry } from 'prom-client';

/** What the meter tells of each step, for `/metrics`. */
export interface MeterMeasures {
  reserved(status: Reservation['status'], credits: number): void;
  /** A hold of that many credits was settled, or released, which is to settle nothing. */
  settled(settlement: Settlement, held: number): void;
}

/** Counts credits and answers of the ledger in a registry. */
export function createMeterMeasures(registry: Registry): MeterMeasures {
  const registers = [registry];
  const answers = new Counter({
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
    reserved: (status, amount) => {
      answers.inc({ step: 'reserve', status });
      if (status === 'held') credits.inc({ outcome: 'reserved' }, amount);
    },
    settled: (settlement, held) => {
      answers.inc({ step: 'settle', status: settlement.status });
      if (settlement.status !== 'settled') return;
      credits.inc({ outcome: 'settled' }, settlement.charged);
      credits.inc({ outcome: 'released' }, held - settlement.charged);
    },
  };
}
