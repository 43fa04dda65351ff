/** The numbers that the main thread sends to the counting threads. */

/** Records that have any of these values. */
export interface Group {
  readonly dimension: number;
  /** Ascending and distinct; no record matches an empty list. */
  readonly ordinals: Uint32Array;
  /** Number of values of the dimension. */
  readonly size: number;
}

/** Facets that are counted under the same narrowing. */
export interface Target {
  /** Indexes in {@link CountJob.groups}, at least one; all of them apply. */
  readonly groups: readonly number[];
  /** Indexes in {@link CountJob.facets}. */
  readonly facets: readonly number[];
}

/** In place of a dimension: counts the records themselves, as ordinal 0. */
export const RECORDS = 0;

export interface CountedFacet {
  /** Or {@link RECORDS}. */
  readonly dimension: number;
  /** Number of values of the dimension, and of its counts. */
  readonly size: number;
}

/** A condition on records, in place of groups that all apply. */
export type Where =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Where[] }
  | { readonly kind: 'not'; readonly of: Where }
  /** Index in {@link CountJob.groups}. */
  | { readonly kind: 'group'; readonly group: number }
  /** Records that have a value. */
  | { readonly kind: 'any'; readonly dimension: number };

export interface CountJob {
  readonly entity: number;
  readonly groups: readonly Group[];
  readonly facets: readonly CountedFacet[];
  readonly targets: readonly Target[];
  /** If set, the only facet is {@link RECORDS}, of the records that meet it; there are no targets. */
  readonly where?: Where;
}

/** The number of counts of a job, all facets one after another. */
export function countsLength({ facets }: CountJob): number {
  return facets.reduce((sum, { size }) => sum + size, 0);
}
