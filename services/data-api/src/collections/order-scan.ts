import type { StatisticsOf } from '../postgres/column-statistics.ts';
import type { PagePlan } from './plan.ts';
import { selectivityOf } from './selectivity.ts';

/** How the rows of a page are found; otherwise the planner chooses for the values. */
export interface Access {
  /** First reads a bounded number of rows in order. */
  readonly isScanned: boolean;
  /** Reads all rows that meet the filter, and sorts them. */
  readonly isSorted: boolean;
}

const PLANNED: Access = { isScanned: false, isSorted: false };

/** A scan reads at most this many rows, and for each row of the page. */
const SCANNED_MAX = 10_000;
const SCANNED_PER_ROW = 400;
/** At least this many times the expected number, as columns may depend on each other somewhat. */
const MARGIN = 4;
/** For a smaller share, all rows that meet the filter are few enough to sort, by one key and by several. */
const SORTED_SHARE_MAX = { one: 0.04, several: 0.01 } as const;
/** Planning a larger page is a small part of its work. */
const ROWS_MAX = 1_000;

/** The most rows that a scan of the order reads for a page. */
export function scannedRowsMax({ top }: PagePlan): number {
  return Math.min(SCANNED_MAX, SCANNED_PER_ROW * (top + 1));
}

/**
 * The access for a page whose filter the statistics know. A page by one key that is likely to be full
 * after few rows of its order is scanned with a generic plan, which saves planning; a wrong estimate
 * costs the rows of the scan, no more. For a filter that few records meet, the planner must not scan
 * the order: if the conditions exclude each other, it would expect matches that do not exist and read
 * the whole table.
 */
export function accessOf(plan: PagePlan, statistics: StatisticsOf): Access {
  const { resource, filter, orderBy, narrowed, parent, top, skip } = plan;
  if (filter === undefined || parent !== undefined || (narrowed?.by.length ?? 0) > 0)
    return PLANNED;
  const share = selectivityOf(filter, resource.table, statistics);
  if (share === undefined) return PLANNED;
  const isFirst = orderBy.length <= 1 && skip === 0 && top <= ROWS_MAX;
  return {
    isScanned: isFirst && share * scannedRowsMax(plan) >= MARGIN * (top + 1),
    isSorted: share < SORTED_SHARE_MAX[orderBy.length <= 1 ? 'one' : 'several'],
  };
}
