import {
  type Asked,
  askedFor,
  bestFirst,
  discriminativeWords,
  type Ranked,
  scored,
} from '@vcds/name-search';
import type { Statement } from '../postgres/statement.ts';
import {
  type Candidate,
  compileFuzzyLookup,
  compileLookup,
  compileTypoLookup,
} from './candidate-statements.ts';
import { compileMatches } from './match-statement.ts';
import type { CompanyType, SearchAnswer, SearchDatabase, SearchRequest } from './search-request.ts';

/** A match with this score ends the search: no further lookup runs. */
const SURE = 0.85;

/** Shorter names are similar to too many others. */
const FUZZY_LENGTH_MIN = 3;

/**
 * Finds companies by name, website or both, best first (docs/spec/search.md 7.2, 7.3).
 *
 * Up to three lookups find candidates; each runs only if the ones before found no sure match. The
 * candidates are scored here, and a last statement reads the matches as JSON. Every text is valid:
 * a website without a host and a name without signs match nothing.
 *
 * @throws ApiError `unavailable` if the database is unreachable or too slow.
 */
export async function search(
  database: SearchDatabase,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const ranked = await rankedMatches(database, request);
  if (ranked.length === 0) return { records: 0, body: '[]' };
  const [answer] = await database.rows<SearchAnswer>(compileMatches(ranked, request.fields));
  if (answer === undefined) throw new Error('The match statement returned no row.');
  return answer;
}

/** The `top` best matches of a search, without their fields. */
export async function rankedMatches(
  database: SearchDatabase,
  request: SearchRequest,
): Promise<readonly Ranked<Candidate>[]> {
  const asked = askedFor(request);
  const seen = new Set<string>();
  const ranked: Ranked<Candidate>[] = [];
  for (const compile of lookups(request.types, asked)) {
    const found = await database.rows<Candidate>(compile());
    for (const candidate of found) {
      if (seen.has(candidate.id)) continue;
      seen.add(candidate.id);
      const match = scored(asked, candidate);
      if (match !== null) ranked.push(match);
    }
    if (ranked.some(({ score }) => score >= SURE)) break;
  }
  return ranked.toSorted(bestFirst).slice(0, request.top);
}

function lookups(types: readonly CompanyType[], { name, website }: Asked): (() => Statement)[] {
  if (name === null) {
    return website === null ? [] : [() => compileLookup(types, null, [], website)];
  }
  const words = discriminativeWords(name);
  return [
    () => compileLookup(types, name, words, website),
    () => compileTypoLookup(types, name),
    ...(name.whole.length < FUZZY_LENGTH_MIN ? [] : [() => compileFuzzyLookup(types, name, words)]),
  ];
}
