import type { Ledger } from './ledger.ts';
import type { LedgerAccounts, LedgerStream } from './ledger-stream.ts';

/** A store of credits, by the ports of its users. */
export interface CreditLedger {
  readonly ledger: Ledger;
  readonly stream: LedgerStream;
  readonly accounts: LedgerAccounts;
}
