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
    name: 'ledger_answers_total',
    help: 'Answers of the credit ledger, by what was asked and what came of it.',
    labelNames: ['step', 'status'],
    registers,
  });
  const credits = new Counter({
    name: 'credits_total',
    help: 'Credits reserved by calls, and what became of them: settled or released.',
    labelNames: ['fate'],
    registers,
  });
  return {
    reserved: (status, amount) => {
      answers.inc({ step: 'reserve', status });
      if (status === 'held') credits.inc({ fate: 'reserved' }, amount);
    },
    settled: (settlement, held) => {
      answers.inc({ step: 'settle', status: settlement.status });
      if (settlement.status !== 'settled') return;
      credits.inc({ fate: 'settled' }, settlement.charged);
      credits.inc({ fate: 'released' }, held - settlement.charged);
    },
  };
}
