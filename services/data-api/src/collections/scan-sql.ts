/** Statements that scan a bounded number of rows of an order. */
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import { compileFilter, patternSql } from './filter-sql.ts';
import { ordering, sortSql } from './order.ts';
import type { Scan } from './order-scan.ts';
import type { PagePlan } from './plan.ts';
import { mayScan, pageOf, partsOf, ROW } from './sql.ts';
import type { Prefix } from './terms.ts';

/**
 * The statement of a page that is full within the rows of a scan of its order. Without `more`, it is
 * not the page: {@link compilePage} is.
 */
export function compileOrderScan(plan: PagePlan, baseUrl: string, scan: Scan): Statement {
  const values = new SqlValues();
  const { top, skip } = plan;
  const rows = `SELECT ${ROW}.* FROM ${scanned(plan, scan, values)} LIMIT ${top + 1} OFFSET ${skip}`;
  // The planner compares a pattern once, if it has its value.
  return pageOf(plan, baseUrl, rows, values, scan.prefix === undefined ? 'generic' : 'custom');
}

/**
 * Looks up the value of the first key in the last row of a page by several keys, as
 * {@link compileBoundary}, within the rows of a scan. No row: the page has fewer, or the filter depends
 * on the order. After a cursor, the scan begins with about the position of the cursor.
 */
export function compileScannedBoundary(plan: PagePlan, scan: Scan): Statement {
  const { after, orderBy, top } = plan;
  const [first] = orderBy;
  if (first === undefined) throw new TypeError('The order has no keys.');
  const position = after && { ...after, keys: [after.keys[0] ?? null, after.keys.at(-1) ?? null] };
  const values = new SqlValues();
  const rows = scanned({ ...plan, orderBy: [first], after: position }, scan, values);
  const text = `SELECT (${sortSql(first.field, ROW)})::text AS value FROM ${rows} LIMIT 1 OFFSET ${top}`;
  return { text, values: values.values, plan: 'generic', scans: mayScan(plan) };
}

// LIMIT separates the filter from the scan: whatever its selectivity, the order's index is read.
function scanned(plan: PagePlan, { rowsMax, within, prefix }: Scan, values: SqlValues): string {
  const { resource, orderBy, after, filter } = plan;
  const [part] = after === undefined ? [] : partsOf(plan, after, values);
  const from = [
    resource.live(ROW),
    ...within.map((term) => compileFilter(term, ROW, values)),
    ...(part === undefined ? [] : [part.condition]),
    ...(prefix === undefined ? [] : [beginsWith(prefix, plan, values)]),
  ].join(' AND ');
  return `(SELECT ${ROW}.* FROM ${resource.table} AS ${ROW} WHERE ${from}
      ORDER BY ${ordering(resource, orderBy, ROW)} LIMIT ${rowsMax}) AS ${ROW}
    WHERE ${filter === undefined ? 'true' : compileFilter(filter, ROW, values)}`;
}

/** The index of variants has so many characters of their folded text. */
const VARIANT_CHARACTERS = 100;

// U+FFFF is after every character.
function beginsWith(
  { text, ordered, folded, isVariant }: Prefix,
  plan: PagePlan,
  values: SqlValues,
): string {
  const { table, live } = plan.resource;
  const first = `venture.fold(${values.add(text, 'text')})`;
  const isIn = (row: string) =>
    `${ordered(row)} >= ${first} AND ${ordered(row)} < ${first} || U&'\\FFFF'`;
  const beginning = { kind: 'literal', text: text.slice(0, VARIANT_CHARACTERS) } as const;
  const pattern = patternSql({ parts: [beginning, { kind: 'anyRun' }] }, values);
  const elsewhere = [
    ...[live('v'), isVariant('v'), `NOT (${isIn('v')})`],
    `left(${folded('v')}, ${VARIANT_CHARACTERS}) COLLATE "C" LIKE ${pattern}`,
    ...(plan.filter === undefined ? [] : [compileFilter(plan.filter, 'v', values)]),
  ];
  return `${isIn(ROW)} AND (SELECT NOT EXISTS (
      SELECT FROM ${table} AS v WHERE ${elsewhere.join(' AND ')}))`;
}
