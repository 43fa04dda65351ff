export { type Entitlement, entitled } from './access/entitled.ts';
export { PLANS, type Plan } from './access/plans.ts';
export { SCOPE_TITLES, SCOPES } from './access/scopes.ts';
export { type CreditHeader, type CreditReport, creditHeaders } from './answer/credit-headers.ts';
export {
  type ExhaustedAction,
  type ExhaustedBody,
  type Exhaustion,
  exhaustedBody,
  exhaustedMessage,
} from './answer/exhausted-body.ts';
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
