/**
 * Narrowing by dimensions as SQL conditions on columns and relations of the records. They include
 * every committed change; facet counts follow within a second or two.
 */
import type { Dimension, EntityId, Reading } from '@vcds/venture-model';
import type { SqlValues } from '../postgres/sql-values.ts';
import { groupedNarrowing, readingIn } from './groups.ts';

/** Records that have any of these values. {@link PlannedNarrowing} is one. */
export interface Narrowed {
  readonly dimension: Dimension;
  readonly values: readonly { readonly value: string | number }[];
}

/**
 * The condition that a record has any of the values of every narrowing. Those that are not the
 * entity's own are conditions on a related record, one record for all that are reached through the same
 * relation ({@link groupedNarrowing}).
 *
 * @param row alias of the row of `venture.startup`, `venture.fund` or `venture.funding_round`;
 *   not `related` or `link`.
 * @returns SQL; `true` without narrowings.
 */
export function compileNarrowing(
  by: readonly Narrowed[],
  entity: EntityId,
  row: string,
  values: SqlValues,
): string {
  const conditions = groupedNarrowing(by, entity).map((group) => {
    const alias = group.through === undefined ? row : 'related';
    const met = group.by.map(({ dimension, values: wanted }) =>
      hasAny(readingIn(dimension, group.through, entity), alias, dimension.sqlType, wanted, values),
    );
    const all = met.join(' AND ');
    return group.through === undefined
      ? all
      : `EXISTS (SELECT ${group.through.from(row)} AND ${all})`;
  });
  return conditions.join(' AND ') || 'true';
}

/** The condition that the record under an alias has any of the values. */
export function hasAny(
  { sql, many, has }: Reading,
  row: string,
  sqlType: string,
  wanted: Narrowed['values'],
  values: SqlValues,
): string {
  const list = wanted.map(({ value }) => value);
  if (has !== undefined) return has(row, values.add(list, `${sqlType}[]`));
  if (many) return `${sql(row)} && ${values.add(list, `${sqlType}[]`)}`;
  return list.length === 1
    ? `${sql(row)} = ${values.add(list[0], sqlType)}`
    : `${sql(row)} = ANY (${values.add(list, `${sqlType}[]`)})`;
}
