/**
 * Columns that are in the facet index so that records can be counted or sorted by them. They are no
 * dimensions: nothing lists their values or narrows by them.
 */
import { column, type DimensionId, type Reading } from './dimension.ts';
import { DIMENSIONS } from './dimensions.ts';
import type { EntityId } from './entity.ts';
import { type InstantPart, type MeasureUnit, UNITS } from './measure-units.ts';

/** An instant of each record, which the facet index has in parts. */
export type InstantId = 'created' | 'updated';

export type MeasureId =
  | 'amount'
  | 'valuation'
  | 'date'
  | 'members'
  | 'deals'
  | 'confirmed'
  | 'name'
  | 'source'
  | 'location'
  | `${InstantId}_${InstantPart}`;

/** A dimension or another column. */
export type IndexedId = DimensionId | MeasureId;

/** A dimension or another column, whose values the facet index stores for each record. */
export interface Indexed {
  readonly id: IndexedId;
  /** In `venture.dimension_value`. */
  readonly number: number;
  /** Whether its values are whole numbers. */
  readonly isOrdinal: boolean;
  /** By entity that has it. */
  readonly readings: Partial<Readonly<Record<EntityId, Reading>>>;
}

export interface Measure extends Indexed {
  readonly id: MeasureId;
  readonly unit: MeasureUnit;
  /** The greatest number that a column can have. */
  readonly most: number;
  /** The columns, as filters compare them; none of a part of an instant. */
  readonly columns: Partial<Readonly<Record<EntityId, Reading['sql']>>>;
}

/** An instant to the millisecond, whose parts are in the facet index. */
export interface Instant {
  readonly id: InstantId;
  readonly column: string;
  /** The hour since 1970, the second of the hour, and the millisecond of the second. */
  readonly parts: readonly [Measure, Measure, Measure];
}

export const INSTANTS: readonly Instant[] = Object.freeze([
  instant('created', 'created_at', [26, 27, 28]),
  instant('updated', 'updated_at', [29, 30, 31]),
]);

/** The greatest number of a column of the type `integer`. */
const INTEGER_MAX = 2_147_483_647;

export const MEASURES: readonly Measure[] = Object.freeze([
  measure('amount', 17, 'rounded', { startups: 'total_raised', rounds: 'amount' }),
  measure('valuation', 18, 'rounded', { startups: 'latest_post_valuation' }),
  measure('date', 19, 'day', { startups: 'last_funding_date', rounds: 'date' }),
  measure('members', 20, 'rounded', { startups: 'members_count' }, { most: INTEGER_MAX }),
  measure('deals', 21, 'number', { startups: 'rounds_count' }),
  measure('confirmed', 22, 'boolean', { rounds: 'confirmed' }),
  measure('name', 23, 'text_range', { startups: 'name', funds: 'name' }),
  measure('source', 24, 'text', { startups: 'primary_source' }),
  measure('location', 25, 'text', { startups: 'location', funds: 'location' }),
  ...INSTANTS.flatMap(({ parts }) => parts),
]);

/** All that the facet index stores. */
export const INDEXED: readonly Indexed[] = Object.freeze([...DIMENSIONS, ...MEASURES]);

const BY_ID: ReadonlyMap<string, Indexed> = new Map(INDEXED.map((each) => [each.id, each]));

/** The dimension or other column of an id. */
export function indexedById(id: IndexedId): Indexed {
  const found = BY_ID.get(id);
  if (found === undefined) throw new RangeError(`There is no dimension or column ${id}.`);
  return found;
}

/** From this number on, different values are stored as one; null if none are. */
export function roundedFrom({ unit }: Measure): number | null {
  return UNITS[unit].roundedFrom;
}

/** A value of a filter as a number of the column, not rounded; undefined if it has none. */
export function measureNumber({ unit }: Measure, value: unknown): number | undefined {
  const number = UNITS[unit].number(value);
  return Number.isSafeInteger(number) ? Number(number) : undefined;
}

/** The value of a filter that {@link measureNumber} has read. */
export function measureValue({ unit }: Measure, number: number): string | number {
  return UNITS[unit].value(number);
}

/** The least and the greatest number of a column that the index stores as the value of this one. */
export function storedRange({ unit, most }: Measure, number: number): readonly [number, number] {
  const step = UNITS[unit].step(number);
  const least = Math.floor(number / step) * step;
  return [least, Math.min(least + step - 1, most)];
}

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;

/** The numbers of the parts of an instant, in milliseconds since 1970. */
export function instantParts(milliseconds: number): readonly [number, number, number] {
  const hour = Math.floor(milliseconds / HOUR_MS);
  const rest = milliseconds - hour * HOUR_MS;
  return [hour, Math.floor(rest / SECOND_MS), rest % SECOND_MS];
}

/** The instant of the numbers of its parts. */
export function instantOfParts([hour = 0, second = 0, millisecond = 0]: readonly number[]): number {
  return hour * HOUR_MS + second * SECOND_MS + millisecond;
}

function instant(id: InstantId, name: string, numbers: readonly [number, number, number]): Instant {
  const readings = { startups: name, funds: name, rounds: name };
  const part = (index: 0 | 1 | 2, unit: InstantPart) =>
    measure(`${id}_${unit}`, numbers[index], unit, readings, { columns: {} });
  return Object.freeze({
    ...{ id, column: name },
    parts: Object.freeze([part(0, 'hour'), part(1, 'second'), part(2, 'millisecond')] as const),
  });
}

/** @param options columns that filters compare with the values: by default those which are read. */
function measure(
  id: MeasureId,
  number: number,
  unit: MeasureUnit,
  read: Partial<Readonly<Record<EntityId, string>>>,
  { columns = read, most = Number.MAX_SAFE_INTEGER }: { columns?: typeof read; most?: number } = {},
): Measure {
  const sqlOf = (name: string): Reading['sql'] => column(name).sql;
  return Object.freeze({
    ...{ id, number, unit, most },
    isOrdinal: unit !== 'text',
    readings: mapped(read, (name): Reading => {
      return { sql: (row) => UNITS[unit].stored(sqlOf(name)(row)), many: false };
    }),
    columns: mapped(columns, sqlOf),
  });
}

function mapped<T>(
  of: Partial<Readonly<Record<EntityId, string>>>,
  map: (name: string) => T,
): Partial<Record<EntityId, T>> {
  return Object.fromEntries(Object.entries(of).map(([entity, name]) => [entity, map(name)]));
}
