import type { BoundFilter, BoundValue, CompareOperator } from '@vcds/odata-query';
import type { ColumnStatistics, StatisticsOf } from '../postgres/column-statistics.ts';
import type { ResourceField } from '../resources/index.ts';

type Filter = BoundFilter<ResourceField>;
type OrderOperator = Exclude<CompareOperator, 'eq' | 'ne'>;

const ROW = 'r';
const IS_MET: Readonly<Record<OrderOperator, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

/**
 * The share of a table's rows that meet a filter, 0 to 1, by the statistics of its columns. Like the
 * planner's estimate it takes columns for independent. Undefined if the filter has a term without
 * statistics. A value that is not frequent has the share 0.
 */
export function selectivityOf(
  filter: Filter,
  table: string,
  statistics: StatisticsOf,
): number | undefined {
  const of = (each: Filter) => selectivityOf(each, table, statistics);
  switch (filter.kind) {
    case 'and':
      return combined(filter.operands.map(of), (shares) => shares.reduce((all, one) => all * one));
    case 'or':
      return combined(filter.operands.map(of), (shares) => Math.max(...shares));
    case 'not':
      return combined([of(filter.operand)], ([share = 0]) => 1 - share);
    case 'compare':
    case 'in': {
      const column = columnOf(filter.field);
      const found = column === undefined ? undefined : statistics(table, column);
      if (found === undefined) return undefined;
      return filter.kind === 'compare' ? ofComparison(filter, found) : ofMembership(filter, found);
    }
    case 'like':
    case 'keywords':
      return undefined;
  }
}

function combined(
  shares: readonly (number | undefined)[],
  combine: (shares: readonly number[]) => number,
): number | undefined {
  const known = shares.flatMap((share) => share ?? []);
  return known.length === shares.length ? combine(known) : undefined;
}

/**
 * The share of a table's rows that have a value of a field, in the text that PostgreSQL writes for it.
 * A value that is not frequent has the share 0. Undefined for a field without statistics.
 */
export function frequencyOf(
  field: ResourceField,
  value: string | null,
  table: string,
  statistics: StatisticsOf,
): number | undefined {
  const column = columnOf(field);
  const found = column === undefined ? undefined : statistics(table, column);
  if (found === undefined || value === null) return found?.nulls;
  // Statistics have `t` and `f`.
  return found.frequent.get(field.type === 'boolean' ? value.charAt(0) : value) ?? 0;
}

function columnOf({ match }: ResourceField): string | undefined {
  if (match?.kind !== 'column' && match?.kind !== 'array') return undefined;
  return match.sql(ROW).slice(ROW.length + 1);
}

function ofComparison(
  { field, operator, value }: Extract<Filter, { kind: 'compare' }>,
  column: ColumnStatistics,
): number | undefined {
  if (value === null && field.match?.kind === 'array') return undefined;
  if (operator === 'eq' || operator === 'ne') {
    const equal = value === null ? column.nulls : frequency(field, value, column);
    return operator === 'eq' ? equal : 1 - equal;
  }
  return value === null || field.type === 'text' ? undefined : ofRange(operator, value, column);
}

function ofMembership(
  { field, values, negated }: Extract<Filter, { kind: 'in' }>,
  column: ColumnStatistics,
): number {
  const any = values.reduce<number>((sum, value) => sum + frequency(field, value, column), 0);
  return negated ? Math.max(0, 1 - any) : Math.min(1, any);
}

function frequency(
  { type }: ResourceField,
  value: BoundValue,
  { frequent }: ColumnStatistics,
): number {
  if (type === 'instant') {
    const instant = instantText(String(value));
    return [...frequent].find(([text]) => instantText(text) === instant)?.[1] ?? 0;
  }
  return frequent.get(typeof value === 'boolean' ? `${value}`.charAt(0) : String(value)) ?? 0;
}

function ofRange(
  operator: OrderOperator,
  value: BoundValue,
  { nulls, frequent, bounds }: ColumnStatistics,
): number {
  const isMet = (text: string) => IS_MET[operator](compared(text, value));
  const shares = [...frequent];
  const all = shares.reduce((sum, [, share]) => sum + share, 0);
  const met = shares.reduce((sum, [text, share]) => sum + (isMet(text) ? share : 0), 0);
  const others = Math.max(0, 1 - nulls - all);
  return bounds.length === 0 ? met : met + (others * bounds.filter(isMet).length) / bounds.length;
}

// Numbers as numbers; days and instants as texts, which are ordered by time.
function compared(text: string, value: BoundValue): number {
  if (typeof value === 'number') return Number(text) - value;
  const [one, other] = [instantText(text), instantText(String(value))];
  return one === other ? 0 : one < other ? -1 : 1;
}

function instantText(text: string): string {
  const written = text.replace(' ', 'T').replace(/(?:Z|\+00)$/, '');
  if (!written.includes('.')) return written;
  // PostgreSQL writes no zeros at the end of a fraction.
  let end = written.length;
  while (written.charAt(end - 1) === '0') end -= 1;
  return written.slice(0, written.charAt(end - 1) === '.' ? end - 1 : end);
}
