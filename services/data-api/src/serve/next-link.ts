import { seeUrl } from '@vcds/service-kit/api-errors';

/** Clients and proxies reject a longer header: Node's fetch fails, nginx returns 502. */
const LINK_BYTES_MAX = 4 * 1024;

/**
 * The header of a page before the last: `Link` with the same query and the cursor of the next page
 * in place of `$skip`, without the credential; `X-Link-Omitted: next` if that would exceed 4 KiB
 * (docs/spec/collections.md 6.5).
 */
export function nextLink(
  baseUrl: string,
  path: string,
  parameters: ReadonlyMap<string, string>,
  next: { readonly parameter: string; readonly cursor: string },
): Readonly<Record<string, string>> {
  const query = new Map(parameters);
  query.delete('$skip');
  query.set(next.parameter, next.cursor);
  // A URL is ASCII: its length is its number of bytes.
  const link = `<${seeUrl(baseUrl, path, query)}>; rel="next"`;
  return link.length <= LINK_BYTES_MAX ? { Link: link } : { 'X-Link-Omitted': 'next' };
}
