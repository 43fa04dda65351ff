/** The rows of the OData service: its queries are those of the collections. */
import { affordableRecords, type QuoteInput } from '@vcds/metering';
import { ApiError, seeUrl } from '@vcds/service-kit';
import { readCount } from '../collections/count.ts';
import { type CountPlan, type PagePlan, planCollection } from '../collections/plan.ts';
import { readPage } from '../collections/read-page.ts';
import type { Caller } from '../find/look-up.ts';
import type { Answer } from '../postgres/database.ts';
import {
  ceilingOf,
  type Endpoint,
  endpoint,
  type PlanContext,
  rateOf,
  type Written,
} from '../serve/endpoint.ts';
import type { Sources } from '../serve/sources.ts';
import { collectionBody, contextOf, JSON_HEADERS, selectedOf, withRelated } from './answer.ts';
import { serviceDocument } from './metadata.ts';
import {
  COUNT_PARAMETERS,
  CREDITS_MAX,
  ENTITY_PARAMETERS,
  parseSetQuery,
  SET_PARAMETERS,
  type SetQuery,
} from './query.ts';
import { type EntitySet, navigationsOf, ODATA_PATH, odataRoot } from './sets.ts';

/** The service document: free, but it needs a key, so that clients ask for one before the first table. */
export const SERVICE_DOCUMENT: Endpoint = endpoint(ODATA_PATH, undefined, {
  ...{ rate: rateOf('/pricing'), accepts: ENTITY_PARAMETERS.slice(2) },
  parse: () => undefined,
  plan: () => undefined,
  run: async (_, { baseUrl }) => ({
    ...{ body: serviceDocument(odataRoot(baseUrl)), headers: JSON_HEADERS },
    ...{ records: 0, more: false },
  }),
});

interface SetPlan {
  readonly query: SetQuery;
  /** Undefined if the caller asks for no entity. */
  readonly page: PagePlan | undefined;
  readonly count: CountPlan;
}

/** The entities of a set, page by page. */
export function entitiesOf(set: EntitySet): Endpoint {
  return endpoint<SetQuery, SetPlan>(`/${set.name}`, undefined, {
    ...{ rate: set.rate, resource: set.resource, accepts: SET_PARAMETERS },
    parse: ({ reader, today, principal, path }) => {
      const sizes = [ceilingOf(principal).topMax, Number(path.pageSize ?? Number.NaN)];
      const pageSize = Math.min(...sizes.filter((size) => size >= 1));
      return parseSetQuery(reader, set, { today, pageSize });
    },
    plan: (query, context) => planSet(query, set, context),
    price: ({ page }): Partial<QuoteInput> =>
      page === undefined
        ? { countOnly: true }
        : { ceilingRecords: page.top, expands: page.expands.length },
    expands: ({ page }) => page?.expands ?? [],
    written: ({ count }): Written => ({ by: [], filter: count.filter }),
    withWritten: ({ page, count, ...plan }, { filter }) => ({
      ...plan,
      page: page && { ...page, filter },
      count: { ...count, filter },
    }),
    run: (plan, sources, caller) => caller.read(() => readEntities(set, plan, sources, caller)),
  });
}

function planSet(
  query: SetQuery,
  set: EntitySet,
  { principal, today, cursors }: PlanContext,
): SetPlan {
  const { resource } = set;
  const scope = { resource, ceiling: ceilingOf(principal), today, cursors: cursors.pages };
  const asked = planCollection(query.collection, scope);
  if (asked.kind === 'count') throw new RangeError('The query of an entity set is a page.');
  const count: CountPlan = {
    ...{ kind: 'count' as const, resource, parent: undefined, filter: asked.filter },
  };
  if (query.top === 0) return { query, page: undefined, count };
  const top = Math.min(asked.top, query.top, affordable(set, query, asked.expands.length));
  return { query, page: { ...asked, top }, count };
}

/** @throws ApiError `price_above_limit` if not even one entity is within `credits_max`. */
function affordable({ rate }: EntitySet, { creditsMax }: SetQuery, expands: number): number {
  const records = affordableRecords(rate, { credits: creditsMax, expands });
  if (records !== undefined) return records;
  throw new ApiError(
    'price_above_limit',
    `${CREDITS_MAX.name} is used up before the last page. Narrow with $filter, limit with $top, or allow more.`,
    { parameter: CREDITS_MAX.name, value: creditsMax },
  );
}

