/**
 * Columns that are in the facet index so that records can be counted by them. They are no
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

/**
 * The number that the index stores for a value of a filter. Numbers have the order of the values, so a
 * range of values is one of numbers.
 *
 * @returns undefined for a value that the index stores together with others.
 */
export function measureNumber({ unit }: Measure, value: unknown): number | undefined {
  const number = UNITS[unit].number(value);
  return Number.isSafeInteger(number) ? Number(number) : undefined;
}

function measure(
  id: MeasureId,
  number: number,
  unit: MeasureUnit,
  columns: Partial<Readonly<Record<EntityId, string>>>,
): Measure {
  const sqlOf = (name: string): Reading['sql'] => column(name).sql;
  return Object.freeze({
    ...{ id, number, unit },
    isOrdinal: unit !== 'text',
    readings: mapped(columns, (name): Reading => {
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
