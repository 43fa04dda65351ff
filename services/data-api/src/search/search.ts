import { isWebAddress, looksLikeWebsite, websiteForms } from '@vcds/venture-model';
import type { Statement } from '../postgres/statement.ts';
import {
  type Candidate,
  compileLikeLookup,
  compileLookup,
  compileSlipLookup,
} from './candidate-statements.ts';
import { compileMatches } from './match-statement.ts';
import { nameForms } from './name-forms.ts';
import { tellingWords } from './probes.ts';
import { type Asked, bestFirst, type Ranked, scored } from './rank.ts';
import type { CompanyType, SearchAnswer, SearchDatabase, SearchRequest } from './search-request.ts';

/** With a match this good, no less similar names are looked for. */
const SURE = 0.85;

/** Shorter names are like too many others. */
const LIKE_LENGTH_MIN = 3;

/**
 * Finds companies by name, website or both, best first (docs/spec/search.md 7.2, 7.3).
 *
 * Up to three statements find candidates, each only when the ones before found no sure match;
 * they are scored here, and a last one reads the matches' JSON. No text makes it fail: a website
 * without a host and a name without signs find nothing.
 *
 * @throws ApiError `unavailable` when the database is out of reach or takes too long.
 */
export async function search(
  database: SearchDatabase,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const ranked = await rankedMatches(database, request);
  if (ranked.length === 0) return { records: 0, body: '[]' };
  const rows = await database.rows<SearchAnswer>(compileMatches(ranked, request.fields));
  const [answer] = rows;
  if (answer === undefined) throw new Error('A statement that answers one row answered none.');
  return answer;
}

/** The matches of a search without their fields, at most `top`. */
export async function rankedMatches(
  database: SearchDatabase,
  request: SearchRequest,
): Promise<readonly Ranked[]> {
  const asked = askedFor(request);
  const seen = new Set<string>();
  const ranked: Ranked[] = [];
  for (const compile of rounds(request.types, asked)) {
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

function rounds(types: readonly CompanyType[], { name, website }: Asked): (() => Statement)[] {
  if (name === null) {
    return website === null ? [] : [() => compileLookup(types, null, [], website)];
  }
  const words = tellingWords(name);
  return [
    () => compileLookup(types, name, words, website),
    () => compileSlipLookup(types, name),
    ...(name.whole.length < LIKE_LENGTH_MIN ? [] : [() => compileLikeLookup(types, name, words)]),
  ];
}

// A name that looks like a site is looked up as one too: 'stripe.com' finds Stripe.
function askedFor({ q, website }: SearchRequest): Asked {
  const address = q !== undefined && isWebAddress(q);
  const forms = q === undefined || address ? null : nameForms(writable(q));
  const name = forms === null || forms.folded === '' ? null : forms;
  const site = website ?? (q !== undefined && looksLikeWebsite(q) ? q : undefined);
  return {
    name,
    website: site === undefined ? null : websiteForms(writable(site)),
    both: name !== null && website !== undefined,
  };
}

// PostgreSQL's text holds no NUL.
function writable(text: string): string {
  return text.replaceAll('\0', '');
}
