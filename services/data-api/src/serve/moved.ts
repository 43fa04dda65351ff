import { ApiError, DATA_BASE_PATH } from '@vcds/service-kit/api-errors';
import type { Caller } from '../find/look-up.ts';
import { currentIds, type MergedKind } from '../merged/current-ids.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { notFound } from './request/record-id.ts';
import type { Sources } from './sources.ts';

type Where = Pick<Sources, 'database'> & { readonly baseUrl: string };

/** The records with an id in the path that are merged, by the path of their collection or entity set. */
const KINDS: ReadonlyMap<string, MergedKind> = new Map([
  ['startups', 'startup'],
  ['funds', 'fund'],
  ['fundingrounds', 'round'],
]);

/**
 * The error for a record that is not there: 301 with its new id if it was merged into another, else
 * 404 (docs/spec/one-company.md 25.10).
 */
export async function goneOrMoved(
  call: Call,
  endpoint: Endpoint,
  where: Where,
  caller: Caller,
): Promise<ApiError> {
  return (await moved(call, endpoint, where, caller)) ?? notFound();
}

/** 301 for an id that was merged into another; `Location` is the same call, with its query, of the new id. */
export async function moved(
  { request }: Call,
  { path }: Endpoint,
  { database, baseUrl }: Where,
  caller: Caller,
): Promise<ApiError | undefined> {
  const old = request.params.id;
  const [, collection = ''] = /^\/(\w+)\/:id(?:\/|$)/u.exec(path) ?? [];
  const kind = KINDS.get(collection.toLowerCase());
  if (typeof old !== 'string' || kind === undefined) return undefined;
  const id = old.toLowerCase();
  const current = await caller.read(() => currentIds([id], database, [kind]));
  const now = current.get(id);
  if (now === undefined) return undefined;
  const [, query] = request.originalUrl.split(/\?(.*)/su, 2);
  const root = baseUrl.slice(0, -DATA_BASE_PATH.length);
  return new ApiError('moved_permanently', `The record is one with ${now} now.`, {
    id: now,
    location: `${root}${decodeURIComponent(request.path).replace(old, now)}${query === undefined ? '' : `?${query}`}`,
  });
}
