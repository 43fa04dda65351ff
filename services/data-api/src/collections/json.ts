import { BOUNDS } from '@vcds/odata-query';
import { seeUrl } from '@vcds/service-kit/api-errors';
import { labelOf, withLabels } from '../resources/field.ts';
import { type Relation, type ResourceField, resources } from '../resources/index.ts';

/** The most records and objects of a relation in one record (docs/spec/resources.md 4.10). */
export const RELATED_MAX = BOUNDS.relatedRecords;
/** The most records of relations to many records in a page. */
export const PAGE_RELATED_MAX = 50_000;

/** An expanded relation of many records has at most `top`, after the first `skip` ones. */
export type Expand = Relation & {
  readonly skip: number;
  readonly top: number;
  /** Labels in place of closed values. */
  readonly labels?: boolean;
};

/** The content of a record. */
export interface RecordShape {
  readonly fields: readonly ResourceField[];
  readonly expands: readonly Expand[];
  /** The names in `$select`, in its order. */
  readonly selected?: readonly string[];
  /** The call for one record, with `{id}`; of a resource with relations to many records. */
  readonly recordCall: string | undefined;
}

type RecordsRelation = Expand & { readonly kind: 'records' };

const ID = '{id}';

/**
 * SQL of the JSON text of one record: the fields in their order, then the expanded relations.
 *
 * @param baseUrl {base_url}, for the links of relations with more records.
 */
export function recordJson(shape: RecordShape, row: string, baseUrl: string): string {
  const json = fieldsJson(shape.fields, row);
  if (shape.expands.length === 0) return json;
  const expands = shape.expands.map((expand) =>
    isList(expand)
      ? listJson(expand, linkSql(expand, shape.recordCall, baseUrl, row), row)
      : `',"${expand.name}":' || coalesce(${oneJson(expand, row)}::text, 'null')`,
  );
  return `(left(${json}, -1) || ${expands.join(' || ')} || '}')`;
}

const fieldsTexts = new WeakMap<readonly ResourceField[], Map<string, string>>();

// Stored for each array of fields: that of a resource is used by every call without `$select`.
function fieldsJson(fields: readonly ResourceField[], row: string): string {
  const texts = fieldsTexts.get(fields) ?? new Map<string, string>();
  const known = texts.get(row);
  if (known !== undefined) return known;
  const columns = fields.flatMap((field) =>
    field.answer ? [`${field.answer(row)} AS "${field.name}"`] : [],
  );
  const text = `(SELECT row_to_json(o)::text FROM (SELECT ${columns.join(', ')}) AS o)`;
  fieldsTexts.set(fields, texts.set(row, text));
  return text;
}

/** Whether a relation may have any number of records of another resource. */
export function isOfManyRecords(relation: Relation): boolean {
  return relation.kind === 'records' && relation.many;
}

/** The most records that these relations have in one record. */
export function relatedMaxOf(expands: readonly Expand[]): number {
  return expands.reduce((sum, { top }) => sum + top, 0);
}

/** Whether a relation is a list. */
export function isList(relation: Relation): boolean {
  return relation.kind === 'json' || relation.many;
}

function oneJson(relation: Expand, row: string): string {
  return `(SELECT row_to_json(o) FROM (${rowsSql(relation, row)}) AS o)`;
}

