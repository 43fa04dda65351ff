import { type BoundFilter, type BoundKeywords, QueryError } from '@vcds/odata-query';
import type { Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { ResourceField } from '../resources/index.ts';

/**
 * Checks that every full-text search of a filter has a word to search for. A text of stop words or
 * signs only matches nothing, and the caller would pay for an empty response.
 *
 * @throws QueryError `bad_filter`; ApiError `unavailable`.
 */
export async function assertKeywords(
  filter: BoundFilter<ResourceField> | undefined,
  database: Pick<Database, 'rows'>,
): Promise<void> {
  const searches = filter === undefined ? [] : searchesIn(filter);
  if (searches.length === 0) return;
  const values = new SqlValues();
  const texts = values.add(
    searches.map(({ text }) => text),
    'text[]',
  );
  const text = `SELECT numnode(venture.keyword_query(w.text)) = 0 AS empty
    FROM unnest(${texts}) WITH ORDINALITY AS w(text, position) ORDER BY w.position`;
  const rows = await database.rows<{ empty: boolean }>({
    text,
    values: values.values,
    plan: 'generic',
  });
  const empty = searches[rows.findIndex((row) => row.empty)];
  if (empty === undefined) return;
  throw new QueryError(
    'bad_filter',
    `${empty.field.name} requires a word to search for: common words such as "the" are ignored.`,
    { parameter: '$filter', field: empty.field.name, value: empty.text },
  );
}

/** The full-text searches of a filter. */
export function searchesIn(
  filter: BoundFilter<ResourceField>,
): readonly BoundKeywords<ResourceField>[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.operands.flatMap(searchesIn);
    case 'not':
      return searchesIn(filter.operand);
    case 'keywords':
      return [filter];
    default:
      return [];
  }
}
