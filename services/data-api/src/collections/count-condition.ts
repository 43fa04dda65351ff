import type * as engine from '@vcds/facet-engine';
import type { BoundFilter, LikePattern } from '@vcds/odata-query';
import {
  DIMENSIONS,
  ENTITIES,
  type Entity,
  type Indexed,
  type IndexedId,
  indexedById,
  MEASURES,
  type Measure,
  measureNumber,
  measureValue,
  storedRange,
} from '@vcds/venture-model';
import type { ResourceField } from '../resources/index.ts';
import { comparedInstant, instantOf, listedInstants } from './instant-condition.ts';
import type { CountPlan } from './plan.ts';

type Filter = BoundFilter<ResourceField>;
type Of<K extends Filter['kind']> = Extract<Filter, { kind: K }>;
type Compare = Of<'compare'>;
/** A condition that the facet engine evaluates. */
export type RecordCondition = engine.RecordCondition<IndexedId>;
type Range = Extract<RecordCondition, { kind: 'range' }>;

/** Records that have one of the values of a dimension that match. */
interface Like {
  readonly kind: 'like';
  readonly dimension: IndexedId;
  readonly pattern: LikePattern;
}

/** A condition on the values of the facet index. */
export type IndexCondition =
  | Exclude<RecordCondition, { kind: 'and' | 'or' | 'not' }>
  | Like
  | { readonly kind: 'and'; readonly of: readonly IndexCondition[] }
  | { readonly kind: 'or'; readonly of: readonly IndexCondition[] }
  | { readonly kind: 'not'; readonly of: IndexCondition };

/** The records of a count, as a condition on the values of the facet index. */
export interface CountCondition {
  readonly entity: Entity;
  readonly where: IndexCondition;
  /** Whether all values are columns of the records, not of related ones. */
  readonly isOwn: boolean;
  /**
   * The index rounds some values. This filter has the rounded bounds of `where`; the filter of the
   * plan has another result only for the records in the gaps.
   */
  readonly rounded: { readonly filter: Filter; readonly gaps: readonly Filter[] } | undefined;
  /** As `where`, with the bounds rounded so that it also has all matches of the plan. */
  readonly superset: IndexCondition;
}

/** A condition that is not made of others. */
export type IndexLeaf = Exclude<IndexCondition, { kind: 'and' | 'or' | 'not' }>;

/** The patterns of a condition, in the order in which {@link withValues} takes their values. */
export function patternsOf(where: IndexCondition): readonly Like[] {
  return leavesOf(where).filter((leaf) => leaf.kind === 'like');
}

function leavesOf(where: IndexCondition): readonly IndexLeaf[] {
  if (where.kind === 'not') return leavesOf(where.of);
  return where.kind === 'and' || where.kind === 'or' ? where.of.flatMap(leavesOf) : [where];
}

/** A condition with values in place of its patterns; takes the first lists of the values. */
export function withValues(where: IndexCondition, lists: string[][] = []): RecordCondition {
  switch (where.kind) {
    case 'like': {
      const values = lists.shift();
      if (values === undefined) throw new TypeError('A pattern has no values.');
      return { kind: 'values', dimension: where.dimension, values };
    }
    case 'not':
      return { kind: 'not', of: withValues(where.of, lists) };
    case 'and':
    case 'or':
      return { kind: where.kind, of: where.of.map((each) => withValues(each, lists)) };
    default:
      return where;
  }
}

/** A condition with more patterns is not evaluated in memory. */
const PATTERNS_MAX = 10;
/** Nor is one with more parts: as many as a filter has terms, of which a bound of an instant needs up to five. */
const LEAVES_MAX = 200;

