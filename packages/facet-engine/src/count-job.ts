/** The numbers that the main thread sends to the counting threads. */

/** Records that have any of these values. */
export interface Group {
  readonly dimension: number;
  /** Ascending and distinct; no record matches an empty list. */
  readonly ordinals: Uint32Array;
  /** Number of values of the dimension. */
  readonly size: number;
  /** If set, the group has the records that are marked, or linked to marked ones, in place of values. */
  readonly marks?: Marks;
}

/** In place of the dimension of a group of marked records. */
export const MARKED = -1;

/** Records that a {@link MarkJob} has marked. */
export interface Marks {
  /** By number of a record: 1 if it is marked. In shared memory. */
  readonly marked: Uint8Array;
  /** The links of which one has to lead to a marked record; undefined: the record itself has to be marked. */
  readonly links: number | undefined;
}

/**
 * Marks records that have a relation to those which match all groups, or these themselves. Threads may
 * mark at the same time: they write equal bytes.
 */
export interface MarkJob {
  /** Of the groups. */
  readonly entity: number;
  readonly groups: readonly Group[];
  /** The links whose targets are marked; undefined: the records that match. */
  readonly links: number | undefined;
  /** By tag of a link: 1 if it may have it. Undefined for any. */
  readonly tags: Uint8Array | undefined;
  readonly marked: Uint8Array;
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
  | { readonly kind: 'any'; readonly dimension: number }
  /** Records whose figure, by index of the entity's, is within the bounds. */
  | {
      readonly kind: 'figure';
      readonly figure: number;
      readonly least: number;
      readonly most: number;
    };

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
