import type { Ledger } from './ledger.ts';
import type { LedgerAccounts, LedgerStream } from './ledger-stream.ts';

/** All that a store of credits does, to either side. */
export interface CreditLedger {
  readonly ledger: Ledger;
  readonly stream: LedgerStream;
  readonly accounts: LedgerAccounts;
}
