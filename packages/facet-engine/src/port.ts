/**
 * The interface of engines that count facets. For the same data two engines return the same
 * counts in the same order.
 *
 * Data that an engine reads, in the tables of its {@link FacetSchema}:
 * - values `(code, dimension, value, folded)`: codes ascend in the order in which values first
 *   occur, and are never deleted; `dimension` is its number.
 * - records of an entity `(id, codes, deleted, version)`: `codes` of all dimensions, ascending and
 *   distinct; empty if the record is deleted. The links of the record are in further columns.
 * - state `(version)`: the last batch. Batches commit one after another in the order of `version`,
 *   each as a whole with its new values. So a reader that has read up to version n misses nothing
 *   if it reads `WHERE version > n`. Without a row the version is 0.
 */

import type { TimeUnit } from './aggregate-job.ts';

/** Records that have any of these values. */
export interface Narrowing<Dimension extends string = string> {
  readonly dimension: Dimension;
  /** At least one, in the form of {@link FacetValue.value}. No record has an unknown value. */
  readonly values: readonly (string | number)[];
}

/**
 * Records with at least one related record that has a value of each of these narrowings: one record has
 * all of them.
 */
export interface RelatedNarrowing<Dimension extends string = string> {
  /** The id of a relation of the schema, from the entity of the query. */
  readonly relation: string;
  /** By dimensions of the related records, or of the links to them. */
  readonly narrowing: readonly Narrowing<Dimension>[];
}

/** A page of the values of one dimension. */
export interface FacetRequest<Dimension extends string = string> {
  /** One of the entity's own dimensions. */
  readonly dimension: Dimension;
  readonly top: number;
  readonly skip: number;
  /** `count`: most common first, ties by {@link compareValues}; `value`: by that alone. */
  readonly order: 'count' | 'value';
  readonly search?: FacetSearch;
}

/** Values whose `folded` begins with the text, or contains it. */
export interface FacetSearch {
  /** Folded as in the table of values. */
  readonly text: string;
  readonly anywhere: boolean;
}

/**
 * A count of live records of an entity that match all narrowings; two may have the same dimension.
 * The narrowings by a dimension do not apply to the facet of that dimension, but to the total.
 */
export interface FacetQuery<Entity extends string = string, Dimension extends string = string> {
  readonly entity: Entity;
  readonly narrowing: readonly Narrowing<Dimension>[];
  /** These apply to every facet, because related records have no dimension that is counted. */
  readonly related?: readonly RelatedNarrowing<Dimension>[];
  /** Each dimension at most once. */
  readonly facets: readonly FacetRequest<Dimension>[];
}

/** A value and the number of records that have it, at least one. */
export interface FacetValue {
  /** A number if the dimension is numeric. */
  readonly value: string | number;
  readonly count: number;
}

export interface FacetCounts<Dimension extends string = string> {
  /** The live records that match all narrowings. */
  readonly total: number;
  /** The values of each requested dimension that some record has, in the order of the request. */
  readonly facets: ReadonlyMap<Dimension, readonly FacetValue[]>;
}

/** A condition on records. It is true or false for every record; without a figure, ranges are false. */
export type RecordCondition<Dimension extends string = string> =
  /** All of them, or any; of none, all records and no record. */
  | { readonly kind: 'and'; readonly of: readonly RecordCondition<Dimension>[] }
  | { readonly kind: 'or'; readonly of: readonly RecordCondition<Dimension>[] }
  | { readonly kind: 'not'; readonly of: RecordCondition<Dimension> }
  /** The record has one of these values or more. */
  | ({ readonly kind: 'values' } & Narrowing<Dimension>)
  | ({ readonly kind: 'related' } & RelatedNarrowing<Dimension>)
  /** The record has a value of the dimension. */
  | { readonly kind: 'any'; readonly dimension: Dimension }
  /** The record has the figure, within the bounds; null is no bound. */
  | {
      readonly kind: 'figure';
      readonly figure: string;
      readonly least: number | null;
      readonly most: number | null;
    };

/** A count of live records that meet a condition. */
export interface RecordQuery<Entity extends string = string, Dimension extends string = string> {
  readonly entity: Entity;
  readonly where: RecordCondition<Dimension>;
}

/** A key by which records are grouped: a dimension, or a figure in days in units of time. */
export type GroupKey<Dimension extends string = string> =
  | { readonly kind: 'dimension'; readonly dimension: Dimension }
  | { readonly kind: 'time'; readonly figure: string; readonly unit: TimeUnit };

/** The shares of records below the percentiles. */
export const PERCENTILES = { median: 0.5, p25: 0.25, p75: 0.75, p90: 0.9 } as const;

export type FigureFunction = 'sum' | 'average' | 'min' | 'max' | keyof typeof PERCENTILES;

