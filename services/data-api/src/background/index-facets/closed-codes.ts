import { DIMENSIONS } from '@vcds/venture-model';
import type pg from 'pg';

/**
 * Makes sure the values of closed dimensions have codes, with their labels as what is searched and
 * sorted by. They come before any record's, which would be taken for labels themselves.
 */
export async function storeClosedValues(client: pg.ClientBase | pg.Pool): Promise<void> {
  const rows = DIMENSIONS.flatMap(({ number, closed = [] }) =>
    closed.map(({ value, label }) => ({ number, value: String(value), label })),
  );
  await client.query(
    `INSERT INTO venture.dimension_value AS d (dimension, value, folded)
     SELECT v.number, v.value, venture.fold(v.label)
     FROM unnest($1::smallint[], $2::text[], $3::text[]) AS v(number, value, label)
     ON CONFLICT (dimension, value) DO UPDATE SET folded = excluded.folded
     WHERE d.folded <> excluded.folded`,
    [
      rows.map(({ number }) => number),
      rows.map(({ value }) => value),
      rows.map(({ label }) => label),
    ],
  );
}
