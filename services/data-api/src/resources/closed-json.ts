import type { ClosedValue } from '@vcds/odata-query';
import type { RowSql } from './field.ts';

/**
 * The values of an array column as objects `{Value, Name, Slug, Label}`, in the order of the
 * closed list.
 */
export function closedObjects(column: string, values: readonly ClosedValue[]): RowSql {
  const isNumbered = typeof values[0]?.value === 'number';
  const rows = values
    .map(({ value, name, slug, label }, index) => {
      const sqlValue = isNumbered ? `${value}::smallint` : literal(String(value));
      return `(${index}, ${sqlValue}, ${literal(name)}, ${literal(slug)}, ${literal(label)})`;
    })
    .join(', ');
  return (row) =>
    `(SELECT coalesce(json_agg(o), '[]') FROM (
      SELECT c.value AS "Value", c.name AS "Name", c.slug AS "Slug", c.label AS "Label"
      FROM (VALUES ${rows}) AS c(position, value, name, slug, label)
      WHERE c.value = ANY (${row}.${column}) ORDER BY c.position) AS o)`;
}

/** The texts of an array column as objects `{Name}`. */
export function namedObjects(column: string): RowSql {
  return (row) =>
    `(SELECT coalesce(json_agg(o), '[]') FROM (
      SELECT n.value AS "Name" FROM unnest(${row}.${column}) WITH ORDINALITY AS n(value, position)
      ORDER BY n.position) AS o)`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
