/**
 * Columns whose values are in the facet index as numbers, so that they can be counted and sorted by. They are
 * no dimensions: nothing lists them or narrows by them.
 */
import { column, type DimensionId, type Reading } from './dimension.ts';
import { DIMENSIONS } from './dimensions.ts';
import type { EntityId } from './entity.ts';

export type MeasureId = 'amount' | 'valuation' | 'date' | 'members' | 'deals' | 'confirmed';

/** A dimension or a numeric column. */
export type IndexedId = DimensionId | MeasureId;

/** A dimension or a numeric column, whose values the facet index stores for each record. */
export interface Indexed {
  readonly id: IndexedId;
  /** In `venture.dimension_value`. */
  readonly number: number;
  /** Whether its values are whole numbers. */
  readonly isOrdinal: boolean;
  /** By entity that has it. */
  readonly readings: Partial<Readonly<Record<EntityId, Reading>>>;
}

/** How the values of a column are whole numbers. */
export type MeasureUnit =
  /** Equal to the column. */
  | 'number'
  /** Days since 1970-01-01. */
  | 'day'
  /** At least 0, rounded down to three significant digits. */
  | 'rounded'
  /** 1 for true, 0 for false. */
  | 'boolean';

export interface Measure extends Indexed {
  readonly id: MeasureId;
  readonly unit: MeasureUnit;
  /** The columns, as filters compare them. */
  readonly columns: Partial<Readonly<Record<EntityId, Reading['sql']>>>;
}

const DIGITS = 3;
/** Lower values of the unit `rounded` are stored as they are. */
export const ROUNDED_FROM = 10 ** DIGITS;
const DAY_MS = 86_400_000;

const INDEX_SQL: Readonly<Record<MeasureUnit, (sql: string) => string>> = {
  number: (sql) => sql,
  day: (sql) => `(${sql} - DATE '1970-01-01')`,
  boolean: (sql) => `${sql}::integer`,
  rounded: (sql) =>
    `(${sql} - ${sql} % (10 ^ greatest(length(${sql}::text) - ${DIGITS}, 0))::bigint)`,
};

export const MEASURES: readonly Measure[] = Object.freeze([
  measure('amount', 17, 'rounded', { startups: 'total_raised', rounds: 'amount' }),
  measure('valuation', 18, 'rounded', { startups: 'latest_post_valuation' }),
  measure('date', 19, 'day', { startups: 'last_funding_date', rounds: 'date' }),
  measure('members', 20, 'rounded', { startups: 'members_count' }),
  measure('deals', 21, 'number', { startups: 'rounds_count' }),
  measure('confirmed', 22, 'boolean', { rounds: 'confirmed' }),
]);

/** All that the facet index stores. */
export const INDEXED: readonly Indexed[] = Object.freeze([...DIMENSIONS, ...MEASURES]);

const BY_ID: ReadonlyMap<string, Indexed> = new Map(INDEXED.map((each) => [each.id, each]));

/** The dimension or numeric column of an id. */
export function indexedById(id: IndexedId): Indexed {
  const found = BY_ID.get(id);
  if (found === undefined) throw new RangeError(`There is no dimension or column ${id}.`);
  return found;
}

/** A value of a filter as a number of the column, not rounded; undefined if it has none. */
export function measureNumber({ unit }: Measure, value: unknown): number | undefined {
  if (unit === 'boolean') return typeof value === 'boolean' ? Number(value) : undefined;
  const number = unit === 'day' ? Date.parse(String(value)) / DAY_MS : value;
  return Number.isSafeInteger(number) ? Number(number) : undefined;
}

/** The value of a filter that {@link measureNumber} has read. */
export function measureValue({ unit }: Measure, number: number): string | number {
  return unit === 'day' ? new Date(number * DAY_MS).toISOString().slice(0, 10) : number;
}

/** The least and the greatest number that the index stores as the value of this one. */
export function storedRange({ unit }: Measure, number: number): readonly [number, number] {
  if (unit !== 'rounded' || number < 0) return [number, number];
  const step = 10 ** Math.max(String(number).length - DIGITS, 0);
  const least = number - (number % step);
  return [least, least + step - 1];
}

function measure(
  id: MeasureId,
  number: number,
  unit: MeasureUnit,
  columns: Partial<Readonly<Record<EntityId, string>>>,
): Measure {
  const readings: Partial<Record<EntityId, Reading>> = {};
  const compared: Partial<Record<EntityId, Reading['sql']>> = {};
  for (const [entity, name] of Object.entries(columns) as [EntityId, string][]) {
    const { sql } = column(name);
    compared[entity] = sql;
    readings[entity] = { sql: (row) => INDEX_SQL[unit](sql(row)), many: false };
  }
  return Object.freeze({ id, number, isOrdinal: true, unit, readings, columns: compared });
}