/** The condition of a count; undefined if a part of it is not in the facet index. */
export function conditionOf(plan: Omit<CountPlan, 'kind'>): CountCondition | undefined {
  const { resource, parent, narrowed, filter } = plan;
  const entity = Object.values(ENTITIES).find(({ table }) => table === resource.table);
  if (entity === undefined || parent !== undefined) return undefined;
  const by = narrowed?.by ?? [];
  const narrowing = by.map(
    ({ dimension, values }): IndexCondition => ({
      kind: 'values',
      dimension: dimension.id,
      values: values.map(({ value }) => value),
    }),
  );
  const gaps: Filter[] = [];
  const rounded = filter && roundBounds(filter, entity, false, gaps);
  const filtered = rounded && ofFilter(rounded, entity);
  const loose = filter && ofFilter(roundBounds(filter, entity, true), entity);
  if (filter !== undefined && filtered === undefined) return undefined;
  if (filtered !== undefined && hasTooManyParts(filtered)) return undefined;
  const withNarrowing = (condition: IndexCondition | undefined): IndexCondition => {
    const of = condition === undefined ? narrowing : [...narrowing, condition];
    return of.length === 1 && of[0] ? of[0] : { kind: 'and', of };
  };
  return {
    entity,
    where: withNarrowing(filtered),
    superset: withNarrowing(loose),
    isOwn: by.every(({ dimension }) => dimension.readings[entity.id].through === undefined),
    rounded: rounded === undefined || gaps.length === 0 ? undefined : { filter: rounded, gaps },
  };
}

function hasTooManyParts(where: IndexCondition): boolean {
  return leavesOf(where).length > LEAVES_MAX || patternsOf(where).length > PATTERNS_MAX;
}

/**
 * Moves bounds to the next stored value. Outward, more records meet the filter; inward, fewer. The
 * values between are added to the gaps.
 */
function roundBounds(
  filter: Filter,
  entity: Entity,
  isOutward: boolean,
  gaps: Filter[] = [],
): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const operands = filter.operands.map((each) => roundBounds(each, entity, isOutward, gaps));
      return { kind: filter.kind, operands };
    }
    case 'not':
      return { kind: 'not', operand: roundBounds(filter.operand, entity, !isOutward, gaps) };
    case 'compare':
      return roundBound(filter, entity, isOutward, gaps);
    default:
      return filter;
  }
}

function roundBound(filter: Compare, entity: Entity, isOutward: boolean, gaps: Filter[]): Filter {
  const measure = measureOf(filter.field, entity);
  const range = measure && rangeOf(filter, measure);
  if (measure === undefined || range === undefined) return filter;
  const bound = (range.least ?? range.most) as number;
  const [least, most] = storedRange(measure, bound);
  const isLeast = range.least !== null;
  // No value of the column is above the greatest one.
  if (bound === (isLeast ? least : most) || bound > measure.most) return filter;
  const compared = (operator: Compare['operator'], number: number): Compare => ({
    ...{ kind: 'compare', field: filter.field, operator, value: measureValue(measure, number) },
  });
  const between = (from: number, to: number): Filter => ({
    kind: 'and',
    operands: [compared('ge', from), compared('le', to)],
  });
  if (isOutward) {
    gaps.push(isLeast ? between(least, bound - 1) : between(bound + 1, most));
    return isLeast ? compared('ge', least) : compared('le', most);
  }
  gaps.push(isLeast ? between(bound, most) : between(least, bound));
  // The next number may be none of the column.
  return isLeast ? compared('gt', most) : compared('lt', least);
}

function ofFilter(filter: Filter, entity: Entity): IndexCondition | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const of = filter.operands.flatMap((operand) => ofFilter(operand, entity) ?? []);
      if (of.length < filter.operands.length) return undefined;
      return filter.kind === 'and' ? withMergedRanges(of, entity) : { kind: 'or', of };
    }
    case 'not':
      return not(ofFilter(filter.operand, entity));
    case 'compare':
      return ofCompare(filter, entity);
    case 'in': {
      const instant = instantOf(filter.field, entity.id);
      const listed = instant
        ? listedInstants(instant, filter.values)
        : valuesOf(filter.field, filter.values, entity);
      return filter.negated ? not(listed) : listed;
    }
    case 'like':
      return ofLike(filter, entity);
    case 'keywords':
      return undefined;
  }
}

// The text of listed values is compared as the records have it.
function ofLike({ field, pattern }: Of<'like'>, entity: Entity): IndexCondition | undefined {
  const indexed = indexedOf(field, entity);
  const { match } = field;
  const isListed = (match?.kind === 'column' || match?.kind === 'array') && match.listed;
  return indexed && isListed ? { kind: 'like', dimension: indexed.id, pattern } : undefined;
}

