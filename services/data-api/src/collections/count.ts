/** `$count=true` (docs/spec/collections.md 6.4). */
import type * as engine from '@vcds/facet-engine';
import type { BoundFilter } from '@vcds/odata-query';
import {
  ENTITIES,
  type Entity,
  type EntityId,
  FIGURES,
  type Figure,
  figureNumber,
  INDEXED,
  type Indexed,
  type IndexedId,
} from '@vcds/venture-model';
import { indexedNarrowing } from '../narrowing/indexed-narrowing.ts';
import type { Answer, Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { ResourceField } from '../resources/index.ts';
import { withListedValues } from './listed-values.ts';
import { isOfIds } from './page-access.ts';
import { conditions, mayScan, ROW, underParent } from './page-sql.ts';
import type { CountPlan } from './plan.ts';

type Filter = BoundFilter<ResourceField>;
type Compare = Extract<Filter, { kind: 'compare' }>;
type RecordQuery = engine.RecordQuery<EntityId, IndexedId>;
type Condition = engine.RecordCondition<IndexedId>;
type Range = Extract<Condition, { kind: 'figure' }>;

export type CountOutcome =
  | 'in_memory'
  /** A condition is not in the facet index. */
  | 'not_indexed'
  /** No engine in memory is loaded, or it failed. */
  | 'not_ready';

/** Counts records in memory. */
export interface RecordCounter {
  /** Receives how each count was made. */
  counted(outcome: CountOutcome): void;
  /** Undefined if no engine in memory can count now. */
  countRecords(query: RecordQuery): Promise<number | undefined>;
}

/** The dependencies of counts. */
export interface CountSources {
  readonly database: Database;
  readonly categories: { readonly records?: RecordCounter };
}

/** A condition of more parts is not counted in memory: as many as a filter may have terms. */
const LEAVES_MAX = 200;

/**
 * Counts the matches: in the facet index, at its version, if it has all that the filter and the
 * narrowings compare; else one statement of the database reads them.
 *
 * @throws ApiError `unavailable`.
 */
export async function readCount(plan: CountPlan, sources: CountSources): Promise<Answer> {
  const { database, categories } = sources;
  const { records } = categories;
  const query = recordQueryOf(plan);
  const count = query && (await records?.countRecords(query));
  if (count !== undefined) {
    records?.counted('in_memory');
    return { body: JSON.stringify({ count }), records: 0, more: false };
  }
  records?.counted(query === undefined ? 'not_indexed' : 'not_ready');
  return database.answer(compileCount(await withListedValues(plan, database)));
}

/** The statement of the number of matches. */
export function compileCount(plan: CountPlan): Statement {
  const values = new SqlValues();
  const body = underParent(plan.parent, `'{"count":' || count(*) || '}'`, values);
  const text = `SELECT 0 AS records, false AS more, ${body} AS body
    FROM ${plan.resource.table} AS ${ROW} WHERE ${conditions(plan, values)}`;
  const isOfAll = plan.filter === undefined && (plan.narrowed?.by.length ?? 0) === 0;
  const planning = isOfAll || isOfIds(plan) ? 'generic' : 'custom';
  return { text, values: values.values, plan: planning, scans: mayScan(plan) };
}

/** A count as a query of the facet index; undefined if a part of it is not there. */
export function recordQueryOf(plan: Omit<CountPlan, 'kind'>): RecordQuery | undefined {
  const { resource, parent, narrowed, filter } = plan;
  const entity = Object.values(ENTITIES).find(({ table }) => table === resource.table);
  if (entity === undefined || parent !== undefined) return undefined;
  const filtered = filter && conditionOf(filter, entity);
  if (filter !== undefined && filtered === undefined) return undefined;
  const { narrowing, related } = indexedNarrowing(narrowed?.by ?? [], entity.id);
  const of: readonly Condition[] = [
    ...narrowing.map((each) => ({ kind: 'values' as const, ...each })),
    ...related.map((each) => ({ kind: 'related' as const, ...each })),
    ...(filtered === undefined ? [] : [filtered]),
  ];
  const [only] = of;
  const where: Condition = of.length === 1 && only ? only : { kind: 'and', of };
  return leavesOf(where) > LEAVES_MAX ? undefined : { entity: entity.id, where };
}

function leavesOf(where: Condition): number {
  if (where.kind === 'not') return leavesOf(where.of);
  if (where.kind !== 'and' && where.kind !== 'or') return 1;
  return where.of.reduce((sum, each) => sum + leavesOf(each), 0);
}

function conditionOf(filter: Filter, entity: Entity): Condition | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const of = filter.operands.flatMap((operand) => conditionOf(operand, entity) ?? []);
      if (of.length < filter.operands.length) return undefined;
      return filter.kind === 'and' ? withMergedRanges(of) : { kind: 'or', of };
    }
    case 'not':
      return not(conditionOf(filter.operand, entity));
    case 'compare':
      return comparison(filter, entity);
    case 'in': {
      const listed = valuesOf(filter.field, filter.values, entity);
      return filter.negated ? not(listed) : listed;
    }
    case 'like':
    case 'keywords':
      return undefined;
  }
}

