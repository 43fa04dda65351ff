/** The parameters of the OData service (docs/spec/odata.md 27.3). */
import {
  BOUNDS,
  echo,
  type FilterNode,
  parseExpand,
  parseFilter,
  parseOrderBy,
  parseSelect,
  QueryError,
} from '@vcds/odata-query';
import type { CollectionQuery, RecordQuery } from '../collections/query.ts';
import { EXPAND, FILTER, ORDER_BY, SELECT, SKIP, SKIP_TOKEN } from '../collections/query.ts';
import { badParameter, type ParameterReader } from '../serve/request/parameter-reader.ts';
import type {
  BooleanParameter,
  IntegerParameter,
  Parameter,
  TextParameter,
} from '../serve/request/parameters.ts';
import { type EntitySet, navigationsOf, targetOf } from './sets.ts';

const TOP: IntegerParameter = {
  kind: 'integer',
  name: '$top',
  ...{ min: 0, max: 1_000_000_000, default: 1_000_000_000 },
  description: 'The most entities of all pages together.',
};
const COUNT: BooleanParameter = {
  kind: 'boolean',
  name: '$count',
  default: false,
  description: 'Add the number of matches to the first page.',
};
/** The most credits that all pages together may cost. */
export const CREDITS_MAX: IntegerParameter = {
  kind: 'integer',
  name: 'credits_max',
  ...{ min: 0, max: 1_000_000_000, default: 1_000_000_000 },
  description: 'The most credits that all pages together may cost.',
};
const FORMAT: TextParameter = {
  kind: 'choice',
  name: '$format',
  lengthMax: 100,
  description: 'JSON, with the least control information.',
};
const FORMATS = /^(?:json|application\/json(?:;[\w.]+=[\w-]+)*)$/i;
/** `$apply` is read for its error. */
const APPLY: TextParameter = {
  kind: 'text',
  name: '$apply',
  lengthMax: BOUNDS.filterCharacters,
  description: 'Not supported: use /aggregates.',
};

export const SET_PARAMETERS: readonly Parameter[] = [
  ...[FILTER, SELECT, EXPAND, ORDER_BY, TOP, SKIP, SKIP_TOKEN, COUNT],
  ...[FORMAT, CREDITS_MAX, APPLY],
];
export const COUNT_PARAMETERS: readonly Parameter[] = [FILTER, FORMAT, CREDITS_MAX];
export const ENTITY_PARAMETERS: readonly Parameter[] = [SELECT, EXPAND, FORMAT, CREDITS_MAX];
export const RELATED_PARAMETERS: readonly Parameter[] = [SELECT, TOP, SKIP, FORMAT, CREDITS_MAX];

/** The properties that `$select` inside `$expand` names, by navigation property. */
export type Nested = ReadonlyMap<string, readonly string[]>;

/** A query of an entity set, parsed but not resolved. */
export interface SetQuery {
  /** That of the collection, with the top of the caller's pricing plan. */
  readonly collection: CollectionQuery;
  readonly nested: Nested;
  /** The most entities of this and all following pages; infinite without `$top`. */
  readonly top: number;
  readonly count: boolean;
  readonly creditsMax: number;
  /** The parameters that the next page repeats. */
  readonly repeated: readonly (readonly [string, string])[];
}

/** @throws ApiError or QueryError for a malformed parameter. */
export function parseSetQuery(
  reader: ParameterReader,
  set: EntitySet,
  { today, pageSize }: { readonly today: string; readonly pageSize: number },
): SetQuery {
  assertFormat(reader);
  assertNoApply(reader);
  const filterText = reader.text({ ...FILTER, lengthMax: Number.MAX_SAFE_INTEGER });
  const orderText = reader.text(ORDER_BY);
  const cursor = reader.text(SKIP_TOKEN);
  const bound = (row: IntegerParameter) =>
    reader.has(row.name) ? reader.integer(row) : Number.POSITIVE_INFINITY;
  const repeated = [FILTER, SELECT, EXPAND, ORDER_BY].flatMap((row) => {
    const text = reader.text({ ...row, lengthMax: Number.MAX_SAFE_INTEGER });
    return text === undefined ? [] : [[row.name, text] as const];
  });
  const { nested, ...shape } = parseShape(reader, set);
  return {
    ...{ nested, repeated, top: bound(TOP) },
    count: reader.boolean(COUNT),
    creditsMax: bound(CREDITS_MAX),
    collection: {
      ...shape,
      top: pageSize,
      skip: reader.integer(SKIP),
      cursor,
      identity: JSON.stringify(['odata', set.name, filterText, orderText]),
      filter: filterText === undefined ? undefined : filterOf(filterText, set, today),
      // Suggestions for operators replace them where they stand, which is another place in a function.
      filterText: undefined,
      orderBy: orderText === undefined ? [] : parseOrderBy(orderText),
      count: false,
    },
  };
}

