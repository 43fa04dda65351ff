/**
 * Columns that are in the facet index so that records can be counted or sorted by them. They are no
 * dimensions: nothing lists their values or narrows by them.
 */
import { column, type DimensionId, type Reading } from './dimension.ts';
import { DIMENSIONS } from './dimensions.ts';
import type { EntityId } from './entity.ts';
import { type MeasureUnit, UNITS } from './measure-units.ts';

export type MeasureId =
  | 'amount'
  | 'valuation'
  | 'date'
  | 'members'
  | 'deals'
  | 'confirmed'
  | 'name'
  | 'source'
  | 'location';

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
  /** The columns, as filters compare them. */
  readonly columns: Partial<Readonly<Record<EntityId, Reading['sql']>>>;
}

export const MEASURES: readonly Measure[] = Object.freeze([
  measure('amount', 17, 'rounded', { startups: 'total_raised', rounds: 'amount' }),
  measure('valuation', 18, 'rounded', { startups: 'latest_post_valuation' }),
  measure('date', 19, 'day', { startups: 'last_funding_date', rounds: 'date' }),
  measure('members', 20, 'rounded', { startups: 'members_count' }),
  measure('deals', 21, 'number', { startups: 'rounds_count' }),
  measure('confirmed', 22, 'boolean', { rounds: 'confirmed' }),
  measure('name', 23, 'text_range', { startups: 'name', funds: 'name' }),
  measure('source', 24, 'text', { startups: 'primary_source' }),
  measure('location', 25, 'text', { startups: 'location', funds: 'location' }),
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

/** The least and the greatest number that the index stores as the value of this one. */
export function storedRange({ unit }: Measure, number: number): readonly [number, number] {
  const step = UNITS[unit].step(number);
  const least = Math.floor(number / step) * step;
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
    readings[entity] = { sql: (row) => UNITS[unit].stored(sql(row)), many: false };
  }
  return Object.freeze({
    id,
    number,
    isOrdinal: unit !== 'text',
    unit,
    readings,
    columns: compared,
  });
}
