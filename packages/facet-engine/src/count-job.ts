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

/** A key of an order of records. */
export interface RankedKey {
  readonly dimension: number;
  /** By ordinal, the rank of the value in ascending order, from 1; 0 is that of no value. */
  readonly ranks: Uint32Array;
  readonly descending: boolean;
  /**
   * The bounds of the codes of records that later keys and ids have an order among; undefined if it is all codes. The
   * later codes of other records are 0.
   */
  readonly exact: { readonly least: number; readonly most: number } | undefined;
}

/** The code of a rank, and the rank of a code: both count from either end. */
export function codeOf(
  rank: number,
  { ranks, descending }: Pick<RankedKey, 'ranks' | 'descending'>,
): number {
  return descending ? ranks.length - rank : rank;
}

/** A position among records: those with a smaller key are before it. */
export interface JobPosition {
  readonly key: number;
  /** If set, so are those with an equal key that are not after this id. */
  readonly id: Uint32Array | undefined;
}

/** Counts records by the codes of a key; without one, by the first bits of their ids. */
export interface RankJob extends Pick<FirstJob, 'entity' | 'groups' | 'where' | 'idSign'> {
  readonly key: RankedKey | undefined;
}

/** Finds the first records of an order. */
export interface FirstJob {
  readonly entity: number;
  readonly groups: readonly Group[];
  readonly where: Where;
  /** Whether the condition leaves out records that follow those which are wanted. */
  readonly hasEnd: boolean;
  readonly keys: readonly RankedKey[];
  /** The order of the ids of records with equal keys: 1 ascending, -1 descending, 0 none. */
  readonly idSign: -1 | 0 | 1;
  readonly from: JobPosition;
  readonly count: number;
  readonly countMax: number;
}

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

/** Whether the ids of records with a combination of all keys have an order. */
export function hasIdOrder(
  { idSign, keys }: Pick<FirstJob, 'idSign' | 'keys'>,
  combination: number,
): boolean {
  return idSign !== 0 && isExact(keys, combination);
}

/** Whether records with a combination of these keys have equal values, so that later keys have an order among them. */
export function isExact(keys: readonly RankedKey[], combination: number): boolean {
  let rest = combination;
  for (const { ranks, exact } of keys.toReversed()) {
    const code = rest % (ranks.length + 1);
    rest = Math.floor(rest / (ranks.length + 1));
    if (exact !== undefined && (code < exact.least || code > exact.most)) return false;
  }
  return true;
}
