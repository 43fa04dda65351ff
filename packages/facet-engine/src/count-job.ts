/** What is to be counted, as numbers: what the thread that was asked tells those that count. */

/** Records that have any of these values. */
export interface Group {
  readonly dimension: number;
  /** Ascending and distinct; none: no record. */
  readonly ordinals: Uint32Array;
  /** Values the dimension has. */
  readonly size: number;
}

/** Dimensions that are counted under the same narrowing. */
export interface Target {
  /** Places in {@link CountJob.groups}, at least one: all of them apply. */
  readonly groups: readonly number[];
  /** Places in {@link CountJob.facets}. */
  readonly facets: readonly number[];
}

/** A dimension to count. */
export interface PlannedFacet {
  readonly dimension: number;
  /** Values it has: so many counts are answered. */
  readonly size: number;
}

export interface CountJob {
  readonly entity: number;
  readonly groups: readonly Group[];
  readonly facets: readonly PlannedFacet[];
  readonly targets: readonly Target[];
}

/** How many counts a plan has, all facets one after another. */
export function countsLength({ facets }: CountJob): number {
  return facets.reduce((sum, { size }) => sum + size, 0);
}
