import { rankedMatches } from '../../../src/search/search.ts';
import type { CompanyType, SearchDatabase } from '../../../src/search/search-request.ts';
import type { Finder } from './recall.ts';

const TOP = 10;

/** The search of the service, by name or by site. */
export function serviceFinder(
  database: SearchDatabase,
  types: readonly CompanyType[],
  by: 'q' | 'website',
): Finder {
  return async (text) => {
    const matches = await rankedMatches(database, { types, [by]: text, top: TOP });
    return matches.map(({ candidate }) => candidate.name);
  };
}
