import { DIMENSIONS } from '@vcds/venture-model';
import type pg from 'pg';

/**
 * Stores codes for the values of closed dimensions, with their labels for search and sort. It runs
 * before any record is indexed, which would store the values as labels.
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
