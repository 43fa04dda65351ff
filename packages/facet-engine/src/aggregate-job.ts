/** The numbers that the main thread sends to a counting thread for aggregates, and those that it returns. */
import type { Group, Where } from './count-job.ts';

/** The lengths of time by which dates are grouped. */
export type TimeUnit = 'year' | 'quarter' | 'month';

/** A key by which records are grouped. The numbers of its values begin at 1; 0 is that of records without one. */
export type JobKey =
  /** Number 1 + ordinal. */
  | { readonly kind: 'dimension'; readonly dimension: number; readonly size: number }
  /** Number 1 + units of time since the first of year 1; `size` is above the highest. */
  | {
      readonly kind: 'time';
      readonly figure: number;
      readonly unit: TimeUnit;
      readonly size: number;
    };

/** The numbers that are computed of a figure, beside how many records have one. */
export interface JobFigure {
  readonly figure: number;
  /** Shares of the records, from 0 to 1, of which the figure is interpolated. */
  readonly percentiles: readonly number[];
}

/** A dimension, a figure or links: their different values, or targets, are counted. */
export type JobDistinct =
  | { readonly kind: 'figure'; readonly figure: number }
  | { readonly kind: 'dimension'; readonly dimension: number; readonly size: number }
  | { readonly kind: 'links'; readonly links: number; readonly size: number };

export interface AggregateJob {
  readonly entity: number;
  readonly groups: readonly Group[];
  /** Absent: all live records. */
  readonly where?: Where | undefined;
  readonly keys: readonly JobKey[];
  readonly figures: readonly JobFigure[];
  readonly distincts: readonly JobDistinct[];
  /** With more groups the job ends without figures. */
  readonly groupsMax: number;
}

/** Of each group in the order in which they were found, and last of all records together. */
export interface GroupedFigure {
  /** Records that have the figure. */
  readonly known: Float64Array;
  readonly sum: Float64Array;
  /** NaN of a group in which no record has one, as the following. */
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** By index of the job's percentiles. */
  readonly percentiles: readonly Float64Array[];
}

export interface AggregateResult {
  /** The number of groups; above `groupsMax` the rest is empty. */
  readonly groups: number;
  /** By key, the number of the value of each group. */
  readonly keys: readonly Float64Array[];
  /** Records by group, and last of all. */
  readonly counts: Float64Array;
  readonly figures: readonly GroupedFigure[];
  readonly distincts: readonly Float64Array[];
}

/** The arrays of a result, each with memory of its own. */
export function arraysOfResult({
  keys,
  counts,
  figures,
  distincts,
}: AggregateResult): readonly Float64Array<ArrayBuffer>[] {
  const ofFigures = figures.flatMap(({ known, sum, min, max, percentiles }) => [
    ...[known, sum, min, max],
    ...percentiles,
  ]);
  return [...keys, counts, ...ofFigures, ...distincts] as Float64Array<ArrayBuffer>[];
}