// The members of a list; if it has more, also their number and the call for the next ones. The number
// is read only if the list is full or begins later; OFFSET 0 keeps it one value, read once.
function listJson(expand: Expand, link: string, row: string): string {
  const { name, skip, top } = expand;
  const rows = rowsSql(expand, row);
  const counted =
    expand.kind === 'json'
      ? `(SELECT count(*) FROM (${rows}) AS n)`
      : (expand.storedCount?.(row) ?? `(SELECT count(*) ${expand.from(row)})`);
  const limit = `LIMIT ${top}${skip === 0 ? '' : ` OFFSET ${skip}`}`;
  const page = expand.kind === 'json' ? `${rows} ${limit}` : firstRecords(expand, row, limit);
  const total = skip === 0 ? `CASE WHEN l.n < ${top} THEN l.n ELSE ${counted} END` : counted;
  return `(SELECT ',"${name}":' || l.list
      || CASE WHEN t.total > ${top} THEN ',"${name}@count":' || t.total ELSE '' END
      || CASE WHEN t.total > ${skip + top} THEN ',"${name}@nextLink":' || ${link} ELSE '' END
    FROM (SELECT coalesce(json_agg(o), '[]')::text AS list, count(*) AS n FROM (${page}) AS o) AS l
    CROSS JOIN LATERAL (SELECT ${total} AS total OFFSET 0) AS t)`;
}

// Reads the ids by an index of the order or sorts them, and reads and computes the columns of those
// within the limit only.
function firstRecords(relation: RecordsRelation, row: string, limit: string): string {
  const { target, from, extra = [], orderBy = 't.id' } = relation;
  const added = extraColumns(relation)
    .map((column) => `, ${column}`)
    .join('');
  const columns = [...ownColumns(relation), ...extra.map(({ name }) => `k."${name}"`)].join(', ');
  return `SELECT ${columns} FROM (
      SELECT row_number() OVER () AS position, f.*
      FROM (SELECT t.id${added} ${from(row)} ORDER BY ${orderBy} ${limit}) AS f) AS k
    JOIN ${resources[target].table} AS t ON t.id = k.id ORDER BY k.position`;
}

function rowsSql(relation: Expand, row: string): string {
  if (relation.kind === 'json') return relation.rows(row);
  const { from, orderBy } = relation;
  const columns = [...ownColumns(relation), ...extraColumns(relation)].join(', ');
  return `SELECT ${columns} ${from(row)}${orderBy === undefined ? '' : ` ORDER BY ${orderBy}`}`;
}

function extraColumns({ extra = [], labels = false }: RecordsRelation): readonly string[] {
  return extra.map((each) => {
    const sql = labels ? labelOf(each)(each.sql) : each.sql;
    return `${sql} AS "${each.name}"`;
  });
}

function ownColumns(relation: RecordsRelation): readonly string[] {
  return ownFields(relation).map(({ name, answer }) => `${answer('t')} AS "${name}"`);
}

/** The names of the fields of a related record, in their order. */
export function relatedFields(relation: RecordsRelation): readonly string[] {
  const { extra = [] } = relation;
  return [...ownFields(relation), ...extra].map(({ name }) => name);
}

/** The fields of a related record, but computed ones and those that the relation replaces. */
function ownFields({ target, extra = [], labels = false }: RecordsRelation) {
  const replaced = new Set(extra.map(({ name }) => name));
  const { defaultFields } = resources[target];
  return (labels ? withLabels(defaultFields) : defaultFields).flatMap(
    ({ name, answer, computed }) =>
      answer === undefined || computed === true || replaced.has(name) ? [] : [{ name, answer }],
  );
}

/** SQL of the JSON text of the call for the next records of a relation. */
function linkSql(
  { name, skip, top }: Expand,
  recordCall: string | undefined,
  baseUrl: string,
  row: string,
): string {
  if (recordCall === undefined) return `'null'`;
  const [path = '', filter] = recordCall.split('?$filter=');
  const url = seeUrl(baseUrl, path, [
    ...(filter === undefined ? [] : [['$filter', filter] as const]),
    ['$select', 'Id'],
    ['$expand', `${name}($skip=${skip + top}${top === RELATED_MAX ? '' : `;$top=${top}`})`],
  ]);
  const parts = url.split(filter === undefined ? ID : encodeURIComponent(ID));
  const literals = parts.map((part) => `'${part.replaceAll("'", "''")}'`);
  return `to_json(${literals.join(` || ${row}.id || `)})`;
}
