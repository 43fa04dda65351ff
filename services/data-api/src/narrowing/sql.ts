/**
 * Narrowing by dimensions as SQL conditions on columns and relations of the records. They include
 * every committed change; facet counts follow within a second or two.
 */
import type { Dimension, EntityId, EntityRelation, Reading } from '@vcds/venture-model';
import type { SqlValues } from '../postgres/sql-values.ts';

/** Records that have any of these values. {@link PlannedNarrowing} is one. */
export interface Narrowed {
  readonly dimension: Dimension;
  readonly values: readonly { readonly value: string | number }[];
}

/**
 * The condition that a record has any of the values of every narrowing. A dimension that is not
 * the entity's own is reached through relations.
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
  const own: string[] = [];
  const related: RelatedConditions[] = [];
  for (const { dimension, values: wanted } of by) {
    const { through, ...reading } = dimension.readings[entity];
    const alias = through === undefined ? row : 'related';
    const condition = hasAny(reading, alias, dimension.sqlType, wanted, values);
    // One related record must meet all conditions; of several, each may meet another one.
    const shared = through?.many === false && related.find((each) => each.through === through);
    if (through === undefined) own.push(condition);
    else if (shared) shared.conditions.push(condition);
    else related.push({ through, conditions: [condition] });
  }
  const reached = related.map(
    ({ through, conditions }) =>
      `EXISTS (SELECT ${through.from(row)} AND ${conditions.join(' AND ')})`,
  );
  return [...own, ...reached].join(' AND ') || 'true';
}

interface RelatedConditions {
  readonly through: EntityRelation;
  readonly conditions: string[];
}

function hasAny(
  { sql, many }: Reading,
  row: string,
  sqlType: string,
  wanted: Narrowed['values'],
  values: SqlValues,
): string {
  const list = wanted.map(({ value }) => value);
  if (many) return `${sql(row)} && ${values.add(list, `${sqlType}[]`)}`;
  return list.length === 1
    ? `${sql(row)} = ${values.add(list[0], sqlType)}`
    : `${sql(row)} = ANY (${values.add(list, `${sqlType}[]`)})`;
}
