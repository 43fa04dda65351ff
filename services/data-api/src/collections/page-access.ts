import type { BoundFilter, BoundValue, CompareOperator } from '@vcds/odata-query';
import type { ColumnStatistics, StatisticsOf } from '../postgres/column-statistics.ts';
import type { ResourceField } from '../resources/index.ts';
import { hasSeveralKeys, isTieBreak, termsOf } from './order.ts';
import type { CountPlan, PagePlan } from './plan.ts';

type Filter = BoundFilter<ResourceField>;
type OrderOperator = Exclude<CompareOperator, 'eq' | 'ne'>;

/** A term that compares a field with a value in the order of its index. */
export type Comparison = Extract<Filter, { kind: 'compare' }>;

/** How the rows of a page are found. It changes the work of a page, never its rows. */
export type Access =
  /** PostgreSQL chooses: once for all values (`generic`), or for the values of each call (`custom`). */
  | { readonly kind: 'planned'; readonly planning: 'generic' | 'custom' }
  /** At most `rowsMax` rows in the order of the first key, of those that meet `within`; then {@link accessAfter}. */
  | { readonly kind: 'inOrder'; readonly rowsMax: number; readonly within: readonly Comparison[] }
  /** All rows that meet the filter, by its indexes, and sorted. */
  | { readonly kind: 'sorted' };

export const GENERIC: Access = { kind: 'planned', planning: 'generic' };
export const PLANNED: Access = { kind: 'planned', planning: 'custom' };
export const SORTED: Access = { kind: 'sorted' };

/** The bound of a read in order: one in vain takes 10 to 20 ms for a page of few rows. */
const IN_ORDER_MAX = { least: 10_000, perRow: 200, most: 40_000 } as const;
/** A read in order must be expected to end within this part of its bound. */
const EXPECTED_PART = 0.8;
/** A read that found this part of its page would fill it soon after its bound. */
const FOUND_PART = 0.25;
/** Sorting more matches may take longer than reading all of the order. */
const SORTED_MAX = 40_000;
/** Planning a larger page is a small part of its work. */
const TOP_MAX = 1_000;
/** The cost of an entry of an index whose row another term excludes, in rows that are read. */
const ENTRY_COST = 0.08;
/** An order by several keys is read by several statements. */
const SEVERAL_KEYS_COST = 4;

/**
 * The access of a page: the whole decision, by the first line that applies.
 *
 * | The page | is read |
 * | --- | --- |
 * | of a record in the path, or of required ids | generic: their index has few rows |
 * | of all records, or of those that compare the first key only | generic: its index has them in order |
 * | with a pattern on the first key that has a beginning | sorted: the matches are together, anywhere in the order |
 * | below a category, or with a term without statistics, such as a pattern | custom |
 * | with more rows to read in order than rows that meet the filter | sorted |
 * | the first one, of up to 1,000 rows, expected within the bound | in order; not full then, {@link accessAfter} |
 * | any other with at most 40,000 rows that meet the filter | sorted |
 * | any other | custom |
 *
 * Rows to read in order are those of the page divided by the share of rows that meet the filter, by
 * PostgreSQL's statistics of columns, which are taken for independent. PostgreSQL alone decides alike, but
 * where terms exclude each other or depend on the order, it expects matches that are not there and reads
 * the whole order for them. The bound limits what a wrong estimate costs.
 *
 * An order by several keys first looks up the value of each key but the last in the last row of the page
 * (`compileBoundary`), unless it is sorted: the rows that share a value, which can be half of the table, are
 * then read by the index of the next key.
 *
 * A generic plan saves planning. It serves where an index bounds the work for all values; for other
 * filters, the plan for a rare value is slow for a frequent one, and the other way round.
 */
export function accessOf(plan: PagePlan, statistics: StatisticsOf): Access {
  const { resource, filter, orderBy, narrowed, after, top, skip } = plan;
  if (isOfIds(plan)) return GENERIC;
  const terms = termsOf(filter);
  const isBySeveral = hasSeveralKeys(resource, orderBy);
  const isNarrowed = (narrowed?.by.length ?? 0) > 0;
  const shareOf = (each: Filter) => shareOfRows(each, resource.table, statistics);
  const within = termsOfIndex(plan, terms, shareOf);
  const isOfIndex = within.length === terms.length && !(isBySeveral && after !== undefined);
  if (isOfIndex && !isNarrowed && !(isBySeveral && terms.length > 0)) return GENERIC;
  if (terms.some((term) => hasBeginning(term, orderBy[0]?.field))) return SORTED;
  const share = filter === undefined || isNarrowed ? undefined : shareOf(filter);
  const tableRows = statistics(resource.table, resource.tieBreak)?.rows;
  if (share === undefined || tableRows === undefined) return PLANNED;
  const ofIndex = within.reduce((product, term) => product * (shareOf(term) ?? 1), 1);
  const oneRow = 1 / tableRows;
  const rowsInOrder = ((skip + top + 1) * Math.max(ofIndex, oneRow)) / Math.max(share, oneRow);
  const entries = terms.reduce((sum, term) => sum + (shareOf(term) ?? 1), 0);
  const rowsSorted = tableRows * (share + ENTRY_COST * entries);
  if (rowsInOrder * (isBySeveral ? SEVERAL_KEYS_COST : 1) > rowsSorted) return SORTED;
  const { least, perRow, most } = IN_ORDER_MAX;
  const rowsMax = Math.min(most, Math.max(least, perRow * top));
  const isFirst = skip === 0 && top <= TOP_MAX && !(isBySeveral && after !== undefined);
  if (isFirst && rowsInOrder <= EXPECTED_PART * rowsMax)
    return { kind: 'inOrder', rowsMax, within };
  return rowsSorted <= SORTED_MAX ? SORTED : PLANNED;
}

