/** The data of the credit headers. */
export interface CreditReport {
  /** Credits that this call cost; 0 if it is free or an error. */
  readonly charged: number;
  /** The plan's allowance for the month. */
  readonly limit: number;
  /** Undefined while the ledger cannot be reached and no recent balance is known. */
  readonly remaining: number | undefined;
  readonly resetAt: Date;
}

/**
 * The four headers of an authenticated response (docs/spec/credits.md 10.5), the reset in Unix
 * seconds; without the remaining credits if they are not known.
 */
export function creditHeaders(
  report: CreditReport,
): Readonly<Partial<Record<CreditHeader, string>>> {
  const { charged, limit, remaining, resetAt } = report;
  return {
    'X-Credits-Charged': String(charged),
    'X-RateLimit-Limit': String(limit),
    ...(remaining === undefined ? {} : { 'X-RateLimit-Remaining': String(remaining) }),
    'X-RateLimit-Reset': String(Math.floor(resetAt.getTime() / 1000)),
  };
}

export type CreditHeader =
  | 'X-Credits-Charged'
  | 'X-RateLimit-Limit'
  | 'X-RateLimit-Remaining'
  | 'X-RateLimit-Reset';
