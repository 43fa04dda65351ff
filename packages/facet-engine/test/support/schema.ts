import type { FacetSchema } from '../../src/schema.ts';

/** A library: nothing in the engine depends on venture data. */
export const SCHEMA = {
  entities: [
    {
      id: 'films',
      table: 'library.film',
      figures: ['gross', 'released'],
      links: [{ to: 'books', ids: 'book_ids', tags: 'book_tags' }],
    },
    { id: 'books', table: 'library.book' },
    { id: 'games', table: 'library.game', links: [{ to: 'films', ids: 'film_ids' }] },
  ],
  dimensions: [
    { id: 'genre', number: 1, isNumeric: false },
    { id: 'country', number: 2, isNumeric: false },
    { id: 'language', number: 3, isNumeric: false },
    { id: 'studio', number: 4, isNumeric: false },
    { id: 'rating', number: 9, isNumeric: true },
    { id: 'year', number: 12, isNumeric: true },
    { id: 'award', number: 40, isNumeric: false },
  ],
  relations: [
    { id: 'films.books', from: 'films', to: 'books', links: { of: 'from', index: 0 } },
    { id: 'films.games', from: 'films', to: 'games', links: { of: 'to', index: 0 } },
    { id: 'games.films', from: 'games', to: 'films', links: { of: 'from', index: 0 } },
    // The tag of a link is an award: narrowed by it, the link has it, not the film.
    { id: 'books.films', from: 'books', to: 'films', links: { of: 'to', index: 0 }, tag: 'award' },
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
