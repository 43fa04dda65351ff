import { readDeepLine } from '../collections/deep-line.ts';
import { readFacetLines } from '../collections/facet-lines.ts';
import { readLines } from '../collections/lines.ts';
import type { CallKind } from './callers.ts';

/** Lines of the report that are called beside disturbances. */
const LINES = ['by-id', 'page-25', 'page-100', 'expand', 'city', 'count', 'search'];

/** The calls of the paying accounts: those of the report, facets, and the newest signals. */
export async function callKinds(
  url: string,
  root: string,
  apiKey: string,
): Promise<readonly CallKind[]> {
  const lines = await readLines(url);
  const { 'facets-2': facets } = await readFacetLines(url);
  const deep = await readDeepLine(url, root, apiKey);
  const chosen = [deep, ...LINES.flatMap((name) => lines[name] ?? []), ...(facets ? [facets] : [])];
  return [
    ...chosen.map(({ title, requests }) => ({ title, paths: requests.map(({ path }) => path) })),
    { title: '50 newest signals', paths: ['/signals?limit=50'] },
  ];
}
