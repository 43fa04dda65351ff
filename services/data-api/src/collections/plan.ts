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
import type { PageCeiling } from '../request/parameter-reader.ts';
import type { Relation, Resource, ResourceField } from '../resources/index.ts';
import type { CollectionQuery, RecordQuery } from './query.ts';

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

/** The content of each record. */
interface Answered {
  readonly fields: readonly ResourceField[];
  readonly expands: readonly Relation[];
}

/** A page of a collection. It is valid: names are resolved and bounds are checked. */
export interface PagePlan extends Omit<CountPlan, 'kind'>, Answered {
  readonly kind: 'page';
  readonly orderBy: readonly OrderKey[];
  readonly top: number;
  readonly skip: number;
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
export interface RecordPlan extends Answered {
  readonly kind: 'record';
  readonly resource: Resource;
  readonly id: string;
}

export type CollectionPlan = PagePlan | CountPlan | RecordPlan;

/**
 * Resolves a query against a resource.
 *
 * @param today `YYYY-MM-DD`, for suggestions.
 *
 * @throws QueryError for names and values that the resource does not have; ApiError `top_above_plan`.
 */
export function planCollection(
  query: CollectionQuery,
  resource: Resource,
  ceiling: PageCeiling,
  today: string,
  parent?: ParentScope,
): PagePlan | CountPlan {
  const context = { source: query.filterText, today };
  const filter = query.filter && bindFilter(query.filter, resource.fields, context);
  const page: PagePlan = {
    kind: 'page',
    resource,
    parent,
    filter,
    orderBy: bindOrderBy(query.orderBy, resource.fields),
    ...planAnswer(query, resource),
    top: query.top,
    skip: query.skip,
  };
  if (query.count) return { kind: 'count', resource, parent, filter };
  assertTopWithinPlan(query.top, ceiling);
  return page;
}

/** The plan of a single record. */
export function planRecord(query: RecordQuery, resource: Resource, id: string): RecordPlan {
  return { kind: 'record', resource, id, ...planAnswer(query, resource) };
}

function planAnswer(query: RecordQuery, resource: Resource): Answered {
  const fields = query.select
    ? bindSelect(query.select, resource.fields)
    : [...resource.fields.values()].filter((field) => field.selectable !== false);
  const names = query.expand
    ? bindExpand(query.expand, [...resource.relations.keys()], relationSynonyms)
    : [];
  const expands = names.flatMap((name) => resource.relations.get(name) ?? []);
  return { fields, expands };
}

function relationSynonyms(name: string): readonly string[] | undefined {
  return RELATION_SYNONYMS[name as keyof typeof RELATION_SYNONYMS];
}

/** @throws ApiError `top_above_plan` for a page above the ceiling of the pricing plan. */
export function assertTopWithinPlan(top: number, { plan, topMax }: PageCeiling): void {
  if (top <= topMax) return;
  const sufficient = Object.values(PLANS).find((each) => each.topMax >= top);
  throw new ApiError(
    'top_above_plan',
    `The ${plan} plan allows at most ${topMax} records per call; ${top} records need the ` +
      `${sufficient?.name} plan. Use $top=${topMax} and page with $skip, or change the plan.`,
    { parameter: '$top', value: top, suggestion: String(topMax), see: '/pricing' },
  );
}
