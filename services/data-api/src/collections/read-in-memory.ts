import type { FirstRecords, FirstRecordsQuery } from '@vcds/facet-engine';
import type { EntityId, IndexedId } from '@vcds/venture-model';
import type { Database } from '../postgres/database.ts';
import type { Statement } from '../postgres/statement.ts';
import { compileFoundPage, type FoundPageColumns } from './found-page.ts';
import { compileGroupPage } from './group-page.ts';
import { compileTextRange, type IndexedPage, indexedPageOf, needsAll } from './indexed-order.ts';
import { hasSeveralKeys } from './order.ts';
import { type Access, PLANNED } from './order-scan.ts';
import type { PagePlan } from './plan.ts';
import type { PageRow } from './read-page.ts';
import { compileRelatedCheck } from './sql.ts';

/** Batches may be applied between the search of the index and the read of its records. */
const ATTEMPTS = 3;
/** A page that is expected to read more rows beside its own is found in memory, if it can be. */
const OTHER_ROWS_MAX = 1_000;
/** So is a page that reads more rows, or more entries of the index of an order without a filter. */
const READ_MAX = { rows: 50_000, entries: 60_000 } as const;
/** With all matches, the database is as fast as the index if it reads fewer rows for each. */
const OTHERS_PER_MATCH = 2;
/** If the index has not all keys of several, more matches are likely to have too many equal ones. */
const UNORDERED_MAX = 200_000;
/** Without an estimate of the database: more matches hardly need a search, because the order has them soon. */
const UNKNOWN_MATCHES_MAX = 100_000;

/** How the records of a page that reads many rows were found: in memory, or why by the database. */
export type PageOutcome =
  | 'in_memory'
  /** A condition is not in the facet index, or the page has too many records. */
  | 'not_indexed'
  /** Too many changes are only in the log of the index. */
  | 'index_behind'
  /** No engine in memory is loaded. */
  | 'not_ready'
  /** The engine failed. */
  | 'failed'
  /** At each attempt the engine had another version than the snapshot. */
  | 'other_version'
  /** The order of the index does not separate enough records. */
  | 'too_many'
  /** Records that were found have changed, and the others are too few for the page. */
  | 'incomplete';

/** Finds records in memory. */
export interface RecordFinder {
  /** Whether an engine in memory is ready. */
  isReady(): boolean;
  /** Receives how the records of each page that reads many rows were found. */
  found(outcome: PageOutcome): void;
  /** Undefined if no engine in memory can search now. */
  firstRecords(query: FirstRecordsQuery<EntityId, IndexedId>): Promise<FirstRecords | undefined>;
}

/** The dependencies of pages from memory. */
export interface MemorySources {
  readonly database: Database;
  /** {base_url}, for the links of expanded relations. */
  readonly baseUrl: string;
  /** Absent without an engine in memory. */
  readonly categories?: { readonly records?: RecordFinder };
}

/**
 * Whether the database would read many rows to find the records of a page. With several keys, it reads also those
 * that share the first one; their number is not estimated.
 */
export function readsMany(plan: PagePlan, { rows }: Pick<Access, 'rows'>): boolean {
  const { parent, filter, skip, top, resource, orderBy } = plan;
  if (parent !== undefined) return false;
  if (rows === undefined || rows > skip + top + OTHER_ROWS_MAX) return true;
  const areSeveral = hasSeveralKeys(resource, orderBy);
  if (filter === undefined && !areSeveral) return rows > READ_MAX.entries;
  return rows > READ_MAX.rows || (filter !== undefined && areSeveral);
}

/**
 * Reads a page whose records an engine in memory finds. The records are those of one snapshot: a
 * statement reads them together with the changes that the copy does not have, and the version that
 * the copy must have. Undefined if the database has to find them: also if the number of related records has
 * to be checked before.
 *
 * @throws ApiError `unavailable`.
 */
