/** The scan of signals that both feeds read: an order, the parts that an index has in it, a batch. */
import type { SqlValues } from '../postgres/sql-values.ts';
import type { FeedOrder } from './cursor.ts';
import { SUBJECT_CODES, type SubjectType } from './signal-types.ts';

/** Conditions that the scanned index does not guarantee: SQL on the row with this alias. */
export type Residual = (row: string, values: SqlValues) => string;

/**
 * A position in the order of a feed: microseconds since 1970 of its columns. One with fewer columns
 * is before all signals with these.
 */
export type Position = readonly bigint[];

/** The part of a feed to scan: from the first, inclusive, to the second, exclusive. */
export interface FeedRange {
  readonly from: Position | undefined;
  readonly to: Position | undefined;
}

/** A feed: an order of signals with an index of each type, and the rows of its pages. */
export interface Feed {
  /** The times that order it, unique together. */
  readonly columns: readonly ('detected_at' | 'occurred_at')[];
  /** Whether an index has the order of all signals. */
  readonly isIndexed: boolean;
  /** The condition of its indexes, and the cast of the type in them. */
  readonly only: 'dated' | undefined;
  readonly typeCast: '' | '::integer';
  /** Of more records, not all signals are read. */
  readonly recordsMax: 'fallbackRecordsMax' | 'fallbackCompaniesMax';
  /** The condition that makes a signal an entry, for any call. */
  readonly isEntry: Residual | undefined;
  /** SQL of the columns of a row after {@link FeedRow}, and of the joins that they need, for `h`. */
  readonly rows: { readonly columns: readonly string[]; readonly joins: string };
}

/** A row of both feeds, as JSON of PostgreSQL; its times as in timestamps.ts. */
export interface FeedRow {
  readonly id: string;
  readonly type: number;
  readonly detectedAt: string;
  readonly occurredAt: string;
  readonly subjectType: number;
  readonly subjectId: string;
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

/** One batch of a scan. */
export interface Scan {
  readonly partitions: Partitions;
  readonly range: FeedRange;
  readonly order: FeedOrder;
  /** Candidates read from each partition, whether they match or not. */
  readonly batchSize: number;
  /** Of more subjects and objects, those with the first signals are read, at least so many. */
  readonly recordsMax: number;
  /** Matching signals to skip, and the most to return. */
  readonly skip: number;
  readonly limit: number;
}

/** The result of a batch; times in digits of microseconds since 1970. */
export interface ScanRow<Row> {
  /** Matching signals, with those skipped. */
  readonly hits: number;
  readonly rows: readonly Row[];
  /** Every partition was read up to here; null for the end of the range. */
  readonly watermark: readonly string[] | null;
  /** The last signal of the change feed before the end of the range. */
  readonly end: { readonly us: string; readonly position: string } | null;
  /** When the last signal was detected; null if there is none. */
  readonly newest: string | null;
}

/** The type of a subject by its code. */
export function subjectTypeOf(code: number): SubjectType {
  return code === SUBJECT_CODES.fund ? 'fund' : 'startup';
}
