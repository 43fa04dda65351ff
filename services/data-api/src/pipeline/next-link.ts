import { seeUrl } from '@vcds/service-kit/api-errors';

/** Clients and proxies reject a longer header: Node's fetch fails, nginx returns 502. */
const LINK_BYTES_MAX = 4 * 1024;

/**
 * The Link header of a page before the last: the same query with the next `$skip`, or with the
 * cursor in its place, and without the credential (docs/spec/collections.md 6.5). Undefined above
 * 4 KiB.
 */
export function nextLink(
  baseUrl: string,
  path: string,
  parameters: ReadonlyMap<string, string>,
  position: { readonly skip: number } | { readonly cursor: string },
): string | undefined {
  const next = new Map<string, string | number>(parameters);
  next.delete('$skip');
  if ('skip' in position) next.set('$skip', position.skip);
  else next.set('cursor', position.cursor);
  // A URL is ASCII: its length is its number of bytes.
  const link = `<${seeUrl(baseUrl, path, next)}>; rel="next"`;
  return link.length <= LINK_BYTES_MAX ? link : undefined;
}
