import { seeUrl } from '@vcds/service-kit/api-errors';

/** Clients and proxies reject a longer header: Node's fetch fails, nginx returns 502. */
const LINK_BYTES_MAX = 4 * 1024;

/**
 * The Link header of a page before the last: the same query with the cursor of the next page in
 * place of `$skip`, without the credential (docs/spec/collections.md 6.5). Undefined above 4 KiB.
 */
export function nextLink(
  baseUrl: string,
  path: string,
  parameters: ReadonlyMap<string, string>,
  next: { readonly parameter: string; readonly cursor: string },
): string | undefined {
  const query = new Map(parameters);
  query.delete('$skip');
  query.set(next.parameter, next.cursor);
  // A URL is ASCII: its length is its number of bytes.
  const link = `<${seeUrl(baseUrl, path, query)}>; rel="next"`;
  return link.length <= LINK_BYTES_MAX ? link : undefined;
}
