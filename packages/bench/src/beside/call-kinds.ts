import { readFacetLines } from '../collections/facet-lines.ts';
import { readLines } from '../collections/lines.ts';
import type { CallKind } from './callers.ts';

/** Lines of the report that are called beside disturbances. */
const LINES = ['by-id', 'page-25', 'city', 'count', 'search'];

/** The calls of the paying accounts: those of the report, facets, and the newest signals. */
export async function callKinds(url: string): Promise<readonly CallKind[]> {
  const lines = await readLines(url);
  const { 'facets-2': facets } = await readFacetLines(url);
  const chosen = [...LINES.flatMap((name) => lines[name] ?? []), ...(facets ? [facets] : [])];
  return [
    ...chosen.map(({ title, requests }) => ({ title, paths: requests.map(({ path }) => path) })),
    { title: '50 newest signals', paths: ['/signals?limit=50'] },
  ];
}