async function readEntities(
  set: EntitySet,
  { query, page, count }: SetPlan,
  sources: Sources,
  caller: Caller,
): Promise<Answer> {
  const origin = { set, root: odataRoot(sources.baseUrl) };
  const isFirst = query.collection.cursor === undefined;
  const total = query.count && isFirst ? await countOf(count, sources) : undefined;
  if (page === undefined) {
    const body = collectionBody(contextOf(origin, undefined), '[]', { count: total });
    return { body, headers: JSON_HEADERS, records: 0, more: false };
  }
  const { body, records, next } = await readPage(page, sources);
  const left = query.top - records;
  const cursor = left > 0 ? next : undefined;
  if (cursor !== undefined && isFirst) {
    const matches = (total ?? (await countOf(count, sources))) - query.collection.skip;
    assertPayable(set, page, query, Math.min(matches, query.top), records, caller);
  }
  const navigations = navigationsOf(set).filter(({ name }) =>
    page.expands.some((each) => each.name === name),
  );
  const value =
    navigations.length === 0
      ? (body ?? '[]')
      : withRelated(body ?? '[]', origin, navigations, query.nested);
  const selected = query.collection.select && selectedOf(page.fields, page.expands, query.nested);
  const nextLink =
    cursor === undefined ? undefined : nextLinkOf(origin.root, set, page, query, records, cursor);
  return {
    body: collectionBody(contextOf(origin, selected), value, { count: total, nextLink }),
    headers: JSON_HEADERS,
    ...{ records, more: nextLink !== undefined },
  };
}

async function countOf(plan: CountPlan, sources: Sources): Promise<number> {
  const { body } = await readCount(plan, sources);
  return (JSON.parse(body ?? '') as { readonly count: number }).count;
}

/** Credits of that many records in pages. */
function creditsOf({ rate }: EntitySet, records: number, expands: number): number {
  return Math.ceil((records * rate.perRecordQuarters * (4 + expands)) / 16);
}

// A load that ends before its last page is worth nothing to a spreadsheet, so it does not begin.
function assertPayable(
  set: EntitySet,
  { expands }: PagePlan,
  { creditsMax }: SetQuery,
  total: number,
  read: number,
  caller: Caller,
): void {
  const price = creditsOf(set, total, expands.length);
  const remaining = caller.remaining() ?? Number.MAX_SAFE_INTEGER;
  const isAboveLimit = price > creditsMax;
  if (!isAboveLimit && creditsOf(set, total - read, expands.length) <= remaining) return;
  const limit = isAboveLimit
    ? `${CREDITS_MAX.name} is ${creditsMax}`
    : `about ${remaining} remain this month`;
  const credits = Math.min(creditsMax, remaining);
  const most = affordableRecords(set.rate, { credits, expands: expands.length });
  const top = most === undefined ? '' : `, limit with $top=${most}`;
  throw new ApiError(
    'price_above_limit',
    `All pages of this query have ${total} entities and cost ${price} credits; ${limit}. ` +
      `Narrow with $filter${top}, or allow more.`,
    { parameter: isAboveLimit ? CREDITS_MAX.name : '$top', see: '/pricing' },
  );
}

function nextLinkOf(
  root: string,
  set: EntitySet,
  { expands }: PagePlan,
  query: SetQuery,
  records: number,
  cursor: string,
): string {
  const { top, creditsMax, repeated } = query;
  const left = Math.max(0, creditsMax - creditsOf(set, records, expands.length));
  return seeUrl(root, set.name, [
    ...repeated,
    ...(top === Number.POSITIVE_INFINITY ? [] : [['$top', top - records] as const]),
    ...(creditsMax === Number.POSITIVE_INFINITY ? [] : [[CREDITS_MAX.name, left] as const]),
    ['$skiptoken', cursor],
  ]);
}

/** The number of entities of a set as plain text. */
export function numberOf(set: EntitySet): Endpoint {
  return endpoint<SetQuery, CountPlan>(`/${set.name}/$count`, undefined, {
    ...{ rate: set.rate, resource: set.resource, accepts: COUNT_PARAMETERS },
    parse: ({ reader, today }) => parseSetQuery(reader, set, { today, pageSize: 1 }),
    plan: (query, context) => planSet(query, set, context).count,
    price: () => ({ countOnly: true }),
    written: ({ filter }): Written => ({ by: [], filter }),
    withWritten: (plan, { filter }) => ({ ...plan, filter }),
    read: async (plan, sources) => {
      const headers = { 'Content-Type': 'text/plain;charset=utf-8' };
      return { body: String(await countOf(plan, sources)), headers, records: 0, more: false };
    },
  });
}
