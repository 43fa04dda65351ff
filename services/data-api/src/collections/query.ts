import {
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
import type { ParameterReader } from '../request/parameter-reader.ts';

/** The parameters of every collection (docs/spec/collections.md 6.2). */
export const COLLECTION_PARAMETERS = [
  '$top',
  '$skip',
  '$filter',
  '$select',
  '$expand',
  '$orderby',
  '$count',
] as const;
/** The parameters of a single record (docs/spec/collections.md 6.2). */
export const RECORD_PARAMETERS = ['$select', '$expand'] as const;

/** Page sizes and offsets (docs/spec/collections.md 6.2, docs/spec/limits.md 12.2). */
export const TOP = { min: 1, max: 5000, default: 25 } as const;
export const SKIP = { min: 0, max: 1_000_000_000, default: 0 } as const;

const LIST_LENGTH_MAX = 16_000;

/** The parameters of a collection, parsed but not resolved. */
export interface CollectionQuery {
  readonly top: number;
  readonly skip: number;
  readonly filter: FilterNode | undefined;
  /** The filter as written. */
  readonly filterText: string | undefined;
  readonly select: SelectList | undefined;
  readonly expand: ExpandList | undefined;
  readonly orderBy: readonly OrderByItem[];
  readonly count: boolean;
}

/** The parameters of one record. */
export type RecordQuery = Pick<CollectionQuery, 'select' | 'expand'>;

/** The context of errors in a filter. */
export interface CollectionContext {
  readonly fields: FieldTable<FieldSpec>;
  /** `YYYY-MM-DD`. */
  readonly today: string;
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
  const filter = reader.text('$filter', Number.MAX_SAFE_INTEGER);
  const orderBy = reader.text('$orderby', LIST_LENGTH_MAX);
  return {
    top: reader.integer('$top', TOP) ?? TOP.default,
    skip: reader.integer('$skip', SKIP) ?? SKIP.default,
    filter: filter === undefined ? undefined : parseFilter(filter, context),
    filterText: filter,
    orderBy: orderBy === undefined ? [] : parseOrderBy(orderBy),
    count: reader.boolean('$count') ?? false,
    ...parseRecordQuery(reader),
  };
}

/** Parses `$select` and `$expand`. */
export function parseRecordQuery(reader: ParameterReader): RecordQuery {
  const select = reader.text('$select', LIST_LENGTH_MAX);
  const expand = reader.text('$expand', LIST_LENGTH_MAX);
  return {
    select: select === undefined ? undefined : parseSelect(select),
    expand: expand === undefined ? undefined : parseExpand(expand),
  };
}
