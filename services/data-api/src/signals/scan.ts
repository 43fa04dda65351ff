import type { FeedOrder } from './cursor.ts';
import { SUBJECT_CODES, type SubjectType } from './signal-types.ts';

/** What of the feed is looked through: from `fromUs`, inclusive, to `toUs`, exclusive. */
export interface FeedRange {
  readonly fromUs: bigint | undefined;
  readonly toUs: bigint | undefined;
}

/**
 * The index a page is read by. Each lane is in the order of the feed: the whole of it, one for
 * each type, or one for each subject.
 */
export type Lanes =
  | { readonly by: 'feed' }
  | { readonly by: 'type'; readonly codes: readonly number[] }
  | { readonly by: 'subject'; readonly ids: readonly string[] };

/** One look along the lanes. */
export interface Scan {
  readonly lanes: Lanes;
  readonly range: FeedRange;
  readonly order: FeedOrder;
  /** Signals taken from each lane, those that do not match included. */
  readonly step: number;
  /** Matching signals wanted. */
  readonly wanted: number;
}

/** A signal as the statements answer it. */
export interface SignalRow {
  readonly us: string;
  readonly position: string;
  readonly id: string;
  readonly type: number;
  readonly detectedAt: string;
  readonly occurredAt: string;
  readonly subjectType: number;
  readonly subjectId: string;
  readonly objectId: string | null;
  readonly amount: number | null;
  readonly label: string | null;
  readonly subjectName?: string | null;
  readonly subjectDomain?: string | null;
  readonly objectName?: string | null;
}

/** A place as statements answer it: microseconds and position in digits. */
export interface PlaceRow {
  readonly us: string;
  readonly position: string;
}

export interface ScanRow {
  readonly rows: readonly SignalRow[];
  /** How far every lane was looked through; null when to the end of the range. */
  readonly frontier: PlaceRow | null;
  /** The last signal there is below the range's end. */
  readonly end: PlaceRow | null;
}

/** The type of a subject by its number. */
export function subjectTypeOf(code: number): SubjectType {
  return code === SUBJECT_CODES.fund ? 'fund' : 'startup';
}