/**
 * The access after a read in order that found fewer records than the page has. With few of them, the filter
 * depends on the order, which may have the others at its end.
 */
export function accessAfter(found: number, { top }: PagePlan): Access {
  return found < FOUND_PART * top ? SORTED : PLANNED;
}

/** Whether an index of ids bounds the work of a statement, so that one plan suits it for all values. */
export function isOfIds({ parent, filter }: PagePlan | CountPlan): boolean {
  const terms = termsOf(filter);
  if (terms.some(needsValue)) return false;
  return parent !== undefined || terms.some(requiresIds);
}

// The planner folds a pattern or a search once, not for each row, if it has its value.
function needsValue(filter: Filter): boolean {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.operands.some(needsValue);
  if (filter.kind === 'not') return needsValue(filter.operand);
  return filter.kind === 'like' || filter.kind === 'keywords';
}

// Ids of the record or of its company. Of related rows, such as investors, there may be many.
function requiresIds(term: Filter): boolean {
  if (term.kind !== 'compare' && term.kind !== 'in') return false;
  if (term.field.type !== 'uuid' || term.field.match?.kind !== 'column') return false;
  return term.kind === 'in' ? !term.negated : term.operator === 'eq' && term.value !== null;
}

function hasBeginning(term: Filter, first: ResourceField | undefined): boolean {
  return term.kind === 'like' && term.field === first && term.pattern.parts[0]?.kind === 'literal';
}

// The comparisons with the first key; by the tie break, the equality that fewest rows meet.
function termsOfIndex(
  { resource, orderBy: [first] }: PagePlan,
  terms: readonly Filter[],
  shareOf: (term: Filter) => number | undefined,
): readonly Comparison[] {
  const compared = terms.filter(isComparison);
  if (first !== undefined && !isTieBreak(resource, first.field)) {
    return compared.filter(({ field }) => field === first.field);
  }
  return compared
    .filter(({ operator }) => operator === 'eq')
    .toSorted((one, other) => (shareOf(one) ?? 1) - (shareOf(other) ?? 1))
    .slice(0, 1);
}

// An index of the field has the rows. Text is sorted by another order than it is compared by.
function isComparison(term: Filter): term is Comparison {
  if (term.kind !== 'compare' || term.operator === 'ne' || term.value === null) return false;
  const { sortable, type, match } = term.field;
  return sortable && type !== 'text' && match?.kind === 'column';
}

/**
 * The share of a table's rows that meet a filter, 0 to 1. Undefined if a term has no statistics. A value that is not frequent
 * has the share 0.
 */
export function shareOfRows(
  filter: Filter,
  table: string,
  statistics: StatisticsOf,
): number | undefined {
  const of = (each: Filter) => shareOfRows(each, table, statistics);
  switch (filter.kind) {
    case 'and':
      return combined(filter.operands.map(of), (shares) => shares.reduce((all, one) => all * one));
    case 'or':
      return combined(filter.operands.map(of), (shares) => Math.max(...shares));
    case 'not':
      return combined([of(filter.operand)], ([share = 0]) => 1 - share);
    case 'compare':
    case 'in': {
      const { match, type } = filter.field;
      if (match?.kind !== 'column' && match?.kind !== 'array') return undefined;
      const isRange = filter.kind === 'compare' && filter.operator in IS_MET;
      // Statistics write instants in another form.
      if (type === 'instant' && !isRange) return undefined;
      const column = statistics(table, match.sql('r').slice('r.'.length));
      return column && (filter.kind === 'in' ? ofList(filter, column) : compared(filter, column));
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

function compared(
  { field, operator, value }: Comparison,
  column: ColumnStatistics,
): number | undefined {
  if (value === null && field.match?.kind === 'array') return undefined;
  if (operator === 'eq' || operator === 'ne') {
    const equal = value === null ? column.nulls : frequency(value, column);
    return operator === 'eq' ? equal : 1 - equal;
  }
  return value === null || field.type === 'text' ? undefined : ofRange(operator, value, column);
}

function ofList(
  { values, negated }: Extract<Filter, { kind: 'in' }>,
  column: ColumnStatistics,
): number {
  const any = values.reduce<number>((sum, value) => sum + frequency(value, column), 0);
  return Math.max(0, Math.min(1, negated ? 1 - any : any));
}

// Statistics have `t` and `f`.
function frequency(value: BoundValue, { frequent }: ColumnStatistics): number {
  return frequent.get(typeof value === 'boolean' ? `${value}`.charAt(0) : String(value)) ?? 0;
}

const IS_MET: Readonly<Record<OrderOperator, (order: number) => boolean>> = {
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};

function ofRange(
  operator: OrderOperator,
  value: BoundValue,
  { nulls, frequent, bounds }: ColumnStatistics,
): number {
  const isMet = (text: string) => IS_MET[operator](difference(text, value));
  const shares = [...frequent];
  const all = shares.reduce((sum, [, share]) => sum + share, 0);
  const met = shares.reduce((sum, [text, share]) => sum + (isMet(text) ? share : 0), 0);
  const others = Math.max(0, 1 - nulls - all);
  return bounds.length === 0 ? met : met + (others * bounds.filter(isMet).length) / bounds.length;
}

// Numbers as numbers; days, and instants to the second, as texts, which are ordered by time.
function difference(text: string, value: BoundValue): number {
  if (typeof value === 'number') return Number(text) - value;
  const toSecond = (instant: string) => instant.replace(' ', 'T').slice(0, 19);
  const [one, other] = [toSecond(text), toSecond(String(value))];
  return one === other ? 0 : one < other ? -1 : 1;
}