/** All of these conditions, with one range of each dimension of which records have at most one value. */
function withMergedRanges(of: readonly IndexCondition[], entity: Entity): IndexCondition {
  const ranges = new Map<IndexedId, Range>();
  const others: IndexCondition[] = [];
  for (const each of of) {
    const isSingle =
      each.kind === 'range' && indexedById(each.dimension).readings[entity.id]?.many === false;
    if (isSingle) ranges.set(each.dimension, intersection(each, ranges.get(each.dimension)));
    else others.push(each);
  }
  const all = [...ranges.values(), ...others];
  return all.length === 1 && all[0] ? all[0] : { kind: 'and', of: all };
}

function intersection(one: Range, other: Range | undefined): Range {
  if (other === undefined) return one;
  const least = Math.max(one.least ?? -Infinity, other.least ?? -Infinity);
  const most = Math.min(one.most ?? Infinity, other.most ?? Infinity);
  return {
    ...one,
    least: Number.isFinite(least) ? least : null,
    most: Number.isFinite(most) ? most : null,
  };
}

function ofCompare(filter: Compare, entity: Entity): IndexCondition | undefined {
  const { field, operator, value } = filter;
  const instant = instantOf(field, entity.id);
  if (instant !== undefined) return comparedInstant(instant, operator, value);
  const indexed = indexedOf(field, entity);
  if (indexed === undefined) return undefined;
  if (operator !== 'eq' && operator !== 'ne') return rangeOf(filter, indexed);
  const any: IndexCondition | undefined =
    value === null ? { kind: 'any', dimension: indexed.id } : valuesOf(field, [value], entity);
  return (operator === 'ne') === (value === null) ? any : not(any);
}

/** The range of an order operator, of whole numbers. */
function rangeOf({ operator, value }: Compare, indexed: Indexed): Range | undefined {
  const number = numberOf(indexed, value);
  if (operator === 'eq' || operator === 'ne' || number === undefined) return undefined;
  const bound = operator === 'gt' ? number + 1 : operator === 'lt' ? number - 1 : number;
  const isLeast = operator === 'gt' || operator === 'ge';
  const [least, most] = isLeast ? [bound, null] : [null, bound];
  return { kind: 'range', dimension: indexed.id, least, most };
}

function numberOf(indexed: Indexed, value: unknown): number | undefined {
  if (isMeasure(indexed)) return measureNumber(indexed, value);
  return indexed.isOrdinal && typeof value === 'number' ? value : undefined;
}

function valuesOf(
  field: ResourceField,
  values: readonly unknown[],
  entity: Entity,
): RecordCondition | undefined {
  const indexed = indexedOf(field, entity);
  if (indexed === undefined || values.some((value) => isRounded(indexed, value))) return undefined;
  const read = (value: unknown) => numberOf(indexed, value) ?? String(value);
  return { kind: 'values', dimension: indexed.id, values: [...new Set(values.map(read))] };
}

/** The dimension or other indexed column that is read from the same column. */
export function indexedOf(field: ResourceField, entity: Entity): Indexed | undefined {
  const { match } = field;
  if (match?.kind !== 'column' && match?.kind !== 'array') return undefined;
  const dimension = DIMENSIONS.find(({ readings }) => {
    const { through, sql } = readings[entity.id];
    return through === undefined && sql('r') === match.sql('r');
  });
  return dimension ?? measureOf(field, entity);
}

function measureOf({ match }: ResourceField, { id }: Entity): Measure | undefined {
  if (match?.kind !== 'column') return undefined;
  return MEASURES.find(({ columns }) => columns[id]?.('r') === match.sql('r'));
}

/** Whether the index stores other values as the same one. */
function isRounded(indexed: Indexed, value: unknown): boolean {
  if (!isMeasure(indexed) || indexed.unit === 'text') return false;
  const number = measureNumber(indexed, value);
  if (number === undefined) return true;
  const [least, most] = storedRange(indexed, number);
  return least !== most;
}

export function isMeasure(indexed: Indexed): indexed is Measure {
  return 'unit' in indexed;
}

function not(of: IndexCondition | undefined): IndexCondition | undefined {
  if (of === undefined) return undefined;
  return of.kind === 'not' ? of.of : { kind: 'not', of };
}
