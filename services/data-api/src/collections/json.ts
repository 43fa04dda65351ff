import { type Relation, type ResourceField, resources } from '../resources/index.ts';

/** SQL of type json for one record: the fields in their order, then the expanded relations. */
export function recordJson(
  fields: readonly ResourceField[],
  expands: readonly Relation[],
  row: string,
): string {
  const columns = [
    ...fields.flatMap((field) => (field.answer ? [`${field.answer(row)} AS "${field.name}"`] : [])),
    ...expands.map((relation) => `${relationJson(relation, row)} AS "${relation.name}"`),
  ];
  return `(SELECT row_to_json(o) FROM (SELECT ${columns.join(', ')}) AS o)`;
}

function relationJson(relation: Relation, row: string): string {
  if (relation.kind === 'json') return relation.sql(row);
  const { target, from, many, extra = [], orderBy } = relation;
  const replaced = new Set(extra.map(({ name }) => name));
  const own = [...resources[target].fields.values()].flatMap((field) =>
    field.answer === undefined || field.computed === true || replaced.has(field.name)
      ? []
      : [`${field.answer('t')} AS "${field.name}"`],
  );
  const columns = [...own, ...extra.map(({ name, sql }) => `${sql} AS "${name}"`)].join(', ');
  if (!many) return `(SELECT row_to_json(o) FROM (SELECT ${columns} ${from(row)}) AS o)`;
  const order = orderBy === undefined ? '' : ` ORDER BY ${orderBy}`;
  return `(SELECT coalesce(json_agg(o), '[]') FROM (SELECT ${columns} ${from(row)}${order}) AS o)`;
}