/** All of these conditions, with one range of each figure, which a record has once. */
function withMergedRanges(of: readonly Condition[]): Condition {
  const ranges = new Map<string, Range>();
  const others: Condition[] = [];
  for (const each of of) {
    if (each.kind !== 'figure') others.push(each);
    else ranges.set(each.figure, intersection(each, ranges.get(each.figure)));
  }
  const all = [...ranges.values(), ...others];
  return all.length === 1 && all[0] ? all[0] : { kind: 'and', of: all };
}

function intersection(one: Range, other: Range | undefined): Range {
  const bound = (pick: (...numbers: number[]) => number, key: 'least' | 'most') => {
    const bounds = [one[key], other?.[key] ?? null].filter((each) => each !== null);
    return bounds.length === 0 ? null : pick(...bounds);
  };
  return { ...one, least: bound(Math.max, 'least'), most: bound(Math.min, 'most') };
}

function comparison({ field, operator, value }: Compare, entity: Entity): Condition | undefined {
  const figure = figureOf(field, entity);
  if (operator === 'eq' || operator === 'ne') {
    const any: Condition | undefined =
      value === null ? anyValue(field, entity) : valuesOf(field, [value], entity);
    return (operator === 'ne') === (value === null) ? any : not(any);
  }
  const number = figure && figureNumber(figure, value);
  if (figure === undefined || number === undefined) return undefined;
  // Figures are whole numbers.
  const bound = operator === 'gt' ? number + 1 : operator === 'lt' ? number - 1 : number;
  const isLeast = operator === 'gt' || operator === 'ge';
  const [least, most] = isLeast ? [bound, null] : [null, bound];
  return { kind: 'figure', figure: figure.id, least, most };
}

function anyValue(field: ResourceField, entity: Entity): Condition | undefined {
  const figure = figureOf(field, entity);
  if (figure !== undefined) return { kind: 'figure', figure: figure.id, least: null, most: null };
  const indexed = indexedOf(field, entity);
  return indexed && { kind: 'any', dimension: indexed.id };
}

function valuesOf(
  field: ResourceField,
  values: readonly unknown[],
  entity: Entity,
): Condition | undefined {
  const indexed = indexedOf(field, entity);
  if (indexed !== undefined) {
    const stored = values.map((value) => storedValue(indexed, entity, value));
    return { kind: 'values', dimension: indexed.id, values: [...new Set(stored)] };
  }
  const figure = figureOf(field, entity);
  if (figure === undefined) return undefined;
  const of = values.flatMap((value): Condition[] => {
    const number = figureNumber(figure, value);
    const bounds = { least: number ?? null, most: number ?? null };
    return number === undefined ? [] : [{ kind: 'figure', figure: figure.id, ...bounds }];
  });
  if (of.length < values.length) return undefined;
  return of.length === 1 ? of[0] : { kind: 'or', of };
}

/** A value as the index stores it. */
function storedValue(indexed: Indexed, { id }: Entity, value: unknown): string | number {
  const flag = indexed.readings[id]?.flag;
  if (flag !== undefined) return value === true ? flag.yes : flag.no;
  return indexed.isOrdinal && typeof value === 'number' ? value : String(value);
}

/** The dimension or other indexed column that is read from the same column. */
function indexedOf({ match }: ResourceField, { id }: Entity): Indexed | undefined {
  if (match?.kind !== 'column' && match?.kind !== 'array') return undefined;
  return INDEXED.find(({ readings }) => {
    const reading = readings[id];
    if (reading === undefined || reading.through !== undefined) return false;
    return (reading.flag?.sql ?? reading.sql)('r') === match.sql('r');
  });
}

/** The figure that is read from the same column. */
function figureOf({ match }: ResourceField, { id }: Entity): Figure | undefined {
  if (match?.kind !== 'column') return undefined;
  return FIGURES[id].find(({ sql }) => sql('r') === match.sql('r'));
}

function not(of: Condition | undefined): Condition | undefined {
  if (of === undefined) return undefined;
  return of.kind === 'not' ? of.of : { kind: 'not', of };
}
