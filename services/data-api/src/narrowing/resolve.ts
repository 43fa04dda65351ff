/** Look-ups of a category request before credits are held: its values, and the fold of `q`. */
import { type BoundFilter, echo, isUuidForm, QueryError } from '@vcds/odata-query';
import { DIMENSIONS, type Dimension, foldedValue, valuesMeantBy } from '@vcds/venture-model';
import type { PlannedNarrowing } from '../narrowing/plan.ts';
import type { Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { ResourceField } from '../resources/index.ts';
import { type Spelled, spelledValues, withStoredSpellings } from './former-spellings.ts';
import { namesOf } from './names.ts';
import {
  distinct,
  isYearOf,
  type NarrowingValue,
  type NearbyValues,
  nearestOf,
  unknownValue,
} from './plan.ts';
import {
  counted,
  looked,
  nearbyStatement,
  occurring,
  type Valued,
  type ValuedDimension,
  yearsOfRange,
} from './value-statements.ts';

/** Cache lifetime of a value that occurs, equal to the maximum lag of counts. */
const KNOWN_MS = 2_000;
const KNOWN_MAX = 20_000;
/** The most values that one statement looks for in the records. */
const ASKED_MAX = 50;

interface Wanted extends ValuedDimension {
  readonly parameter: string;
}

/** A value of a filter that occurs nowhere. */
export interface AbsentValue {
  readonly field: string;
  readonly value: string;
  /** The nearest value that occurs. */
  readonly nearest: string | undefined;
}

/** A value that resembles another text. */
export interface Alike {
  readonly stored: string;
  /** Its label. */
  readonly value: string;
}

/** A value that occurs, or that is another spelling of values that do. */
interface Known {
  readonly untilMs: number;
  /** The stored spellings, if the value is another one. */
  readonly stored: readonly string[] | undefined;
  /** The names of the stored values, if these are ids of records. */
  readonly labels?: readonly string[] | undefined;
}

/** Looks up whether values occur, with a short-lived cache of those that do. */
export class ValueResolver {
  readonly #database: Database;
  readonly #nowMs: () => number;
  readonly #cached = new Map<string, Known>();

  constructor(database: Database, nowMs: () => number = () => performance.now()) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /** Whether {@link known} and {@link spelled} need no look-up, because all values were found lately. */
  areCached(
    by: readonly PlannedNarrowing[],
    filter: BoundFilter<ResourceField> | undefined,
  ): boolean {
    const wanted = [...by.flatMap(wantedBy), ...(filter === undefined ? [] : valuedIn(filter))];
    return wanted.every((each) => this.#of(each) !== undefined);
  }

  /**
   * Checks that every value occurs, and replaces other spellings of values by the stored ones.
   * Values of closed dimensions are always valid.
   *
   * @throws QueryError `unknown_value` with the nearest values; ApiError `unavailable`.
   */
  async known(by: readonly PlannedNarrowing[]): Promise<readonly PlannedNarrowing[]> {
    const wanted = by.flatMap(wantedBy);
    await this.#lookUp(wanted);
    const [absent] = await this.#absentNow(wanted.filter((each) => this.#of(each) === undefined));
    if (absent !== undefined) throw await this.#unknown(absent);
    for (const each of wanted) this.#assertOne(each);
    return by.map((narrowing) => this.#withStored(narrowing));
  }

  /**
   * Those of the values that occur nowhere, each with the nearest value that does, after
   * {@link spelled} has looked them up.
   *
   * @param max the most to examine.
   */
  async absent(values: readonly Spelled[], max: number): Promise<readonly AbsentValue[]> {
    const absent: AbsentValue[] = [];
    // Stored spellings that have replaced others are not looked up yet.
    await this.#lookUp(
      values.map(({ dimension, value }) => ({ dimension: { number: dimension }, value })),
    );
    const unknown = values.filter(
      ({ dimension, value }) => this.#of({ dimension: { number: dimension }, value }) === undefined,
    );
    const wanted = unknown.slice(0, max).flatMap(({ field, dimension: number, value }) => {
      const dimension = DIMENSIONS.find((each) => each.number === number);
      return dimension === undefined ? [] : { field, dimension, parameter: '$filter', value };
    });
    for (const { field, dimension, value } of await this.#absentNow(wanted)) {
      absent.push({ field, value, nearest: await this.nearest(dimension, value) });
    }
    return absent;
  }

  /** The value of a dimension that a text means or resembles; undefined if none is near. */
  async nearest(dimension: Dimension, value: string): Promise<string | undefined> {
    const near = await this.#near({ dimension, parameter: '', value });
    return nearestOf(dimension, value, near);
  }

  /** The values of a dimension that resemble a text, the most alike first; with their labels. */
  async alike(dimension: Dimension, text: string): Promise<readonly Alike[]> {
    const rows = await this.#database.rows<Alike & { readonly alike: boolean }>(
      nearbyStatement({ dimension, value: text }),
    );
    return rows.filter(({ alike }) => alike);
  }

  /** The filter with the stored spelling of each value that is another spelling of one. */
  async spelled(
    filter: BoundFilter<ResourceField> | undefined,
  ): Promise<BoundFilter<ResourceField> | undefined> {
    const wanted = filter === undefined ? [] : valuedIn(filter);
    if (filter === undefined || wanted.length === 0) return filter;
    await this.#lookUp(wanted);
    if (wanted.every((each) => this.#of(each)?.stored === undefined)) return filter;
    return withStoredSpellings(
      filter,
      ({ dimension, value }) => this.#of({ dimension: { number: dimension }, value })?.stored,
    );
  }

  async #lookUp(all: readonly Valued[]): Promise<void> {
    const wanted = all.filter((each) => this.#of(each) === undefined);
    if (wanted.length === 0) return;
    interface Looked extends Pick<Known, 'labels'> {
      readonly known: boolean;
      readonly stored: string[] | null;
    }
    const rows = await this.#database.rows<Looked>(looked(wanted));
    for (const [index, each] of wanted.entries()) {
      const { known = false, stored = null, labels } = rows[index] ?? {};
      if (!known && stored === null) continue;
      this.#cache(each, known && !labels ? undefined : (stored ?? undefined), labels ?? undefined);
    }
  }

  #withStored(narrowing: PlannedNarrowing): PlannedNarrowing {
    const { dimension, values } = narrowing;
    const isStored = (value: string | number) =>
      dimension.kind === 'closed' ||
      this.#of({ dimension, value: String(value) })?.stored === undefined;
    if (values.every(({ value }) => isStored(value))) return narrowing;
    const stored = values.flatMap((each) =>
      isStored(each.value) ? [each] : this.#storedOf({ dimension, value: String(each.value) }),
    );
    return { ...narrowing, values: distinct(stored) };
  }

  #storedOf(value: Valued): readonly NarrowingValue[] {
    const { stored = [], labels = [] } = this.#of(value) ?? {};
    return stored.map((each, index) => ({ value: each, label: labels[index] ?? each }));
  }

  /** The names of the records whose ids are values of the dimension. */
  async names(
    { names }: Pick<Dimension, 'names'>,
    ids: readonly unknown[],
  ): Promise<ReadonlyMap<unknown, string>> {
    return names === undefined ? new Map() : namesOf(this.#database, names, ids);
  }

  /** Text without case and accents, for searches. */
  async fold(text: string): Promise<string> {
    const values = new SqlValues();
    const sql = `SELECT venture.fold(${values.add(text, 'text')}) AS folded`;
    const statement: Statement = { text: sql, values: values.values, plan: 'generic' };
    const [row] = await this.#database.rows<{ folded: string }>(statement);
    return row?.folded ?? text;
  }

  // Facet counts lag behind the records: a new value is found only in the records.
  async #absentNow<Value extends Wanted>(wanted: readonly Value[]): Promise<readonly Value[]> {
    const asked = wanted.filter(
      ({ dimension, value }) =>
        (dimension.kind !== 'bucketed' || isYearOf(dimension, value)) &&
        (dimension.names === undefined || isUuidForm(value)),
    );
    const found = new Set<Value>();
    for (let from = 0; from < asked.length; from += ASKED_MAX) {
      const some = asked.slice(from, from + ASKED_MAX);
      const [row] = await this.#database.rows<{ known: readonly boolean[] }>(occurring(some));
      for (const each of some.filter((_, index) => row?.known[index] === true)) found.add(each);
    }
    for (const each of found) this.#cache(each, undefined);
    return wanted.filter((each) => !found.has(each));
  }

  /** @throws QueryError `unknown_value` for a name of several records. */
  #assertOne({ dimension, parameter, value }: Wanted): void {
    const { stored = [], labels } = this.#of({ dimension, value }) ?? {};
    if (labels === undefined || stored.length < 2) return;
    throw new QueryError(
      'unknown_value',
      `${stored.length} ${dimension.names} are called '${echo(value)}': send the id of one.`,
      { parameter, value, allowed: stored.slice(0, ASKED_MAX), suggestion: stored[0] },
    );
  }

  async #unknown(wanted: Wanted): Promise<QueryError> {
    return unknownValue(wanted.dimension, wanted.parameter, wanted.value, await this.#near(wanted));
  }

  async #near(wanted: Wanted): Promise<NearbyValues> {
    const statement = nearbyStatement(wanted);
    const rows = await this.#database.rows<{ value: string; alike: boolean }>(statement);
    const { meant } = wanted.dimension;
    if (meant !== undefined) return this.#nearNames(wanted, meant(wanted.value), rows);
    return {
      values: rows.map((row) => row.value),
      nearest: rows[0]?.alike === true ? rows[0].value : undefined,
      meant: sameIn(rows, wanted) ?? (await this.#synonym(wanted)) ?? (await this.#range(wanted)),
    };
  }

  // A text that resembles a name may be another name: only a misspelled one is suggested, if it occurs.
  async #nearNames(
    wanted: Wanted,
    found: { readonly value: string; readonly isName: boolean } | undefined,
    rows: readonly { readonly value: string }[],
  ): Promise<NearbyValues> {
    const values = rows.map(({ value }) => value);
    const value = found?.value ?? '';
    const [row] = await this.#database.rows<{ known: boolean }>(counted([{ ...wanted, value }]));
    return {
      ...{ values, nearest: undefined },
      meant: row?.known === true ? value : sameIn(rows, wanted),
      absent: row?.known === true ? undefined : found?.value,
    };
  }

  // The first value that occurs among those for which other systems use this word.
  async #synonym({ dimension, parameter, value }: Wanted): Promise<string | undefined> {
    const candidates = dimension.kind === 'open' ? valuesMeantBy(value) : [];
    if (candidates.length === 0) return undefined;
    const wanted = candidates.map((each): Wanted => ({ dimension, parameter, value: each }));
    const rows = await this.#database.rows<{ known: boolean }>(counted(wanted));
    return candidates[rows.findIndex(({ known }) => known)];
  }

  async #range(wanted: Wanted): Promise<string | undefined> {
    const statement = yearsOfRange(wanted);
    if (statement === undefined) return undefined;
    const rows = await this.#database.rows<{ value: string }>(statement);
    return rows.length === 0 ? undefined : rows.map(({ value }) => value).join(',');
  }

  #of(value: Valued): Known | undefined {
    const known = this.#cached.get(keyOf(value));
    return known !== undefined && known.untilMs > this.#nowMs() ? known : undefined;
  }

  #cache(value: Valued, stored: Known['stored'], labels?: Known['labels']): void {
    if (this.#cached.size >= KNOWN_MAX) this.#cached.clear();
    this.#cached.set(keyOf(value), { untilMs: this.#nowMs() + KNOWN_MS, stored, labels });
  }
}

function wantedBy({ dimension, parameter, values }: PlannedNarrowing): readonly Wanted[] {
  if (dimension.kind === 'closed') return [];
  return values.map(({ value }) => ({ dimension, parameter, value: String(value) }));
}

function valuedIn(filter: BoundFilter<ResourceField>): readonly Valued[] {
  return spelledValues(filter).map(({ dimension, value }) => ({
    dimension: { number: dimension },
    value,
  }));
}

function keyOf({ dimension, value }: Valued): string {
  return `${dimension.number} ${value}`;
}

/** The value that differs in case, accents or blanks only. */
function sameIn(
  rows: readonly { readonly value: string }[],
  { value }: Valued,
): string | undefined {
  const folded = foldedValue(value);
  return rows.find((row) => foldedValue(row.value) === folded)?.value;
}