export async function readInMemory(
  plan: PagePlan,
  sources: MemorySources,
  access: Pick<Access, 'rows' | 'matches'> = PLANNED,
): Promise<PageRow | undefined> {
  const finder = sources.categories?.records;
  if (finder === undefined || compileRelatedCheck(plan, []) !== undefined) return undefined;
  const matchesMax = access.rows === undefined ? UNKNOWN_MATCHES_MAX : undefined;
  const isReady = finder.isReady();
  // While the engine is not ready, any range shows whether the page is one of the index.
  const rangeNumber = isReady ? await rangeNumberOf(plan, sources) : 0;
  const page = indexedPageOf(plan, { matchesMax, rangeNumber });
  if (page !== undefined && !isWorthwhile(page, plan, access)) return undefined;
  const row = page && !isReady ? 'not_ready' : await find(plan, page, finder, sources);
  finder.found(typeof row === 'string' ? row : 'in_memory');
  return typeof row === 'string' ? undefined : row;
}

async function rangeNumberOf(plan: PagePlan, { database }: MemorySources) {
  const lookUp = compileTextRange(plan);
  if (lookUp === undefined) return undefined;
  const [row] = await database.rows<{ number: number | null }>(lookUp);
  return row?.number ?? undefined;
}

function isWorthwhile(
  page: IndexedPage,
  plan: PagePlan,
  { rows, matches }: Pick<Access, 'rows' | 'matches'>,
): boolean {
  if (isAllInRanges(page, plan)) return isFromRange(page, plan);
  if (rows === undefined || matches === undefined) return true;
  if (needsAll(page)) return rows > OTHERS_PER_MATCH * matches;
  return page.query.ids !== undefined || plan.orderBy.length <= 1 || matches <= UNORDERED_MAX;
}

/** Whether it is a page of all records by ranges: the one of its last record may have too many. */
function isAllInRanges({ query: { order } }: IndexedPage, { filter, narrowed }: PagePlan): boolean {
  return filter === undefined && (narrowed?.by.length ?? 0) === 0 && order[0]?.exactBelow === 0;
}

/** Whether the database can read such a page from the beginning of a range. */
function isFromRange(page: IndexedPage, plan: PagePlan): boolean {
  return isAllInRanges(page, plan) && plan.skip > 0;
}

/** A query of the engine, and the statement of the page by its result. */
interface Search {
  readonly query: IndexedPage['query'];
  /** Undefined if the records are too many. */
  readonly compile: (found: FirstRecords) => Statement | undefined;
  /** If they are, this one is made. */
  readonly next?: Search;
}

function searchOf(page: IndexedPage, plan: PagePlan, baseUrl: string): Search {
  const { condition, query } = page;
  const { order } = query;
  // Only the position of the first record is asked for.
  const ofGroup: Search = {
    query: { ...query, skip: plan.skip, count: 1, countMax: 1 },
    compile: ({ start }) => start && compileGroupPage(plan, baseUrl, { condition, order, start }),
  };
  if (isFromRange(page, plan)) return ofGroup;
  return {
    query,
    compile: ({ ids, start, isAll }) =>
      ids && compileFoundPage(plan, baseUrl, { condition, query, ids, start, isAll }),
    ...(query.skip > 0 ? { next: ofGroup } : {}),
  };
}

async function find(
  plan: PagePlan,
  page: IndexedPage | undefined,
  finder: RecordFinder,
  { database, baseUrl }: MemorySources,
): Promise<PageRow | Exclude<PageOutcome, 'in_memory'>> {
  if (page === undefined) return 'not_indexed';
  const search = searchOf(page, plan, baseUrl);
  let version = 0;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const searched = await runSearch(search, finder, version);
    if (typeof searched === 'string') return searched;
    const { found, statement } = searched;
    const [row] = await database.rows<PageRow & FoundPageColumns>(statement);
    if (row === undefined) throw new Error('The statement returned no row.');
    const { version: read, isBehind, isWhole, ...columns } = row;
    if (isBehind) return 'index_behind';
    version = Number(read);
    if (version === found.version) return isWhole ? columns : 'incomplete';
    // A replica that has not replayed the batch: the engine cannot go back.
    if (version < found.version) break;
  }
  return 'other_version';
}

async function runSearch(
  { query, compile, next }: Search,
  finder: RecordFinder,
  version: number,
): Promise<
  { readonly found: FirstRecords; readonly statement: Statement } | 'failed' | 'too_many'
> {
  const found = await finder.firstRecords({ ...query, version });
  if (found === undefined) return 'failed';
  const statement = compile(found);
  if (statement !== undefined) return { found, statement };
  return next === undefined ? 'too_many' : runSearch(next, finder, version);
}
