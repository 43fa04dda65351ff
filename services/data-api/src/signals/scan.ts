import type { FeedOrder } from './cursor.ts';
import { SUBJECT_CODES, type SubjectType } from './signal-types.ts';

/** The part of the feed to scan: from `fromUs`, inclusive, to `toUs`, exclusive. */
export interface FeedRange {
  readonly fromUs: bigint | undefined;
  readonly toUs: bigint | undefined;
}

/**
 * The index that a page is read from. Each partition is in the order of the feed: one for all
 * signals, of which those with other keys than `of` do not match, one per type, or one per subject
 * and object; a signal may be in two of these.
 */
export type Partitions =
  | { readonly by: 'feed'; readonly of?: SignalKeys }
  | { readonly by: 'type'; readonly codes: readonly number[] }
  | ({ readonly by: 'record' } & SignalKeys);

/** Ids of the subjects or objects of signals. */
export interface SignalKeys {
  readonly subjects: readonly string[];
  readonly objects: readonly string[];
}

/** The number of partitions, at least one. */
export function partitionCount(partitions: Partitions): number {
  switch (partitions.by) {
    case 'feed':
      return 1;
    case 'type':
      return Math.max(1, partitions.codes.length);
    case 'record':
      return Math.max(1, partitions.subjects.length + partitions.objects.length);
  }
}

/** One batch of the scan. */
export interface Scan {
  readonly partitions: Partitions;
  readonly range: FeedRange;
  readonly order: FeedOrder;
  /** Candidates read from each partition, whether they match or not. */
  readonly batchSize: number;
  /** Of more subjects and objects, those with the first signals are read, at least so many. */
  readonly recordsMax: number;
  /** The most matching signals to return. */
  readonly limit: number;
}

/** A signal as the statements return it; its times as in timestamps.ts. */
export interface SignalRow {
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

/** A position as the statements return it: microseconds and position in digits. */
export interface PositionRow {
  readonly us: string;
  readonly position: string;
}

export interface ScanRow {
  readonly rows: readonly SignalRow[];
  /** Every partition was read up to here; null for the end of the range. */
  readonly watermark: PositionRow | null;
  /** The last signal of the feed before the end of the range. */
  readonly end: PositionRow | null;
  /** The last signal of the feed, in microseconds since 1970; null if there is none. */
  readonly newest: string | null;
}

/** The type of a subject by its code. */
export function subjectTypeOf(code: number): SubjectType {
  return code === SUBJECT_CODES.fund ? 'fund' : 'startup';
}
