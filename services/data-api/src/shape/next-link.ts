import { seeUrl } from '@vcds/service-kit/refusals';

/**
 * The Link header of a page that rows follow: the same query, next `$skip` (decisions §3). The
 * credential never appears in it.
 */
export function nextLink(
  baseUrl: string,
  path: string,
  parameters: ReadonlyMap<string, string>,
  nextSkip: number,
): string {
  const next = new Map<string, string | number>(parameters);
  next.set('$skip', nextSkip);
  return `<${seeUrl(baseUrl, path, next)}>; rel="next"`;
}
