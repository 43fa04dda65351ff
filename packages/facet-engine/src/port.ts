/**
 * What answers facet counts. Two engines implement it (SQL over `venture.*_facet`, and columnar
 * arrays in memory) and pass one test suite: for the same data they answer the same, to the order.
 *
 * Data both read (migration 0002_service_tables):
 * - `venture.dimension_value (code, dimension, value, folded)`: codes rise as values are first
 *   seen and are never taken back; `dimension` is {@link Dimension.number}.
 * - `venture.{startup,fund,round}_facet (id, codes, deleted, version)`: `codes` ascending and
 *   distinct, of all fifteen dimensions; empty when deleted.
 * - `venture.facet_state (version)`: the last batch, a number that rises with the clock. Batches commit strictly one after another, in
 *   the order of `version`, and each commits whole, dictionary included: whoever has seen all up
 *   to `version` n misses nothing by reading `WHERE version > n`. No row of it means version 0.
 */
import type { DimensionId, EntityId } from '@vcds/venture-model';

/** Records that have any of these values; canonical ones, as {@link FacetValue.value}. */
export interface Narrowing {
  readonly dimension: DimensionId;
  /** At least one. One that does not occur is had by no record. */
  readonly values: readonly (string | number)[];
}

/** The values of one dimension, a page of them. */
export interface FacetRequest {
  /** One of the entity's own dimensions. */
  readonly dimension: DimensionId;
  readonly top: number;
  readonly skip: number;
  /** `count`: most common first, ties by {@link compareValues}; `value`: by that alone. */
  readonly order: 'count' | 'value';
  readonly search?: FacetSearch;
}

/** Values whose `folded` begins with the text, or contains it. */
export interface FacetSearch {
  /** Folded as `venture.fold` does. */
  readonly text: string;
  readonly anywhere: boolean;
}

/**
 * A count of live records of an entity. Between narrowings: all of them; the same dimension may
 * occur twice. The values of a dimension are never constrained by the narrowings of it.
 */
export interface FacetQuery {
  readonly entity: EntityId;
  readonly narrowing: readonly Narrowing[];
  /** Each dimension at most once. */
  readonly facets: readonly FacetRequest[];
}

/** A value and how many records have it: at least one. */
export interface FacetValue {
  /** A number in numbered lists (stages, headcount buckets) and years, else text. */
  readonly value: string | number;
  readonly count: number;
}

/** The values of each dimension asked for, in its order. Values of no record are not among them. */
export type FacetCounts = ReadonlyMap<DimensionId, readonly FacetValue[]>;

export interface FacetEngine {
  /** As metrics and logs name it. */
  readonly name: string;
  /**
   * Counts. The signal ends the wait, and the work where that is possible.
   *
   * @throws ApiError `unavailable` when the counts cannot be had in time.
   */
  count(query: FacetQuery, signal?: AbortSignal): Promise<FacetCounts>;
}

/** An engine that holds a copy of the data, and is asked only once it has loaded. */
export interface LoadedFacetEngine extends FacetEngine {
  /** How it is doing, for metrics; `ready` once it can answer. Never waits. */
  state(): LoadedState;
  /** Loads and follows the changes until closed; resolves at once. */
  start(): void;
  close(): Promise<void>;
}

/** What an engine with a copy of its own holds. */
export interface LoadedState {
  readonly ready: boolean;
  /** Live records it holds. */
  readonly rows: Readonly<Record<EntityId, number>>;
  /** Memory of the copy. */
  readonly bytes: number;
  /** How long loading took; undefined before the end. */
  readonly loadMs: number | undefined;
  /** Time since it was last known to hold all that was committed; undefined before. */
  readonly lagMs: number | undefined;
}

/** What decides between values of one count: `folded`, then `value`, both by code point. */
export interface ValueOrder {
  readonly folded: string;
  /** As text. */
  readonly value: string;
}

/** The order of values of one count, that of `ORDER BY folded COLLATE "C", value COLLATE "C"`. */
export function compareValues(a: ValueOrder, b: ValueOrder): number {
  return compareCodePoints(a.folded, b.folded) || compareCodePoints(a.value, b.value);
}

// UTF-16 orders surrogates (beyond U+FFFF) before U+E000…U+FFFF; UTF-8, as the database, after.
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x10000 : unit;
}
