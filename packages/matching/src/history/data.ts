/** The day of an investment whose date is unknown. Undated investments never become features. */
export const UNKNOWN_DAY = -(2 ** 31);

/** Milliseconds of a day: a day number is `Math.floor(epochMs / MS_PER_DAY)`. */
export const MS_PER_DAY = 86_400_000;

export interface Investor {
  /** Stable across loads; ties of a ranking are ordered by it. */
  readonly id: string;
  readonly name: string;
  /** Any closed vocabulary, such as `VentureFund` or `person`; empty when unknown. */
  readonly type: string;
  readonly country: string;
  readonly region: string;
  readonly city: string;
  /** Stage codes that the investor states; codes as in `Investments.stage`. */
  readonly stages: readonly number[];
  /** Industries that the investor states. */
  readonly tags: readonly string[];
  /** The year, 0 when unknown. */
  readonly founded: number;
}

export interface Startup {
  readonly id: string;
  readonly tags: readonly string[];
  readonly country: string;
  readonly region: string;
  readonly city: string;
  /** The year, 0 when unknown. */
  readonly founded: number;
}

/** Investments as columns of equal length, in any order; a row is one investor in one round. */
export interface Investments {
  /** Index in `InvestmentData.investors`. */
  readonly investor: Uint32Array;
  /** Index in `InvestmentData.startups`. */
  readonly startup: Uint32Array;
  /** Number of the round: equal for the investors of one round. */
  readonly round: Uint32Array;
  /** Days since 1970-01-01, or `UNKNOWN_DAY`. */
  readonly day: Int32Array;
  /** A code from 1, in order of maturity up to 11 (`stages` of venture-model); 0 when unknown. */
  readonly stage: Uint8Array;
  /** Amount of the whole round in USD, NaN when unknown. */
  readonly amountUsd: Float64Array;
  /** 1 when the investor led the round. */
  readonly isLead: Uint8Array;
}

/** All that a ranking is learnt from. */
export interface InvestmentData {
  readonly investors: readonly Investor[];
  readonly startups: readonly Startup[];
  readonly investments: Investments;
}

export interface InvestmentRow {
  readonly investor: number;
  readonly startup: number;
  readonly round: number;
  readonly day?: number;
  readonly stage?: number;
  readonly amountUsd?: number;
  readonly isLead?: boolean;
}

/** The columns of rows. */
export function investmentsOf(rows: readonly InvestmentRow[]): Investments {
  return {
    investor: Uint32Array.from(rows, ({ investor }) => investor),
    startup: Uint32Array.from(rows, ({ startup }) => startup),
    round: Uint32Array.from(rows, ({ round }) => round),
    day: Int32Array.from(rows, ({ day = UNKNOWN_DAY }) => day),
    stage: Uint8Array.from(rows, ({ stage = 0 }) => stage),
    amountUsd: Float64Array.from(rows, ({ amountUsd = Number.NaN }) => amountUsd),
    isLead: Uint8Array.from(rows, ({ isLead = false }) => (isLead ? 1 : 0)),
  };
}

/** Properties of a company whose investors are sought; all optional. */
export interface Criteria {
  readonly tags?: readonly string[];
  readonly country?: string;
  readonly region?: string;
  readonly city?: string;
  /** The year. */
  readonly founded?: number;
  /** Stage code of the round sought. */
  readonly stage?: number;
  /** Amount of the round sought in USD. */
  readonly amountUsd?: number;
}

/** A startup of the data by its index (its investors count), and/or criteria, which take precedence. */
export interface Query extends Criteria {
  readonly startup?: number;
}
