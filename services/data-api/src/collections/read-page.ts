import { ApiError } from '@vcds/service-kit/api-errors';
import type { Answer, Database } from '../postgres/database.ts';
import type { Statement } from '../postgres/statement.ts';
import type { KeyValue, PageCursorCodec } from './cursor.ts';
import { isOfManyRecords, PAGE_RELATED_MAX, relatedMaxOf } from './json.ts';
import { withListedValues } from './listed-values.ts';
import type { Boundary } from './order.ts';
import { type Access, accessAfter, accessOf, PLANNED, SORTED } from './page-access.ts';
import { compileBoundary, compilePage, compileRelatedCheck } from './page-sql.ts';
import type { PagePlan } from './plan.ts';
import { TOP } from './query.ts';

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
 * Reads a page (docs/spec/collections.md 6.5) as {@link accessOf} decides. `next` is the cursor of the
 * next page, if there is one; its page is read from a server that has at least what this one had.
 *
 * @throws ApiError `unavailable`; `bad_parameter` for a page with too many related records.
 */
export async function readPage(asked: PagePlan, sources: PageSources): Promise<Answer> {
  const { database, cursors, baseUrl } = sources;
  if (asked.after !== undefined) await database.requireReplayed(asked.after.seen);
  const plan = await withListedValues(asked, database);
  const { access, boundaries } = await boundariesOf(
    plan,
    accessOf(plan, database.statistics.of),
    database,
  );
  await assertFewRelated(plan, access, boundaries, database);
  let row = await onlyRow(database, compilePage(plan, baseUrl, access, boundaries));
  if (access.kind === 'inOrder' && !row.more) {
    row = await onlyRow(database, compilePage(plan, baseUrl, accessAfter(row.records, plan)));
  }
  const { keys, seen, ...answer } = row;
  if (keys === null || seen === null) return answer;
  return { ...answer, next: cursors.pages.encode({ keys, seen: BigInt(seen) }, plan.identity) };
}

async function onlyRow(database: Database, statement: Statement): Promise<PageRow> {
  const [row] = await database.rows<PageRow>(statement);
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}

/** The boundaries of a page by several keys, and its access then. */
async function boundariesOf(plan: PagePlan, access: Access, database: Database) {
  const boundaries: Boundary[] = [];
  for (;;) {
    const lookUp = compileBoundary(plan, access, boundaries);
    if (lookUp === undefined) break;
    const [found] = await database.rows<{ value: Boundary }>(lookUp);
    if (found !== undefined) boundaries.push(found.value);
    else if (boundaries.length === 0 && access.kind === 'inOrder')
      return { access: SORTED, boundaries };
    else break;
  }
  return { access: boundaries.length === 0 ? access : PLANNED, boundaries };
}

async function assertFewRelated(
  plan: PagePlan,
  access: Access,
  boundaries: readonly Boundary[],
  database: Database,
): Promise<void> {
  const check = compileRelatedCheck(plan, access, boundaries);
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
