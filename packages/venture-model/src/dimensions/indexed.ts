/** The values of a record in the facet index: its dimensions, and columns by which it is counted only. */
import { column, type DimensionId, type Reading } from './dimension.ts';
import { DIMENSIONS } from './dimensions.ts';
import type { EntityId } from './entity.ts';

export type TextId = 'source' | 'location';

/** A dimension or another column. */
export type IndexedId = DimensionId | TextId;

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

/** Columns of text. They are no dimensions: nothing lists their values or narrows by them. */
export const TEXTS: readonly Indexed[] = Object.freeze([
  text('source', 24, { startups: column('primary_source') }),
  text('location', 25, { startups: column('location'), funds: column('location') }),
]);

/** All values that the facet index stores. */
export const INDEXED: readonly Indexed[] = Object.freeze([...DIMENSIONS, ...TEXTS]);

const BY_ID: ReadonlyMap<string, Indexed> = new Map(INDEXED.map((each) => [each.id, each]));

/** The dimension or other column of an id. */
export function indexedById(id: IndexedId): Indexed {
  const found = BY_ID.get(id);
  if (found === undefined) throw new RangeError(`There is no dimension or column ${id}.`);
  return found;
}

function text(id: TextId, number: number, readings: Indexed['readings']): Indexed {
  return Object.freeze({ id, number, isOrdinal: false, readings });
}
