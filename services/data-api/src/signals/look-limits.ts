/** How a page is looked for where signals along the lanes may not match (docs/spec/signals.md). */
export interface LookLimits {
  /** Candidates of the first look, how many times more each next one takes, and of the largest. */
  readonly candidatesFirst: number;
  readonly growth: number;
  readonly candidatesMax: number;
  /** Looks along the feed before conditions are tried that have an index of their own. */
  readonly looksBeforeGathering: number;
  /** Signals, and narrowed subjects, that are few enough to be taken all at once. */
  readonly fewSignals: number;
  readonly fewSubjects: number;
  /** Looking on for a full page ends after this long, when something was found. */
  readonly patienceMs: number;
  /** Nothing found within this long: the caller is to narrow what is looked through. */
  readonly searchMsMax: number;
}

export const LOOK_LIMITS: LookLimits = {
  candidatesFirst: 2_000,
  growth: 4,
  candidatesMax: 200_000,
  looksBeforeGathering: 2,
  fewSignals: 50_000,
  fewSubjects: 300,
  patienceMs: 300,
  searchMsMax: 8_000,
};
