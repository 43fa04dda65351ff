import {
  type Asked,
  askedFor,
  bestFirst,
  generalPhrase,
  likelyWords,
  lookupWords,
  type Ranked,
  scored,
  spellingsOfBoth,
  spellingsOfOthers,
  typosOfWords,
  type WordWeights,
} from '@vcds/name-search';
import type { Statement } from '../postgres/statement.ts';
import {
  type Candidate,
  compileBothWordsLookup,
  compileLookup,
  compileSimilarWords,
  compileTypoLookup,
  compileWordTypoLookup,
} from './candidate-statements.ts';
import { compileMatches } from './match-statement.ts';
import type { CompanyType, SearchAnswer, SearchDatabase, SearchRequest } from './search-request.ts';
import { wordWeights } from './word-sample.ts';

/** A match with this score ends the search: no further lookup runs. */
const SURE = 0.85;
/** With a match of this score, no lookup by similar words runs: it finds the least. */
const LIKELY = 0.6;

/** With fewer letters, a name is similar to too many others. */
const FUZZY_LENGTH_MIN = 3;

/**
 * Finds companies by name, website or both, best first (docs/spec/search.md 7.2, 7.3).
 *
 * Up to four lookups find candidates; each runs only if the ones before found no sure match. The
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
  const weights = await wordWeights(database);
  const seen = new Set<string>();
  const ranked: Ranked<Candidate>[] = [];
  for (const { compile, unless } of lookups(database, request.types, asked, weights)) {
    if (ranked.some(({ score }) => score >= unless)) break;
    const lookup = await compile();
    const found = lookup === null ? [] : await database.rows<Candidate>(lookup);
    for (const candidate of found) {
      if (seen.has(candidate.id)) continue;
      seen.add(candidate.id);
      const match = scored(asked, candidate, weights);
      if (match !== null) ranked.push(match);
    }
  }
  return ranked.toSorted(bestFirst).slice(0, request.top);
}

/** A statement, if any, and the score of a match that makes it superfluous. */
interface Lookup {
  readonly compile: () => Statement | null | Promise<Statement | null>;
  readonly unless: number;
}

function lookups(
  database: SearchDatabase,
  types: readonly CompanyType[],
  asked: Asked,
  weights: WordWeights,
): Lookup[] {
  const until = (unless: number, compile: Lookup['compile']): Lookup => ({ compile, unless });
  const none = { rare: [], general: [], hasFrequent: false, phrase: [] };
  const { name, website, identifier } = asked;
  if (name === null) {
    if (website === null && identifier === null) return [];
    return [until(SURE, () => compileLookup(types, asked, none))];
  }
  const words = { ...lookupWords(name, weights), phrase: generalPhrase(name, weights) };
  const found = [
    until(SURE, () => compileLookup(types, asked, words)),
    until(SURE, () => compileTypoLookup(types, name)),
  ];
  if (name.whole.length < FUZZY_LENGTH_MIN) return found;
  // Names with one of two words as it is are candidates already, so the other may have any typos.
  const both = spellingsOfBoth(words.rare);
  if (both !== null) {
    found.push(until(SURE, () => compileBothWordsLookup(types, name, both)));
    return found;
  }
  const typos = typosOfWords(words.rare, weights);
  if (typos.rare.length > 0) {
    const others = spellingsOfOthers(name, words.rare);
    found.push(until(SURE, () => compileWordTypoLookup(types, name, typos, others)));
  }
  // Words that are similar to a general word are in thousands of names.
  const unlike = words.rare.filter((word) => weights.despiteTypo(word) === 1);
  if (unlike.length > 0) {
    found.push(
      until(LIKELY, async () => {
        const similar = await database.rows<{ word: string }>(compileSimilarWords(unlike));
        const ofNames = similar.map(({ word }) => word);
        const likely = likelyWords(name, unlike, ofNames, weights);
        if (likely.rare.length + likely.general.length === 0) return null;
        return compileWordTypoLookup(types, name, likely, spellingsOfOthers(name, unlike));
      }),
    );
  }
  return found;
}
