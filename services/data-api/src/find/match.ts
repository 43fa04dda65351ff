import type { Ranked } from '@vcds/name-search';
import type { CompanyPage } from '@vcds/site-facts/page';
import type { Candidate } from '../search/candidate-statements.ts';
import { compileMatches } from '../search/match-statement.ts';
import { rankedMatches, search } from '../search/search.ts';
import type { CompanyType, SearchAnswer, SearchDatabase } from '../search/search-request.ts';

/** Our record of the company that a site belongs to. */
export interface Match {
  /** A company match (docs/spec/search.md 7.3), as JSON. */
  readonly json: string;
  readonly company: { readonly type: CompanyType; readonly id: string };
  /** The website of the record. */
  readonly website: string | null;
}

const TYPES: readonly CompanyType[] = ['startup', 'fund'];
/** The score of a subdomain or parent domain; the same host has more. */
const SITE_SCORE_MIN = 0.85;
/** The score of the same name. */
const SAME_NAME = 1;
/** A lower score is a name that the caller may not have meant. */
const NAME_SCORE_MIN = 0.85;
const NAMES_TOP = 10;

/** The record with a name that has a website; of several with equal scores the most likely one. */
export async function recordNamed(database: SearchDatabase, q: string): Promise<Match | null> {
  const ranked = await rankedMatches(database, { types: TYPES, q, top: NAMES_TOP });
  const best = ranked.filter(({ score }) => score === ranked[0]?.score && score >= NAME_SCORE_MIN);
  const named = best.find(({ candidate }) => candidate.website !== null);
  return named === undefined ? null : matchOf(database, named);
}

/** The record with one of the websites, the first that has one. */
export async function recordAt(
  database: SearchDatabase,
  websites: readonly string[],
): Promise<Match | null> {
  for (const website of websites) {
    const [ranked] = await rankedMatches(database, { types: TYPES, website, top: 1 });
    if (ranked !== undefined && ranked.score >= SITE_SCORE_MIN) return matchOf(database, ranked);
  }
  return null;
}

/** The record with the same name in the same country, if the page states both. */
export async function recordLike(
  database: SearchDatabase,
  { name, country }: Pick<CompanyPage, 'name' | 'country'>,
): Promise<Match | null> {
  if (name === null || country === null) return null;
  const { body } = await search(database, { types: TYPES, q: name, top: NAMES_TOP });
  const found = (JSON.parse(body) as readonly FoundCompany[]).find(
    ({ Score, Country }) => Score === SAME_NAME && Country.includes(country),
  );
  if (found === undefined) return null;
  const company = { type: found.Type, id: found.Id };
  return { json: JSON.stringify(found), company, website: found.Website };
}

interface FoundCompany {
  readonly Id: string;
  readonly Type: CompanyType;
  readonly Website: string | null;
  readonly Country: readonly string[];
  readonly Score: number;
}

async function matchOf(database: SearchDatabase, ranked: Ranked<Candidate>): Promise<Match | null> {
  const [answer] = await database.rows<SearchAnswer>(compileMatches([ranked]));
  // Deleted meanwhile.
  if (answer === undefined || answer.records === 0) return null;
  const { type, id, website } = ranked.candidate;
  return { json: answer.body.slice(1, -1), company: { type, id }, website };
}
