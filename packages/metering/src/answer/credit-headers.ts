/** What the headers of an answer say about credits. */
export interface CreditReport {
  /** Credits this call cost; 0 for what is free and for errors. */
  readonly charged: number;
  /** The plan's allowance for the month. */
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: Date;
}

/** The four headers of an authenticated answer (spec §4); the reset in unix seconds. */
export function creditHeaders(report: CreditReport): Readonly<Record<CreditHeader, string>> {
  return {
    'X-Credits-Charged': String(report.charged),
    'X-RateLimit-Limit': String(report.limit),
    'X-RateLimit-Remaining': String(report.remaining),
    'X-RateLimit-Reset': String(Math.floor(report.resetAt.getTime() / 1000)),
  };
}

export type CreditHeader =
  | 'X-Credits-Charged'
  | 'X-RateLimit-Limit'
  | 'X-RateLimit-Remaining'
  | 'X-RateLimit-Reset';
