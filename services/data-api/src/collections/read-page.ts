import { ApiError } from '@vcds/service-kit/api-errors';
import type { Answer, Database } from '../postgres/database.ts';
import type { KeyValue, PageCursorCodec } from './cursor.ts';
import { withoutDeepSkip } from './deep-skip.ts';
import { isOfManyRecords, PAGE_RELATED_MAX, RELATED_MAX } from './json.ts';
import { type Boundary, effectiveKeys } from './order.ts';
import { type Access, accessAfterScan, accessOf } from './order-scan.ts';
import type { PagePlan } from './plan.ts';
import { TOP } from './query.ts';
import {
  compileBoundary,
  compileOrderScan,
  compilePage,
  compileRelatedCheck,
  compileScannedBoundary,
  ROW,
} from './sql.ts';
import { suitsGenericPlan } from './suits-generic-plan.ts';

/** The row of the statement of a page. */
interface PageRow extends Answer {
  /** The position of its last record, if more follow. */
  readonly keys: readonly KeyValue[] | null;
  readonly seen: string | null;
}

/** The dependencies of reading pages. */
export interface PageSources {
  readonly database: Database;
  readonly cursors: { readonly pages: PageCursorCodec };
  /** {base_url}, for the links of expanded relations. */
  readonly baseUrl: string;
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
  const { access, first } = await accessBySeveralKeys(asked, database);
  const plan = access.isSorted ? asked : await withoutDeepSkip(asked, database);
  const isPlain = access.isSorted || plan.after !== undefined;
  const boundaries = isPlain ? [] : await boundariesOf(plan, access, first, database);
  await assertFewRelated(plan, boundaries, database);
  const [row] = await rowsOfPage(plan, boundaries, access, sources);
  if (row === undefined) throw new Error('The statement returned no row.');
  const { keys, seen, ...answer } = row;
  if (keys === null || seen === null) return answer;
  return { ...answer, next: cursors.pages.encode({ keys, seen: BigInt(seen) }, plan.identity) };
}

const hasSeveralKeys = ({ resource, orderBy }: PagePlan): boolean =>
  effectiveKeys(resource, orderBy, ROW).length > 1;

async function rowsOfPage(
  plan: PagePlan,
  boundaries: readonly Boundary[],
  access: Access,
  { database, baseUrl }: PageSources,
): Promise<readonly PageRow[]> {
  if (boundaries.length === 0 && suitsGenericPlan(plan)) {
    return database.rows<PageRow>(compilePage(plan, baseUrl));
  }
  if (access.scan === undefined || hasSeveralKeys(plan)) {
    return database.rows<PageRow>(compilePage(plan, baseUrl, boundaries, access));
  }
  const scanned = await database.rows<PageRow>(compileOrderScan(plan, baseUrl, access.scan));
  const [row] = scanned;
  if (row === undefined || row.more) return scanned;
  const then = accessAfterScan(access, row.records, plan);
  return database.rows<PageRow>(compilePage(plan, baseUrl, boundaries, then));
}

/** The access, and the first boundary if a scan has found it. */
async function accessBySeveralKeys(
  plan: PagePlan,
  database: Database,
): Promise<{ readonly access: Access; readonly first: readonly Boundary[] }> {
  const access = accessOf(plan, database.statistics.of);
  const { scan, isSorted } = access;
  if (isSorted || scan === undefined || !hasSeveralKeys(plan)) return { access, first: [] };
  const lookUp = compileScannedBoundary(plan, scan);
  const [found] = await database.rows<{ value: Boundary }>(lookUp);
  if (found === undefined) return { access: accessAfterScan(access, 0, plan), first: [] };
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
  const lists = plan.expands.filter(isOfManyRecords).map(({ name }) => name);
  const topMax = Math.floor(PAGE_RELATED_MAX / RELATED_MAX / lists.length);
  throw new ApiError(
    'bad_parameter',
    `With $expand=${lists.join(',')}, this page has more than ${PAGE_RELATED_MAX} related records. ` +
      `Use $top=${topMax}, which is always allowed, and follow the Link header.`,
    { parameter: TOP.name, value: plan.top, suggestion: String(topMax) },
  );
}
