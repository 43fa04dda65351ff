export { type Entitlement, entitled } from './access/entitled.ts';
export { PLANS, type Plan } from './access/plans.ts';
export { SCOPE_TEXTS, type ScopeText } from './access/scopes.ts';
export { type CreditHeader, type CreditReport, creditHeaders } from './answer/credit-headers.ts';
export {
  type ExhaustedAction,
  type ExhaustedBody,
  type Exhaustion,
  exhaustedBody,
  exhaustedMessage,
} from './answer/exhausted-body.ts';
export {
  AMOUNT_MAX,
  isRequestId,
  LEDGER_TIMES,
  type LedgerTimes,
  OPEN_HOLDS_MAX,
} from './ledger/bounds.ts';
export type { CreditLedger } from './ledger/credit-ledger.ts';
export { DRAIN_BATCH, type Drained, drainBucket } from './ledger/drain.ts';
export { healBucket } from './ledger/heal.ts';
export type {
  Balance,
  BalanceAnswer,
  Ledger,
  Operation,
  Reservation,
  ReserveRequest,
  Settlement,
  Unavailable,
} from './ledger/ledger.ts';
export type { LedgerStore } from './ledger/ledger-store.ts';
export type {
  AccountTotals,
  BucketStanding,
  HealStep,
  LedgerAccounts,
  LedgerBatch,
  LedgerEntry,
  LedgerStream,
} from './ledger/ledger-stream.ts';
export { createLedgerSyncer, type LedgerPass, type LedgerSyncer } from './ledger/ledger-syncer.ts';
export { type Period, periodOf, resetOf } from './ledger/month.ts';
export {
  PRICE_CLASS_IDS,
  PRICE_CLASSES,
  type PriceClass,
  type PriceClassId,
} from './price/price-classes.ts';
export { affordableRecords, type Quote, type QuoteInput, quote } from './price/quote.ts';
export { type PageParameter, RATE_CARD, type RateCardEntry, rateFor } from './price/rate-card.ts';
export {
  RATE_CARD_VERSION,
  type RateCheck,
  type RateLine,
  type RatesDocument,
  ratesDocument,
} from './price/rates-document.ts';
