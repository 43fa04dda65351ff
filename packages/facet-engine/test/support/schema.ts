import type { FacetSchema } from '../../src/schema.ts';

/** A library: nothing in the engine depends on venture data. */
export const SCHEMA = {
  entities: [
    { id: 'films', table: 'library.film' },
    { id: 'books', table: 'library.book' },
    { id: 'games', table: 'library.game' },
  ],
  dimensions: [
    { id: 'genre', number: 1, isNumeric: false },
    { id: 'country', number: 2, isNumeric: false },
    { id: 'language', number: 3, isNumeric: false },
    { id: 'studio', number: 4, isNumeric: false },
    { id: 'rating', number: 9, isNumeric: true },
    { id: 'year', number: 12, isNumeric: true },
    { id: 'award', number: 31, isNumeric: false },
  ],
  valueTable: 'library.value',
  stateTable: 'library.state',
  batchTable: 'library.batch',
} as const satisfies FacetSchema;

export const ENTITY_IDS: readonly string[] = SCHEMA.entities.map(({ id }) => id);

/** The dimension of an id in a query. */
export function dimensionOf(id: string): (typeof SCHEMA.dimensions)[number] {
  const dimension = SCHEMA.dimensions.find((each) => each.id === id);
  if (dimension === undefined) throw new RangeError(`Unknown dimension ${id}.`);
  return dimension;
}
