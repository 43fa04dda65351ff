/**
 * Bounds of a read with a selective filter, whose candidates may not match: the sizes of its
 * batches, the fallback indexes, and its deadline (docs/spec/signals.md 9.4).
 */
export interface ScanLimits {
  /** Candidates of the first batch, the factor of each next one, and the largest batch. */
  readonly candidatesFirst: number;
  readonly growth: number;
  readonly candidatesMax: number;
  /** Batches of the scan before the fallback indexes are tried. */
  readonly batchesBeforeFallback: number;
  /** The fallback reads at most this many signals, or those of this many subjects and objects. */
  readonly fallbackSignalsMax: number;
  readonly fallbackRecordsMax: number;
  /** Reading so many signals of the feed costs as much as reading the first one of a record. */
  readonly candidatesPerRecord: number;
  /** The fallback of the activity feed reads all entries of at most this many companies. */
  readonly fallbackCompaniesMax: number;
  /**
   * After this many candidates a read returns the matches it has found. A time would make pages
   * shorter while the database is slow, and the calls for the rest would keep it slow.
   */
  readonly candidatesEnough: number;
  /** After this time a read without a match fails with `unavailable`. */
  readonly hardDeadlineMs: number;
}

export const SCAN_LIMITS: ScanLimits = {
  candidatesFirst: 2_000,
  growth: 4,
  candidatesMax: 200_000,
  batchesBeforeFallback: 1,
  fallbackSignalsMax: 50_000,
  fallbackRecordsMax: 5_000,
  candidatesPerRecord: 16,
  fallbackCompaniesMax: 300,
  candidatesEnough: 10_000,
  hardDeadlineMs: 8_000,
};
