import type { StatisticsOf } from '../postgres/column-statistics.ts';
import type { Resource, ResourceField } from '../resources/index.ts';
import type { KeyValue } from './cursor.ts';
import { hasSeveralKeys } from './order.ts';
import type { PagePlan } from './plan.ts';
import { frequencyOf, selectivityOf } from './selectivity.ts';
import {
  type Comparison,
  type Filter,
  isComparison,
  type Prefix,
  prefixOf,
  termsOf,
} from './terms.ts';

/** A bounded read of an order. */
export interface Scan {
  readonly rowsMax: number;
  /** Only rows that meet these terms are read, by the index of the order or of an equality. */
  readonly within: readonly Comparison[];
  /** Only rows whose first key has this beginning are read; none if there are matches elsewhere in the order. */
  readonly prefix?: Prefix;
}

/** How the rows of a page are found; otherwise the planner chooses for the values. */
export interface Access {
  /** The expected number of rows to read; undefined without statistics of the filter. */
  readonly rows: number | undefined;
  /** The expected number of matches. */
  readonly matches?: number;
  /** First reads a bounded number of rows in order, of several keys in that of the first one. */
  readonly scan: Scan | undefined;
  /** Reads all rows that meet the filter, and sorts them. */
  readonly isSorted: boolean;
  /** Whether to sort the rows that have these values of the first keys. */
  readonly isGroupSorted: (values: readonly KeyValue[]) => boolean;
  /** The only term whose index is read to sort all rows: another would list more rows than it excludes. */
  readonly sortedWithin?: Comparison | undefined;
}

export const PLANNED: Access = {
  rows: undefined,
  scan: undefined,
  isSorted: false,
  isGroupSorted: () => false,
};

/** The bounds of scans: these are parts of the texts of statements, so they are few. */
const SCANS = [1_250, 2_500, 5_000, 10_000, 20_000, 40_000] as const;
/** Of them, the largest for a page: for each of its rows, but not less than the first number. */
const SCANNED_MAX = { rows: 10_000, perRow: 200 } as const;
/**
 * The bound of a scan is this many times the expected number of rows, and at least this part of those
 * that a sort reads: a scan that ends in vain then costs little beside the sort. The largest bound may
 * be the least number of times.
 */
const MARGIN = { scanned: 2, least: 1.25, sorted: 1 / 4 } as const;
/** The most rows that are sorted for an order by one key, and by several. */
const SORTED_MAX = { one: 40_000, several: 10_000 } as const;
/** The cost of an index entry whose row another condition excludes, in rows that are read. */
const ENTRY_COST = 0.08;
/** Planning a larger page is a small part of its work. */
const ROWS_MAX = 1_000;

/**
 * The access for a page whose filter the statistics know: the one that is expected to read fewer
 * rows. A scan reads the order until the page is full; it has a generic plan, which saves planning,
 * and a wrong estimate costs its bounded number of rows, no more. A sort reads the rows that meet the
 * filter. For a filter that few rows meet, the planner must not scan the order: it takes conditions
 * for independent, and if they exclude each other or depend on the order, it would expect matches
 * where none are, and read the whole table.
 */
export function accessOf(plan: PagePlan, statistics: StatisticsOf): Access {
  const { resource, filter, orderBy, narrowed, parent, top, skip } = plan;
  if (parent !== undefined || (narrowed?.by.length ?? 0) > 0) return PLANNED;
  const shareOf = (each: Filter) => selectivityOf(each, resource.table, statistics);
  const share = filter === undefined ? 1 : shareOf(filter);
  const tableRows = statistics(resource.table, resource.tieBreak)?.rows;
  if (share === undefined || tableRows === undefined) return accessByPrefix(plan);

  const terms = termsOf(filter);
  const entries = terms.reduce((sum, term) => sum + (shareOf(term) ?? 1), 0);
  const isGroupSorted = groupSorter(plan, { share, entries, tableRows }, statistics);
  const rows = top + 1;
  if (filter === undefined) {
    // An order by one key is read from its nearer end.
    const fromEnd = Math.max(tableRows - skip, 0);
    const skipped = hasSeveralKeys(resource, orderBy) ? skip : Math.min(skip, fromEnd);
    return { ...PLANNED, rows: skipped + rows, isGroupSorted };
  }
  const byAll = tableRows * (share + ENTRY_COST * entries);
  const [driver] = rarest(terms.filter(isEquality), shareOf) ?? [];
  const byOne = driver === undefined ? byAll : tableRows * (shareOf(driver) ?? 1);
  const sorted = Math.min(byAll, byOne);
  const within = termsOfIndex(plan, terms, shareOf);
  const scannedPerRow = within.reduce((all, term) => all * (shareOf(term) ?? 1), 1) / share;
  const scanned = rows * scannedPerRow;
  const isFirst = skip === 0 && top <= ROWS_MAX;
  const isScanned = isFirst && rows <= share * tableRows && scanned <= sorted;
  const rowsMax = isScanned ? scanBound(plan, scanned, sorted) : undefined;
  return {
    matches: share * tableRows,
    rows: Math.min((skip + rows) * scannedPerRow, sorted),
    scan: rowsMax === undefined ? undefined : { rowsMax, within },
    // An index has the rows of these terms in order.
    isSorted:
      sorted <= SORTED_MAX[orderBy.length <= 1 ? 'one' : 'several'] &&
      !(orderBy.length <= 1 && within.length === terms.length),
    sortedWithin: terms.length > 1 && byOne < byAll ? driver : undefined,
    isGroupSorted,
  };
}

