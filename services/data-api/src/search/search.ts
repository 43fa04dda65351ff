import {
  type Candidate,
  compileNameLike,
  compileNameLookup,
  compileWebsiteLookup,
} from './candidate-statements.ts';
import { compileMatches } from './match-statement.ts';
import { nameForms } from './name-forms.ts';
import { type Asked, type Ranked, rank } from './rank.ts';
import type { SearchAnswer, SearchDatabase, SearchRequest } from './search-request.ts';
import { looksLikeWebsite, websiteForms } from './website-forms.ts';

/**
 * Finds companies by name, website or both (spec §4.2, decisions §2 and §5), best first.
 *
 * At most three statements: look-ups and trigrams side by side find candidates, they are scored
 * here, and the matches' JSON is read. No text makes it fail; a website without a host and a name
 * without characters find nothing.
 */
export async function search(
  database: SearchDatabase,
  request: SearchRequest,
): Promise<SearchAnswer> {
  const ranked = await rankedMatches(database, request);
  if (ranked.length === 0) return { records: 0, body: '[]', more: false };
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
  const statements = [
    ...(asked.name === null
      ? []
      : [
          compileNameLookup(request.types, asked.name),
          compileNameLike(request.types, asked.name, 0.5),
        ]),
    ...(asked.website === null ? [] : [compileWebsiteLookup(request.types, asked.website)]),
  ];
  const found = await Promise.all(statements.map((each) => database.rows<Candidate>(each)));
  return rank(asked, found.flat()).slice(0, request.top);
}

// A name that looks like a site is looked up as one too: 'stripe.com' finds Stripe.
function askedFor({ q, website }: SearchRequest): Asked {
  const forms = q === undefined ? null : nameForms(withoutNul(q));
  const site = website ?? (q !== undefined && looksLikeWebsite(q) ? q : undefined);
  return {
    name: forms === null || forms.folded === '' ? null : forms,
    website: site === undefined ? null : websiteForms(withoutNul(site)),
    both: q !== undefined && website !== undefined,
  };
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
