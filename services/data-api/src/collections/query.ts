import {
  BOUNDS,
  type ExpandList,
  type FieldSpec,
  type FieldTable,
  type FilterNode,
  type OrderByItem,
  parseExpand,
  parseFilter,
  parseOrderBy,
  parseSelect,
  type SelectList,
} from '@vcds/odata-query';
import {
  badParameter,
  type PageCeiling,
  type ParameterReader,
} from '../serve/request/parameter-reader.ts';
import {
  type BooleanParameter,
  type IntegerParameter,
  namesOf,
  type Parameter,
  type TextParameter,
} from '../serve/request/parameters.ts';
import { CURSOR_LENGTH_MAX } from './cursor.ts';

const LIST_LENGTH_MAX = 16_000;

/** Page sizes and offsets (docs/spec/collections.md 6.2, docs/spec/limits.md 12.2). */
export const TOP: IntegerParameter = {
  kind: 'integer',
  name: '$top',
  ...{ min: 1, max: 5_000, default: 25, example: 10 },
  description: 'The page size. It determines the maximum price of the call.',
};
export const SKIP: IntegerParameter = {
  kind: 'integer',
  name: '$skip',
  ...{ min: 0, max: 1_000_000_000, default: 0, example: 25 },
  description:
    'The number of records to skip. To read all pages, follow the `Link` header instead.',
};
export const SKIP_TOKEN: TextParameter = {
  kind: 'text',
  name: '$skiptoken',
  lengthMax: CURSOR_LENGTH_MAX,
  description:
    'The position after which the page starts, instead of `$skip`; part of the `Link` to the next page.',
};
export const FILTER: TextParameter = {
  kind: 'text',
  name: '$filter',
  lengthMax: BOUNDS.filterCharacters,
  description: 'The condition that records meet.',
};
export const SELECT: TextParameter = {
  kind: 'list',
  name: '$select',
  lengthMax: LIST_LENGTH_MAX,
  itemsMax: BOUNDS.listNames,
  description: 'The fields to return; all by default, as with `*`. The price stays the same.',
};
export const EXPAND: TextParameter = {
  kind: 'list',
  name: '$expand',
  lengthMax: LIST_LENGTH_MAX,
  itemsMax: BOUNDS.listNames,
  description:
    'The related records to include, at most 100 of each relation; each one adds 25 % to the price of ' +
    'a record. `Name($top=5)` includes at most 5 of them, and `Name($skip=100)` continues after the first 100.',
};
export const ORDER_BY: TextParameter = {
  kind: 'list',
  name: '$orderby',
  lengthMax: LIST_LENGTH_MAX,
  itemsMax: BOUNDS.listNames,
  description: 'The order, ascending unless a field is followed by `desc`.',
};
const COUNT: BooleanParameter = {
  kind: 'boolean',
  name: '$count',
  default: false,
  description: 'Return the number of matches instead of records, for one credit.',
};
export const LABELS: BooleanParameter = {
  kind: 'boolean',
  name: 'labels',
  default: false,
  description:
    'With `true`, fields with a closed list have labels (`Series A`) in place of numbers and names (`4`).',
};
/** The parameters of every collection (docs/spec/collections.md 6.2). */
export const COLLECTION_PARAMETERS: readonly Parameter[] = [
  ...[TOP, SKIP, SKIP_TOKEN, FILTER, SELECT, EXPAND, ORDER_BY, COUNT, LABELS],
];
/** The parameters that do not change which records a query has and in which order. */
const SHAPE_PARAMETERS: ReadonlySet<string> = new Set([
  ...namesOf([TOP, SKIP, SKIP_TOKEN, SELECT, EXPAND, COUNT]),
  ...['quote', '$format', 'labels'],
]);
/** The parameters of a single record (docs/spec/collections.md 6.2). */
export const RECORD_PARAMETERS: readonly Parameter[] = [SELECT, EXPAND, LABELS];

/** The parameters of a collection, parsed but not resolved. */
export interface CollectionQuery {
  readonly top: number;
  readonly skip: number;
  readonly cursor: string | undefined;
  /** Identifies the records and their order, as the caller wrote them. */
  readonly identity: string;
  readonly filter: FilterNode | undefined;
  /** The filter as written. */
  readonly filterText: string | undefined;
  readonly select: SelectList | undefined;
  readonly expand: ExpandList | undefined;
  readonly orderBy: readonly OrderByItem[];
  readonly count: boolean;
  /** Labels in place of closed values. */
  readonly labels?: boolean;
}

/** The parameters of one record. */
export type RecordQuery = Pick<CollectionQuery, 'select' | 'expand' | 'labels'>;

/** The context of errors in a filter. */
export interface CollectionContext {
  /** Identifies the collection: its resource and the values of its path. */
  readonly collection: readonly string[];
  readonly fields: FieldTable<FieldSpec>;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly ceiling: PageCeiling;
}

/**
 * Parses the collection parameters (docs/spec/collections.md 6.2).
 *
 * @throws ApiError `bad_parameter`; QueryError with the position of the error.
 */
export function parseCollectionQuery(
  reader: ParameterReader,
  context: CollectionContext,
): CollectionQuery {
  // The filter parser checks the length and reports a position.
  const filter = reader.text({ ...FILTER, lengthMax: Number.MAX_SAFE_INTEGER });
  const orderBy = reader.text(ORDER_BY);
  const cursor = reader.text(SKIP_TOKEN);
  if (cursor !== undefined && reader.has(SKIP.name)) {
    const message = 'Send $skiptoken or $skip, not both: $skiptoken is a position of its own.';
    throw badParameter(SKIP_TOKEN.name, cursor, message);
  }
  return {
    top: reader.integer(TOP, context.ceiling),
    skip: reader.integer(SKIP),
    cursor,
    identity: JSON.stringify([context.collection, reader.without(SHAPE_PARAMETERS)]),
    filter: filter === undefined ? undefined : parseFilter(filter, context),
    filterText: filter,
    orderBy: orderBy === undefined ? [] : parseOrderBy(orderBy),
    count: reader.boolean(COUNT),
    ...parseRecordQuery(reader),
  };
}

/** Parses `$select` and `$expand`. */
export function parseRecordQuery(reader: ParameterReader): RecordQuery {
  const select = reader.text(SELECT);
  const expand = reader.text(EXPAND);
  return {
    select: select === undefined ? undefined : parseSelect(select),
    expand: expand === undefined ? undefined : parseExpand(expand),
    labels: reader.boolean(LABELS),
  };
}
