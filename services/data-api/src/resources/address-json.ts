import type { RowSql } from './field.ts';

/** The members of an address, in the order of the response. */
export const ADDRESS_MEMBERS = ['Street', 'PostalCode', 'City', 'Region', 'Country'] as const;

const members = ADDRESS_MEMBERS.map((name) => `a.value ->> '${name}' AS "${name}"`).join(', ');

/** The addresses of a company, each with all members; an unknown member is null. */
export const addressObjects: RowSql = (row) =>
  `(SELECT coalesce(json_agg(o), '[]') FROM (
    SELECT ${members}
    FROM jsonb_array_elements(${row}.addresses) WITH ORDINALITY AS a(value, position)
    ORDER BY a.position) AS o)`;