/** A query of one entity. */
export type EntityQuery = RecordQuery & { readonly nested: Nested };

export function parseEntityQuery(reader: ParameterReader, set: EntitySet): EntityQuery {
  assertFormat(reader);
  return parseShape(reader, set);
}

/** A query of the entities of a navigation property. */
export interface RelatedQuery {
  readonly select: readonly string[] | undefined;
  readonly skip: number;
  readonly top: number;
}

export function parseRelatedQuery(reader: ParameterReader, target: EntitySet): RelatedQuery {
  assertFormat(reader);
  const select = reader.text(SELECT);
  return {
    select: select === undefined ? undefined : namesIn(select, target, SELECT.name),
    skip: reader.integer(SKIP),
    top: reader.integer(TOP),
  };
}

function filterOf(text: string, { resource }: EntitySet, today: string): FilterNode {
  return parseFilter(text, { fields: resource.fields, today, functions: true });
}

function parseShape(reader: ParameterReader, set: EntitySet): EntityQuery {
  const select = reader.text(SELECT);
  const expand = reader.text(EXPAND);
  const nested = new Map<string, readonly string[]>();
  const plain = expand === undefined ? undefined : withoutSelect(expand, set, nested);
  return {
    nested,
    select: select === undefined ? undefined : parseSelect(select),
    expand: plain === undefined ? undefined : parseExpand(plain),
    labels: true,
  };
}

const NESTED_SELECT = '($select=';

/** `$expand` without the `$select` in parentheses, alone or before other options; these are put into `nested`. */
function withoutSelect(text: string, set: EntitySet, nested: Map<string, readonly string[]>) {
  const [first = '', ...others] = text.split(NESTED_SELECT);
  let plain = first;
  for (const other of others) {
    const end = other.search(/[;)]/);
    const name = plain.slice(plain.lastIndexOf(',') + 1).trim();
    const relation = navigationsOf(set).find((each) => each.name === name);
    if (relation !== undefined) {
      const list = end < 0 ? other : other.slice(0, end);
      nested.set(name, namesIn(list, targetOf(relation), EXPAND.name));
    }
    if (end < 0) return `${plain}(`;
    plain += other[end] === ';' ? `(${other.slice(end + 1)}` : other.slice(end + 1);
  }
  return plain;
}

/** The fields of a list, for entities that are read with all of them. */
function namesIn(text: string, { resource }: EntitySet, parameter: string): readonly string[] {
  const names = text.split(',').map((each) => each.trim());
  const fields = resource.defaultFields.map(({ name }) => name);
  if (names.includes('*')) return fields;
  const unknown = names.find((name) => !fields.includes(name));
  if (unknown === undefined) return names;
  const value = echo(unknown);
  const message = `Unknown field '${value}' of ${resource.title}.`;
  throw new QueryError('unknown_field', message, {
    parameter,
    field: value,
    value,
    allowed: fields,
  });
}

function assertFormat(reader: ParameterReader): void {
  const format = reader.text(FORMAT);
  if (format === undefined || FORMATS.test(format)) return;
  throw badParameter(FORMAT.name, format, 'Parameter $format must be json.');
}

function assertNoApply(reader: ParameterReader): void {
  const text = reader.text(APPLY);
  if (text === undefined) return;
  const message =
    '$apply is not supported. Figures of groups are one call of GET /v2/aggregates, also as CSV ($format=csv).';
  throw badParameter(APPLY.name, text, message);
}
