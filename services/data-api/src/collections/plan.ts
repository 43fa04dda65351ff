import { PLANS } from '@vcds/metering';
import {
  type BoundFilter,
  bindExpand,
  bindFilter,
  bindOrderBy,
  bindSelect,
} from '@vcds/odata-query';
import { ApiError } from '@vcds/service-kit/api-errors';
import { RELATION_SYNONYMS } from '@vcds/venture-model';
import type { NarrowedEntity } from '../narrowing/plan.ts';
import { withLabels } from '../resources/field.ts';
import type { Resource, ResourceField } from '../resources/index.ts';
import { badParameter, type PageCeiling } from '../serve/request/parameter-reader.ts';
import type { PageCursorCodec, PagePosition } from './cursor.ts';
import type { RecordShape } from './json.ts';
import { orderTerms, varyingKeys } from './order.ts';
import { type CollectionQuery, type RecordQuery, SKIP_TOKEN } from './query.ts';

/** Restricts rows to those of the record in the path. */
export interface ParentScope {
  /** The table of that record; it must exist, otherwise 404. */
  readonly table: 'venture.startup' | 'venture.fund';
  readonly id: string;
  /** The column of the rows that contains its id. */
  readonly column: string;
}

export interface OrderKey {
  readonly field: ResourceField;
  readonly descending: boolean;
}

/** A page of a collection. It is valid: names are resolved and bounds are checked. */
export interface PagePlan extends Omit<CountPlan, 'kind'>, RecordShape {
  readonly kind: 'page';
  readonly orderBy: readonly OrderKey[];
  readonly top: number;
  readonly skip: number;
  /** The page starts after it. */
  readonly after: PagePosition | undefined;
  /** Identifies the records and their order: a cursor is valid for one identity. */
  readonly identity: string;
}

/** The number of matches instead of rows. */
export interface CountPlan {
  readonly kind: 'count';
  readonly resource: Resource;
  readonly parent: ParentScope | undefined;
  /** Dimensions that narrow the collection (docs/spec/categories.md 8.11). */
  readonly narrowed?: NarrowedEntity;
  readonly filter: BoundFilter<ResourceField> | undefined;
}

/** One record by id. */
export interface RecordPlan extends RecordShape {
  readonly resource: Resource;
  readonly id: string;
}

/** The inputs of {@link planCollection} other than the query. */
export interface CollectionScope {
  readonly resource: Resource;
  readonly ceiling: PageCeiling;
  /** `YYYY-MM-DD`, for suggestions. */
  readonly today: string;
  readonly cursors: PageCursorCodec;
  readonly parent?: ParentScope | undefined;
}

/**
 * Resolves a query against a resource.
 *
 * @throws QueryError for names and values that the resource does not have; ApiError
 *   `top_above_plan`, `bad_parameter` for an invalid cursor.
 */
export function planCollection(
  query: CollectionQuery,
  { resource, ceiling, today, cursors, parent }: CollectionScope,
): PagePlan | CountPlan {
  const { top, skip, cursor, identity } = query;
  const context = { source: query.filterText, today };
  const filter = query.filter && bindFilter(query.filter, resource.fields, context);
  const orderBy = varyingKeys(bindOrderBy(query.orderBy, resource.fields), filter);
  const keys = orderTerms(resource, orderBy).length;
  const page: PagePlan = {
    kind: 'page',
    resource,
    parent,
    filter,
    orderBy,
    ...planShape(query, resource),
    ...{ top, skip, identity },
    after: cursor === undefined ? undefined : decodeCursor(cursor, identity, keys, cursors),
  };
  if (query.count) return { kind: 'count', resource, parent, filter };
  assertTopWithinPlan(top, ceiling);
  return page;
}

/** The plan of a single record. */
export function planRecord(query: RecordQuery, resource: Resource, id: string): RecordPlan {
  return { resource, id, ...planShape(query, resource) };
}

function planShape(query: RecordQuery, resource: Resource): RecordShape {
  const { labels = false } = query;
  const chosen = query.select ? bindSelect(query.select, resource.fields) : resource.defaultFields;
  const fields = labels ? withLabels(chosen) : chosen;
  const selected = query.select?.items.map(({ name }) => name);
  const shape = { fields, recordCall: resource.recordCall, ...(selected && { selected }) };
  if (query.expand === undefined) return { ...shape, expands: [] };
  const names = query.expand
    ? bindExpand(query.expand, [...resource.relations.keys()], relationSynonyms)
    : [];
  const expands = names.flatMap((name) => {
    const relation = resource.relations.get(name);
    const item = query.expand?.items.find((each) => each.name === name);
    if (relation === undefined || item === undefined) return [];
    return [{ ...relation, skip: item.skip, top: item.top, labels }];
  });
  return { ...shape, expands };
}

function relationSynonyms(name: string): readonly string[] | undefined {
  return RELATION_SYNONYMS[name as keyof typeof RELATION_SYNONYMS];
}

function decodeCursor(
  text: string,
  identity: string,
  keys: number,
  cursors: PageCursorCodec,
): PagePosition {
  const position = cursors.decode(text, identity);
  // Other versions may order the same query by more keys.
  if (typeof position === 'object' && position.keys.length === keys) return position;
  const message =
    position === 'other'
      ? 'The $skiptoken belongs to another query: it continues one path with the same $filter, ' +
        '$orderby and dimensions. Follow the Link header of a page of this query, or start without it.'
      : 'Invalid $skiptoken. Follow the Link header of a page unchanged, or start without it.';
  throw badParameter(SKIP_TOKEN.name, text, message);
}

/** @throws ApiError `top_above_plan` for a page above the ceiling of the pricing plan. */
export function assertTopWithinPlan(top: number, { plan, topMax }: PageCeiling): void {
  if (top <= topMax) return;
  const sufficient = Object.values(PLANS).find((each) => each.topMax >= top);
  throw new ApiError(
    'top_above_plan',
    `The ${plan} plan allows at most ${topMax} records per call; ${top} records need the ` +
      `${sufficient?.name} plan. Use $top=${topMax} and follow the Link header, or change the plan.`,
    { parameter: '$top', value: top, suggestion: String(topMax), see: '/pricing' },
  );
}
