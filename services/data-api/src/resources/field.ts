/**
 * The fields of resources. A field table is a list of calls of the functions below; one row defines
 * the type, the operators, the sort order and the SQL of a field.
 */
import type { ClosedValue, FieldSpec, ValueType } from '@vcds/odata-query';
import {
  type DimensionId,
  dimensionById,
  ENTITIES,
  type EntityId,
  readIdentifier,
} from '@vcds/venture-model';

/** SQL on the row with this alias. A constant of a table; it never contains input. */
export type RowSql = (row: string) => string;

/** The operand of filters and sorts: a column, an array column, related rows, or full text. */
export type Match =
  | {
      readonly kind: 'column';
      readonly sql: RowSql;
      readonly sqlType: string;
      /** The same text without case and accents. */
      readonly folded: RowSql;
      readonly listed?: Listed;
      /** The text with others, folded and one per line, which has an index. */
      readonly joined?: RowSql;
      /** The text in the order of its index, which has equal texts together, with some others. */
      readonly ordered?: RowSql;
    }
  | {
      readonly kind: 'array';
      readonly sql: RowSql;
      readonly sqlType: string;
      readonly listed?: Listed;
      /** The values, folded and one per line, which have an index. */
      readonly joined?: RowSql;
    }
  | {
      readonly kind: 'related';
      /** `FROM … WHERE …` that selects the related rows of a row. */
      readonly from: RowSql;
      /** The compared value, an expression on that FROM. */
      readonly value: string;
      readonly sqlType: string;
    }
  | { readonly kind: 'keywords'; readonly sql: RowSql };

/** The dimension whose values are those of the field: `like` searches there first. */
export interface Listed {
  /** In `venture.dimension_value`. */
  readonly dimension: number;
  /** In `venture.facet_change`, which lists the records whose values may be missing there. */
  readonly entity: number;
  /** The table of the values of these records, with the version of the batch that wrote them. */
  readonly facetTable: string;
}

/** A member of an object in a record: a related row, an address, a closed value. */
export interface Member extends Pick<FieldSpec, 'name' | 'type' | 'closed'> {
  readonly notNull?: true;
}

/** One row of a resource's field table. */
export interface ResourceField extends FieldSpec {
  /** The value is never null, and neither is that of a field with many values. */
  readonly notNull?: true;
  /** The members, if the value is an object. */
  readonly members?: readonly Member[];
  /** The value in a record; absent on filter-only fields. */
  readonly answer?: RowSql;
  /** Absent on read-only fields. */
  readonly match?: Match;
  /** The table whose rows say whether a value of an open field without a dimension occurs. */
  readonly openIn?: string;
}

interface Options
  extends Pick<ResourceField, 'notNull' | 'closed' | 'see' | 'operators' | 'canonical' | 'openIn'> {
  readonly sortable?: boolean;
  /** The column of the folded text; without it, the text is folded at comparison. */
  readonly folded?: string;
  /** The compared column, if it is not the selected one. */
  readonly column?: string;
  readonly listed?: Listed;
  /** The list whose folded values, one per line, have an index; it contains the values. */
  readonly joined?: RowSql;
}

const SQL_TYPES: Readonly<Record<Exclude<ValueType, 'closed' | 'keywords'>, string>> = {
  uuid: 'uuid',
  text: 'text',
  year: 'smallint',
  integer: 'integer',
  usd: 'bigint',
  number: 'double precision',
  date: 'date',
  instant: 'timestamptz',
  boolean: 'boolean',
};

/** Options of a field whose values are those of a dimension. */
export function inDimension(
  id: DimensionId,
  entity: EntityId,
): Pick<Options, 'closed' | 'listed' | 'see' | 'canonical'> {
  const { number, closed, canonical } = dimensionById(id);
  const see = `/categories/${id}?entity=${entity}`;
  if (closed !== undefined) return { closed, see };
  const listed = {
    ...{ dimension: number, entity: ENTITIES[entity].number },
    facetTable: ENTITIES[entity].facetTable,
  };
  return { listed, see, ...(canonical && { canonical }) };
}

/** A column: part of a record, filterable, and sortable if `options` say so. */
export function column(
  name: string,
  type: Exclude<ValueType, 'keywords'>,
  from: string,
  options: Options = {},
): ResourceField {
  return {
    ...described(name, type, options),
    filterable: true,
    sortable: options.sortable ?? false,
    answer: answerOf(type, from),
    match: columnMatch(type, from, options),
  };
}

/** A column that is only part of a record. */
export function readOnly(
  name: string,
  type: ValueType,
  column: string,
  options: Pick<Options, 'notNull'> = {},
): ResourceField {
  return {
    ...options,
    name,
    type,
    filterable: false,
    sortable: false,
    answer: type === 'keywords' ? (row) => `${row}.${column}` : answerOf(type, column),
  };
}

/** An array column: filters test "has any of" or "has none of". */
export function multiValued(
  name: string,
  type: 'text' | 'closed',
  column: string,
  options: Options = {},
): ResourceField {
  return {
    ...described(name, type, options),
    many: true,
    filterable: true,
    sortable: false,
    answer: (row) => `${row}.${column}`,
    match: {
      kind: 'array',
      sql: (row) => `${row}.${column}`,
      sqlType: sqlTypeOf(type, options.closed),
      ...(options.listed && { listed: options.listed }),
      ...(options.joined && { joined: foldedList(options.joined) }),
    },
  };
}

