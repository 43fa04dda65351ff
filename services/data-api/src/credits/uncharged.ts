import type { CreditReport } from '@vcds/metering';

/** A call that failed at no cost: for what reason, and the balance where the ledger told it. */
export class Uncharged extends Error {
  override readonly name = 'Uncharged';
  readonly reason: unknown;
  readonly report: CreditReport | undefined;

  constructor(reason: unknown, report?: CreditReport) {
    super('The call cost nothing.', { cause: reason });
    this.reason = reason;
    this.report = report;
  }
}
