import type { Lines } from '../collections/lines.ts';
import { generateDictionary } from '../facets/dictionary.ts';
import { readOccurring } from '../facets/generate-startups.ts';
import { drawRequests, KINDS, type Kind } from '../facets/requests.ts';

const VALUES = 200;
/** Counting in PostgreSQL takes seconds for some kinds. */
const FLOOR_VALUES = 8;

/** Requests for facets of each kind. */
export async function readFacetLines(url: string): Promise<Lines> {
  const occurring = await readOccurring(url, generateDictionary());
  const lines = (Object.keys(KINDS) as Kind[]).map((kind, number) => [
    `facets-${number + 1}`,
    {
      title: kind,
      requests: drawRequests(kind, occurring, VALUES).map(({ path }) => ({ path })),
      floorRequests: FLOOR_VALUES,
    },
  ]);
  return Object.fromEntries(lines);
}
