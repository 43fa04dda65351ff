/**
 * Narrowing by dimensions as SQL conditions over real columns and relations: exact at any moment,
 * where facet counts follow within a second or two.
 */
import type { Dimension, EntityId, EntityRelation, Reading } from '@vcds/venture-model';
import type { SqlValues } from '../postgres/sql-values.ts';

/** Records that have any of these values. {@link PlannedNarrowing} is one. */
export interface Narrowed {
  readonly dimension: Dimension;
  readonly values: readonly { readonly value: string | number }[];
}

/**
 * The condition a record of an entity meets that has, of every narrowing, any of the values. A
 * dimension that is not the entity's own is reached through relations.
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
    // Of one related record all is asked at once; of several, each may meet another condition.
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

/** Whether one plan is good for all values: relations are reached from either end. */
export function isNarrowingPlannedOnce(by: readonly Narrowed[], entity: EntityId): boolean {
  return by.every(({ dimension }) => dimension.readings[entity].through === undefined);
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