/**
 * The access for a pattern with a beginning, in the order of its field: a scan of the part of the order with this
 * beginning. The planner takes the pattern for independent of the order, and would scan it from its end.
 */
function accessByPrefix(plan: PagePlan): Access {
  const { resource, orderBy, skip, top } = plan;
  const prefix = prefixOf(plan);
  if (prefix === undefined) return PLANNED;
  const isScanned = !hasSeveralKeys(resource, orderBy) && skip + top < SCANNED_MAX.rows;
  if (!isScanned) return { ...PLANNED, isSorted: true };
  return { ...PLANNED, scan: { rowsMax: SCANNED_MAX.rows, within: [], prefix } };
}

/** A scan that finds less than this part of its page has shown that the filter depends on the order. */
const FOUND_PART = 1 / 4;

/**
 * The access after a scan that found fewer records than the page has. If it found few, the order may have
 * the others at its end: reading all matches costs less than the whole order.
 */
export function accessAfterScan(access: Access, found: number, { top }: PagePlan): Access {
  const isAtEnd = access.scan?.prefix !== undefined || found < FOUND_PART * top;
  return isAtEnd ? { ...access, isSorted: true } : access;
}

function scanBound({ top }: PagePlan, scanned: number, sorted: number): number | undefined {
  const most = Math.max(SCANNED_MAX.rows, SCANNED_MAX.perRow * (top + 1));
  const bounds = SCANS.filter((bound) => bound <= most);
  const wanted = Math.max(MARGIN.scanned * scanned, MARGIN.sorted * sorted);
  const bound = bounds.find((each) => each >= wanted) ?? bounds.at(-1);
  return bound !== undefined && bound >= MARGIN.least * scanned ? bound : undefined;
}

/** The estimates of a filter: the rows that meet it, and the index entries of its terms, as shares. */
interface Estimates {
  readonly share: number;
  readonly entries: number;
  readonly tableRows: number;
}

// Otherwise the rows of a group are read by an index of the next key, which has those of other groups.
function groupSorter(
  { resource, orderBy, top }: PagePlan,
  { share, entries, tableRows }: Estimates,
  statistics: StatisticsOf,
): Access['isGroupSorted'] {
  return (values) => {
    const shares = values.map((value, index) => {
      const field = orderBy[index]?.field;
      return field && frequencyOf(field, value, resource.table, statistics);
    });
    const known = shares.flatMap((each) => each ?? []);
    if (known.length < shares.length) return false;
    const ofGroup = known.reduce((product, each) => product * each, share);
    const read = known.reduce((sum, each) => sum + each, entries);
    return tableRows * (ofGroup + ENTRY_COST * read) * ofGroup <= top + 1;
  };
}

// The comparisons with the first key; by the tie break, the equality that fewest rows meet.
function termsOfIndex(
  { resource, orderBy }: PagePlan,
  terms: readonly Filter[],
  shareOf: (term: Filter) => number | undefined,
): readonly Comparison[] {
  const [first] = orderBy;
  if (first !== undefined && !isTieBreak(resource, first.field)) {
    return terms.filter(isComparison).filter(({ field }) => field === first.field);
  }
  return rarest(terms.filter(isEquality), shareOf) ?? [];
}

function isTieBreak({ tieBreak }: Resource, { match }: ResourceField): boolean {
  return match?.kind === 'column' && match.sql('r') === `r.${tieBreak}`;
}

const isEquality = (term: Filter): term is Comparison =>
  isComparison(term) && term.operator === 'eq';

function rarest(
  terms: readonly Comparison[],
  shareOf: (term: Filter) => number | undefined,
): readonly [Comparison] | undefined {
  const [first] = terms.toSorted((one, other) => (shareOf(one) ?? 1) - (shareOf(other) ?? 1));
  return first && [first];
}

/**
 * The keys without those that a term of the filter restricts to one value, because these order
 * nothing. The last key stays: the tie break has its direction.
 */
export function varyingKeys(
  keys: PagePlan['orderBy'],
  filter: PagePlan['filter'],
): PagePlan['orderBy'] {
  const isConstant = (field: ResourceField) =>
    termsOf(filter).some(
      (term) =>
        term.kind === 'compare' &&
        term.operator === 'eq' &&
        term.field === field &&
        field.type !== 'text',
    );
  return keys.filter(({ field }, index) => index === keys.length - 1 || !isConstant(field));
}
