import { ApiError, DATA_BASE_PATH } from '@vcds/service-kit/api-errors';
import type { Caller } from '../find/look-up.ts';
import { currentIds } from '../merged/current-ids.ts';
import type { Call } from './call.ts';
import type { Endpoint } from './endpoint.ts';
import { notFound } from './request/record-id.ts';
import type { Sources } from './sources.ts';

/**
 * The error for a record that is not there: 301 with its new id if it was merged into another, else
 * 404. `Location` is the same call, with its query, of the new id (docs/spec/one-company.md 25.10).
 */
export async function goneOrMoved(
  { request }: Call,
  { path }: Endpoint,
  { database, baseUrl }: Pick<Sources, 'database'> & { readonly baseUrl: string },
  caller: Caller,
): Promise<ApiError> {
  const old = request.params.id;
  if (typeof old !== 'string' || !/^\/(?:startup|fund)s\/:id/u.test(path)) return notFound();
  const id = old.toLowerCase();
  const current = await caller.read(() => currentIds([id], database));
  const moved = current.get(id);
  if (moved === undefined) return notFound();
  const [, query] = request.originalUrl.split(/\?(.*)/su, 2);
  const to = request.path.slice(DATA_BASE_PATH.length).replace(old, moved);
  return new ApiError('moved_permanently', `The record is one with ${moved} now.`, {
    id: moved,
    location: `${baseUrl}${to}${query === undefined ? '' : `?${query}`}`,
  });
}
