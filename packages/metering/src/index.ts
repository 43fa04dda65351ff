export { entitled } from './access/entitled.ts';
export { PLANS, type Plan } from './access/plans.ts';
export { SCOPE_TEXTS } from './access/scopes.ts';
export { type CreditReport, creditHeaders, type KeyReport } from './answer/credit-headers.ts';
export { creditsBody, keyBody } from './answer/credits-body.ts';
export { exhaustedBody, exhaustedMessage, keyLimitMessage } from './answer/exhausted-body.ts';
export {
  aboveLimitBody,
  aboveLimitMessage,
  CREDITS_MAX_HEADER,
  quoteBody,
} from './answer/quote-body.ts';
export {
  isRequestId,
  LEDGER_TIMES,
  type LedgerTimes,
  ONCE_KEYS_MAX,
  OPEN_HOLDS_MAX,
} from './ledger/bounds.ts';
export type { CreditLedger } from './ledger/credit-ledger.ts';
export { drainBucket } from './ledger/drain.ts';
export { healBucket } from './ledger/heal.ts';
export type {
  Balance,
  ChargeRequest,
  Charging,
  KeyBalance,
  KeyShare,
  Ledger,
  NotCharged,
  Once,
  Operation,
  Reservation,
  ReserveRequest,
  SettledOperation,
  Settlement,
  Unavailable,
} from './ledger/ledger.ts';
export type { LedgerStore } from './ledger/ledger-store.ts';
export type { AccountTotals, LedgerEntry, LedgerStream } from './ledger/ledger-stream.ts';
export { createLedgerSyncer, type LedgerPass, type LedgerSyncer } from './ledger/ledger-syncer.ts';
export { type Period, periodOf, resetOf } from './ledger/month.ts';
export { PRICE_CLASS_IDS, PRICE_CLASSES } from './price/price-classes.ts';
export { affordableRecords, type Quote, type QuoteInput, quote } from './price/quote.ts';
export { RATE_CARD, type RateCardEntry, rateFor } from './price/rate-card.ts';
export { RATES_DOCUMENT } from './price/rates-document.ts';