/** A number of each group. */
export type Measure<Dimension extends string = string> =
  /** Of its records. */
  | { readonly kind: 'count' }
  /** Of a figure of the records that have it; null if none has it. */
  | { readonly kind: 'figure'; readonly of: FigureFunction; readonly figure: string }
  /** Of the different values of a dimension, of a figure, or of different related records. */
  | { readonly kind: 'distinct'; readonly dimension: Dimension }
  | { readonly kind: 'distinctFigure'; readonly figure: string }
  | { readonly kind: 'related'; readonly relation: string };

/** Groups of the live records of an entity that meet a condition. A record with several values of a key is in each of their groups. */
export interface AggregateQuery<
  Entity extends string = string,
  Dimension extends string = string,
  Indexed extends string = Dimension,
> {
  readonly entity: Entity;
  readonly where: RecordCondition<Indexed>;
  /** Without keys there is one group, also of no record. */
  readonly by: readonly GroupKey<Dimension>[];
  readonly measures: readonly Measure<Dimension>[];
  /** By these in turn, then by the keys ascending; groups without a value of a key, or without a number, come last. */
  readonly order: readonly GroupOrder[];
  readonly top: number;
  readonly skip: number;
  /** Groups that are computed; above it the query fails. */
  readonly groupsMax: number;
}

export interface GroupOrder {
  /** Index in `measures` or in `by`. */
  readonly measure?: number;
  readonly key?: number;
  readonly descending: boolean;
}

export interface AggregateRow {
  /** By index of the keys; null without a value. */
  readonly keys: readonly (string | number | null)[];
  /** By index of the measures. */
  readonly measures: readonly (number | null)[];
  /** The records that have each figure of the measures. */
  readonly known: Readonly<Record<string, number>>;
}

export interface Aggregates {
  readonly rows: readonly AggregateRow[];
  /** Of all records together, each once. */
  readonly total: Omit<AggregateRow, 'keys'>;
  /** The number of all groups. */
  readonly groups: number;
  /** The last batch of changes that the groups have, and when they were current: milliseconds since the epoch. */
  readonly asOf: { readonly batch: string; readonly ms: number };
}

/** More groups than a query may have. */
export class TooManyGroupsError extends Error {
  constructor(groupsMax: number) {
    super(`There are more than ${groupsMax} groups.`);
    this.name = 'TooManyGroupsError';
  }
}

export interface FacetEngine<Entity extends string = string, Dimension extends string = string> {
  /** The name in metrics and logs. */
  readonly name: string;
  /**
   * Counts. The signal ends the wait, and the work if possible.
   *
   * @throws an error if the engine cannot count now, or the reason of the signal.
   */
  count(
    query: FacetQuery<Entity, Dimension>,
    signal?: AbortSignal,
  ): Promise<FacetCounts<Dimension>>;
}

/**
 * An engine with a copy of the data, for use once it has loaded. `Indexed` are the dimensions, and
 * those that only conditions on records name.
 */
export interface LoadedFacetEngine<
  Entity extends string = string,
  Dimension extends string = string,
  Indexed extends string = Dimension,
> extends FacetEngine<Entity, Dimension> {
  /**
   * The number of records that meet a condition.
   *
   * @throws EngineUnavailableError, or the reason of the signal.
   */
  countRecords(query: RecordQuery<Entity, Indexed>, signal?: AbortSignal): Promise<number>;
  /**
   * Groups records.
   *
   * @throws TooManyGroupsError, EngineUnavailableError, or the reason of the signal.
   */
  aggregate(
    query: AggregateQuery<Entity, Dimension, Indexed>,
    signal?: AbortSignal,
  ): Promise<Aggregates>;
  /** The current state, without waiting; `ready` if it can count. */
  state(): LoadedState<Entity>;
  /** Loads and follows the changes until closed; returns at once. */
  start(): void;
  close(): Promise<void>;
}

/** The state of an engine with a copy of the data. */
export interface LoadedState<Entity extends string = string> {
  readonly ready: boolean;
  /** Live records in the copy. */
  readonly rows: Readonly<Record<Entity, number>>;
  /** Memory of the copy. */
  readonly bytes: number;
  /** Duration of loading; undefined before its end. */
  readonly loadMs: number | undefined;
  /** Time since the copy last had everything that was committed; undefined before. */
  readonly lagMs: number | undefined;
  /** The last batch of changes in the copy. */
  readonly batch?: string;
}

/** An engine that cannot count now: not loaded, stale, overloaded or closed. */
export class EngineUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The engine cannot count now: ${reason}.`, options);
    this.name = 'EngineUnavailableError';
  }
}

/** The keys by which values of the same count are ordered. */
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
