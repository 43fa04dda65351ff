import type { KeyBalance } from '../ledger/ledger.ts';

/** The data of the credit headers. */
export interface CreditReport {
  /** Credits that this call cost; 0 if it is free or an error. */
  readonly charged: number;
  /** The plan's allowance for the month. */
  readonly limit: number;
  /** Undefined while the ledger cannot be reached and no recent balance is known. */
  readonly remaining: number | undefined;
  readonly resetAt: Date;
  /** Of a key with a monthly limit; `remaining` is undefined while it is unknown. */
  readonly key?: KeyReport | null | undefined;
}

export type KeyReport = Pick<KeyBalance, 'limit'> & { readonly remaining: number | undefined };

/**
 * The headers of an authenticated response (docs/spec/credits.md 10.5), the reset in Unix seconds;
 * without the remaining credits if they are not known, and those of the key only if it has a limit.
 */
export function creditHeaders(
  report: CreditReport,
): Readonly<Partial<Record<CreditHeader, string>>> {
  const { charged, limit, remaining, resetAt, key } = report;
  return {
    'X-Credits-Charged': String(charged),
    'X-RateLimit-Limit': String(limit),
    ...(remaining === undefined ? {} : { 'X-RateLimit-Remaining': String(remaining) }),
    'X-RateLimit-Reset': String(Math.floor(resetAt.getTime() / 1000)),
    ...(key && { 'X-RateLimit-Key-Limit': String(key.limit) }),
    ...(key?.remaining === undefined ? {} : { 'X-RateLimit-Key-Remaining': String(key.remaining) }),
  };
}

export type CreditHeader =
  | 'X-Credits-Charged'
  | 'X-RateLimit-Limit'
  | 'X-RateLimit-Remaining'
  | 'X-RateLimit-Reset'
  | 'X-RateLimit-Key-Limit'
  | 'X-RateLimit-Key-Remaining';
