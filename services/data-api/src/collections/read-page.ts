import { ApiError } from '@vcds/service-kit/api-errors';
import type { Answer, Database } from '../postgres/database.ts';
import type { Statement } from '../postgres/statement.ts';
import type { KeyValue, PageCursorCodec } from './cursor.ts';
import { isOfManyRecords, PAGE_RELATED_MAX, relatedMaxOf } from './json.ts';
import { type Boundary, hasSeveralKeys } from './order.ts';
import { type Access, accessAfterScan, accessOf } from './order-scan.ts';
import type { PagePlan } from './plan.ts';
import { TOP } from './query.ts';
import { compileOrderScan, compileScannedBoundary } from './scan-sql.ts';
import { compileBoundary, compilePage, compileRelatedCheck } from './sql.ts';
import { suitsGenericPlan } from './suits-generic-plan.ts';

/** The row of the statement of a page. */
export interface PageRow extends Answer {
  /** The position of its last record, if more follow. */
  readonly keys: readonly KeyValue[] | null;
  readonly seen: string | null;
}

/** The dependencies of reading pages. */
export interface PageSources {
  readonly database: Database;
  /** {base_url}, for the links of expanded relations. */
  readonly baseUrl: string;
  readonly cursors: { readonly pages: PageCursorCodec };
}

/**
 * Reads a page (docs/spec/collections.md 6.5). For the first page of an order by several keys, and one
 * by `$skip`, it first looks up the values of the keys in the last row of the page. `next` is the cursor of the next page, if there is
 * one; its page is read from a server that has at least what this one had.
 *
 * @throws ApiError `unavailable`; `bad_parameter` for a page with too many related records.
 */
export async function readPage(asked: PagePlan, sources: PageSources): Promise<Answer> {
  const { database, cursors } = sources;
  if (asked.after !== undefined) await database.requireReplayed(asked.after.seen);
  const access = accessOf(asked, database.statistics.of);
  const row = await readByScan(asked, access, sources);
  const { keys, seen, ...answer } = row;
  if (keys === null || seen === null) return answer;
  return { ...answer, next: cursors.pages.encode({ keys, seen: BigInt(seen) }, asked.identity) };
}

async function readByScan(
  plan: PagePlan,
  expected: Access,
  sources: PageSources,
): Promise<PageRow> {
  const { database } = sources;
  const { access, first } = await accessBySeveralKeys(plan, expected, database);
  const isPlain = access.isSorted || plan.after !== undefined;
  const boundaries = isPlain ? [] : await boundariesOf(plan, access, first, database);
  await assertFewRelated(plan, boundaries, database);
  return rowOfPage(plan, boundaries, access, sources);
}

async function rowOfPage(
  plan: PagePlan,
  boundaries: readonly Boundary[],
  access: Access,
  sources: PageSources,
): Promise<PageRow> {
  const { database, baseUrl } = sources;
  if (boundaries.length === 0 && suitsGenericPlan(plan)) {
    return onlyRow(database, compilePage(plan, baseUrl));
  }
  if (access.scan === undefined || hasSeveralKeys(plan.resource, plan.orderBy)) {
    return onlyRow(database, compilePage(plan, baseUrl, boundaries, access));
  }
  const scanned = await onlyRow(database, compileOrderScan(plan, baseUrl, access.scan));
  if (scanned.more) return scanned;
  const then = accessAfterScan(access, scanned.records, plan);
  return onlyRow(database, compilePage(plan, baseUrl, boundaries, then));
}

async function onlyRow(database: Database, statement: Statement): Promise<PageRow> {
  const [row] = await database.rows<PageRow>(statement);
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}

/** The access, and the first boundary if a scan has found it. */
async function accessBySeveralKeys(plan: PagePlan, access: Access, database: Database) {
  const { scan, isSorted } = access;
  const none: readonly Boundary[] = [];
  if (isSorted || scan === undefined || !hasSeveralKeys(plan.resource, plan.orderBy)) {
    return { access, first: none };
  }
  const lookUp = compileScannedBoundary(plan, scan);
  const [found] = await database.rows<{ value: Boundary }>(lookUp);
  if (found === undefined) {
    return { access: accessAfterScan(access, 0, plan), first: none };
  }
  return { access, first: [found.value] };
}

async function boundariesOf(
  plan: PagePlan,
  access: Access,
  first: readonly Boundary[],
  database: Database,
): Promise<readonly Boundary[]> {
  const boundaries: Boundary[] = [...first];
  for (;;) {
    const lookUp = compileBoundary(plan, boundaries, access);
    const [found] = lookUp ? await database.rows<{ value: Boundary }>(lookUp) : [];
    if (found === undefined) return boundaries;
    boundaries.push(found.value);
  }
}

async function assertFewRelated(
  plan: PagePlan,
  boundaries: readonly Boundary[],
  database: Database,
): Promise<void> {
  const check = compileRelatedCheck(plan, boundaries);
  if (check === undefined || (await database.rows(check)).length === 0) return;
  const lists = plan.expands.filter(isOfManyRecords);
  const names = lists.map(({ name }) => name);
  const topMax = Math.floor(PAGE_RELATED_MAX / relatedMaxOf(lists));
  throw new ApiError(
    'bad_parameter',
    `With $expand=${names.join(',')}, this page has more than ${PAGE_RELATED_MAX} related records. ` +
      `Use $top=${topMax}, which is always allowed, and follow the Link header.`,
    { parameter: TOP.name, value: plan.top, suggestion: String(topMax) },
  );
}
