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

/** The parameters every collection reads (docs/spec/collections.md 6.2). */
export const COLLECTION_PARAMETERS = [
  '$top',
  '$skip',
  '$filter',
  '$select',
  '$expand',
  '$orderby',
  '$count',
] as const;
/** The parameters a single record reads (docs/spec/collections.md 6.2). */
export const RECORD_PARAMETERS = ['$select', '$expand'] as const;

/** Page sizes and offsets (docs/spec/collections.md 6.2, docs/spec/limits.md 12.2). */
export const TOP = { min: 1, max: 5000, default: 25 } as const;
export const SKIP = { min: 0, max: 1_000_000_000, default: 0 } as const;

const LIST_LENGTH_MAX = 16_000;

/** What a caller asks of a collection: well-formed, maybe senseless. */
export interface CollectionQuery {
  readonly top: number;
  readonly skip: number;
  readonly filter: FilterNode | undefined;
  /** What the filter was read from. */
  readonly filterText: string | undefined;
  readonly select: SelectList | undefined;
  readonly expand: ExpandList | undefined;
  readonly orderBy: readonly OrderByItem[];
  readonly count: boolean;
}

/** What a caller asks of one record. */
export type RecordQuery = Pick<CollectionQuery, 'select' | 'expand'>;

/** What the refusals of a collection's query are made of. */
export interface CollectionContext {
  readonly fields: FieldTable<FieldSpec>;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/**
 * Reads the collection parameters (docs/spec/collections.md 6.2).
 *
 * @throws ApiError `bad_parameter`; QueryError with the position of the fault.
 */
export function parseCollectionQuery(
  reader: ParameterReader,
  context: CollectionContext,
): CollectionQuery {
  // The filter's own bound refuses with a position.
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

/** Reads `$select` and `$expand`. */
export function parseRecordQuery(reader: ParameterReader): RecordQuery {
  const select = reader.text('$select', LIST_LENGTH_MAX);
  const expand = reader.text('$expand', LIST_LENGTH_MAX);
  return {
    select: select === undefined ? undefined : parseSelect(select),
    expand: expand === undefined ? undefined : parseExpand(expand),
  };
}