/** The identifiers of a company in the table; a filter understands every form of one. */
export function identifiers(table: string): ResourceField {
  return multiValued('Identifier', 'text', 'identifiers', {
    operators: ['eq', 'ne', 'in', 'notin'],
    canonical: (text) => {
      const { identifier, fault } = readIdentifier(text);
      return identifier ?? { fault };
    },
    openIn: table,
  });
}

/** SQL of the label of a closed value, or of the list of labels; of any other field its value. */
export function labelOf({ type, closed, many }: Pick<ResourceField, 'type' | 'closed' | 'many'>) {
  if (type !== 'closed' || closed === undefined) return (sql: string) => sql;
  const cases = closed.map(({ value, label }) => {
    const written = typeof value === 'number' ? String(value) : literal(value);
    return `WHEN ${written} THEN ${literal(label)}`;
  });
  const one = (sql: string) => `CASE ${sql} ${cases.join(' ')} END`;
  if (many !== true) return one;
  return (sql: string) =>
    `ARRAY(SELECT ${one('v.value')} FROM unnest(${sql}) WITH ORDINALITY AS v(value, position)
      ORDER BY v.position)`;
}

const labelled = new WeakMap<readonly ResourceField[], readonly ResourceField[]>();

/** The same fields with labels in place of closed values; for the same array always the same one. */
export function withLabels(fields: readonly ResourceField[]): readonly ResourceField[] {
  const known = labelled.get(fields);
  if (known !== undefined) return known;
  const changed = fields.map((field) => {
    const { answer } = field;
    if (answer === undefined || field.type !== 'closed') return field;
    const label = labelOf(field);
    return { ...field, answer: (row: string) => label(answer(row)) };
  });
  labelled.set(fields, changed);
  return changed;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The same field for filters only, not part of a record. */
export function filterOnly(field: ResourceField): ResourceField {
  const { answer: _, ...rest } = field;
  return { ...rest, selectable: false };
}

/** Full text over the profile. */
export function keywords(name: string, column: string): ResourceField {
  return {
    name,
    type: 'keywords',
    filterable: true,
    sortable: false,
    selectable: false,
    match: { kind: 'keywords', sql: (row) => `${row}.${column}` },
  };
}

/** The id of a related row, for filters only. */
export function relation(name: string, from: RowSql, value: string): ResourceField {
  return {
    name,
    type: 'uuid',
    many: true,
    filterable: true,
    sortable: false,
    selectable: false,
    match: { kind: 'related', from, value, sqlType: 'uuid' },
  };
}

/** Computed after rows are read (docs/spec/resources.md 4.2); not filterable. */
export function computed(
  name: string,
  type: ValueType,
  answer: RowSql,
  options: Pick<ResourceField, 'many' | 'members' | 'notNull'> = {},
): ResourceField {
  return { ...options, name, type, filterable: false, sortable: false, computed: true, answer };
}

/** A closed list whose values have no other spelling. */
export function plainValues(...names: readonly string[]): readonly ClosedValue[] {
  return names.map((name) => Object.freeze({ value: name, name, slug: name, label: name }));
}

/** Id, CreatedTimeStamp and UpdatedTimeStamp around the fields of a record. */
export function recordFields(fields: readonly ResourceField[]): readonly ResourceField[] {
  return [
    column('Id', 'uuid', 'id', { sortable: true, notNull: true }),
    ...fields,
    column('CreatedTimeStamp', 'instant', 'created_at', { sortable: true, notNull: true }),
    column('UpdatedTimeStamp', 'instant', 'updated_at', { sortable: true, notNull: true }),
  ];
}

function described(name: string, type: ValueType, options: Options) {
  const { sortable: _s, folded: _f, column: _c, listed: _l, joined: _j, ...rest } = options;
  return { ...rest, name, type };
}

function columnMatch(
  type: Exclude<ValueType, 'keywords'>,
  column: string,
  options: Options,
): Match {
  const compared = options.column ?? column;
  const { folded } = options;
  return {
    kind: 'column',
    sql: (row) => `${row}.${compared}`,
    sqlType: sqlTypeOf(type, options.closed),
    folded:
      folded === undefined
        ? (row) => `venture.fold(${row}.${compared})`
        : (row) => `${row}.${folded}`,
    ...(options.listed && { listed: options.listed }),
    ...(options.joined && { joined: foldedList(options.joined) }),
    ...(type === 'text' &&
      options.sortable === true && {
        ordered: (row: string) => `${row}.${compared} COLLATE venture.text_order`,
      }),
  };
}

const foldedList =
  (list: RowSql): RowSql =>
  (row) =>
    `venture.fold_list(${list(row)})`;

/** Web site and domain have one index: most of their text is the same. */
export const SITES = {
  joined: (row: string) => `ARRAY[${row}.website, ${row}.domain]`,
};

function answerOf(type: ValueType, column: string): RowSql {
  return type === 'instant'
    ? (row) => instantText(`${row}.${column}`)
    : (row) => `${row}.${column}`;
}

/** ISO 8601 in UTC with milliseconds and `Z`. */
export function instantText(sql: string): string {
  return `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

function sqlTypeOf(
  type: Exclude<ValueType, 'keywords'>,
  closed: readonly ClosedValue[] | undefined,
): string {
  if (type !== 'closed') return SQL_TYPES[type];
  return typeof closed?.[0]?.value === 'number' ? 'smallint' : 'text';
}
