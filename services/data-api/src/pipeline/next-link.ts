import { seeUrl } from '@vcds/service-kit/api-errors';

/** A longer header does not get through clients and proxies: Node's fetch fails, nginx answers 502. */
const LINK_BYTES_MAX = 4 * 1024;

/**
 * The Link header of a page that rows follow: the same query, next `$skip`
 * (docs/spec/collections.md 6.5). The credential never appears in it. Undefined above 4 KiB.
 */
export function nextLink(
  baseUrl: string,
  path: string,
  parameters: ReadonlyMap<string, string>,
  nextSkip: number,
): string | undefined {
  const next = new Map<string, string | number>(parameters);
  next.set('$skip', nextSkip);
  // A URL is ASCII: its length is its bytes.
  const link = `<${seeUrl(baseUrl, path, next)}>; rel="next"`;
  return link.length <= LINK_BYTES_MAX ? link : undefined;
}
