import type * as engine from '@vcds/facet-engine';
import type { BoundFilter } from '@vcds/odata-query';
import {
  DIMENSIONS,
  ENTITIES,
  type Entity,
  type Indexed,
  type IndexedId,
  MEASURES,
  type Measure,
  measureNumber,
  measureValue,
  storedRange,
} from '@vcds/venture-model';
import type { ResourceField } from '../resources/index.ts';
import type { CountPlan } from './plan.ts';

type Filter = BoundFilter<ResourceField>;
type Compare = Extract<Filter, { kind: 'compare' }>;
export type RecordCondition = engine.RecordCondition<IndexedId>;

/** The records of a count, as a condition on the values of the facet index. */
export interface CountCondition {
  readonly entity: Entity;
  readonly where: RecordCondition;
  /** Whether all values are columns of the records, not of related ones. */
  readonly isOwn: boolean;
  /**
   * The index rounds some values. This filter has the rounded bounds of `where`; the filter of the
   * plan has another result only for the records in the gaps.
   */
  readonly rounded: { readonly filter: Filter; readonly gaps: readonly Filter[] } | undefined;
}

/** The condition of a count; undefined if a part of it is not in the facet index. */
export function conditionOf(plan: Omit<CountPlan, 'kind'>): CountCondition | undefined {
  const { resource, parent, narrowed, filter } = plan;
  const entity = Object.values(ENTITIES).find(({ table }) => table === resource.table);
  if (entity === undefined || parent !== undefined) return undefined;
  const by = narrowed?.by ?? [];
  const narrowing = by.map(
    ({ dimension, values }): RecordCondition => ({
      kind: 'values',
      dimension: dimension.id,
      values: values.map(({ value }) => value),
    }),
  );
  const gaps: Filter[] = [];
  const rounded = filter && roundBounds(filter, entity, gaps);
  const filtered = rounded && ofFilter(rounded, entity);
  if (filter !== undefined && filtered === undefined) return undefined;
  const of = filtered === undefined ? narrowing : [...narrowing, filtered];
  return {
    entity,
    where: of.length === 1 && of[0] ? of[0] : { kind: 'and', of },
    isOwn: by.every(({ dimension }) => dimension.readings[entity.id].through === undefined),
    rounded: rounded === undefined || gaps.length === 0 ? undefined : { filter: rounded, gaps },
  };
}

/** Moves bounds to the next stored value; the values between are added to the gaps. */
function roundBounds(filter: Filter, entity: Entity, gaps: Filter[]): Filter {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const operands = filter.operands.map((operand) => roundBounds(operand, entity, gaps));
      return { kind: filter.kind, operands };
    }
    case 'not':
      return { kind: 'not', operand: roundBounds(filter.operand, entity, gaps) };
    case 'compare':
      return roundBound(filter, entity, gaps);
    default:
      return filter;
  }
}

function roundBound(filter: Compare, entity: Entity, gaps: Filter[]): Filter {
  const measure = measureOf(filter.field, entity);
  const range = measure && rangeOf(filter, measure);
  if (measure === undefined || range === undefined) return filter;
  const bound = (range.least ?? range.most) as number;
  const [least, most] = storedRange(measure, bound);
  const isLeast = range.least !== null;
  if (bound === (isLeast ? least : most)) return filter;
  const compared = (operator: 'ge' | 'le', number: number): Compare => ({
    ...{ kind: 'compare', field: filter.field, operator, value: measureValue(measure, number) },
  });
  const [from, to] = isLeast ? [bound, most] : [least, bound];
  gaps.push({ kind: 'and', operands: [compared('ge', from), compared('le', to)] });
  return isLeast ? compared('ge', most + 1) : compared('le', least - 1);
}

function ofFilter(filter: Filter, entity: Entity): RecordCondition | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const of = filter.operands.flatMap((operand) => ofFilter(operand, entity) ?? []);
      return of.length === filter.operands.length ? { kind: filter.kind, of } : undefined;
    }
    case 'not':
      return not(ofFilter(filter.operand, entity));
    case 'compare':
      return ofCompare(filter, entity);
    case 'in': {
      const listed = valuesOf(filter.field, filter.values, entity);
      return filter.negated ? not(listed) : listed;
    }
    case 'like':
    case 'keywords':
      return undefined;
  }
}

function ofCompare(filter: Compare, entity: Entity): RecordCondition | undefined {
  const { field, operator, value } = filter;
  const indexed = indexedOf(field, entity);
  if (indexed === undefined) return undefined;
  if (operator !== 'eq' && operator !== 'ne') return rangeOf(filter, indexed);
  const any: RecordCondition | undefined =
    value === null ? { kind: 'any', dimension: indexed.id } : valuesOf(field, [value], entity);
  return (operator === 'ne') === (value === null) ? any : not(any);
}

/** The range of an order operator, of whole numbers. */
function rangeOf(
  { operator, value }: Compare,
  indexed: Indexed,
): Extract<RecordCondition, { kind: 'range' }> | undefined {
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

/** The dimension or numeric column that is read from the same column. */
function indexedOf(field: ResourceField, entity: Entity): Indexed | undefined {
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
  if (!isMeasure(indexed)) return false;
  const number = measureNumber(indexed, value);
  if (number === undefined) return true;
  const [least, most] = storedRange(indexed, number);
  return least !== most;
}

function isMeasure(indexed: Indexed): indexed is Measure {
  return 'unit' in indexed;
}

function not(of: RecordCondition | undefined): RecordCondition | undefined {
  if (of === undefined) return undefined;
  return of.kind === 'not' ? of.of : { kind: 'not', of };
}
