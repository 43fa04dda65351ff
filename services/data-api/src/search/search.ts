import type { Statement } from '../execute/statement.ts';
import {
  type Candidate,
  compileNameLike,
  compileNameLookup,
  compileWebsiteLookup,
  compileWordLookup,
} from './candidate-statements.ts';
import { compileMatches } from './match-statement.ts';
import { nameForms } from './name-forms.ts';
import { tellingWords, typosOfWords } from './probes.ts';
import { type Asked, type Ranked, rank } from './rank.ts';
import type { CompanyType, SearchAnswer, SearchDatabase, SearchRequest } from './search-request.ts';
import { looksLikeWebsite, websiteForms } from './website-forms.ts';

/** With a match this good, no less similar names are looked for. */
const SURE = 0.85;

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
  const words = asked.name === null ? [] : tellingWords(asked.name);
  const looked = await candidatesOf(database, lookups(request.types, asked, words));
  const ranked = rank(asked, looked);
  if (asked.name === null || (ranked[0]?.score ?? 0) >= SURE) return ranked.slice(0, request.top);
  const alike = await candidatesOf(database, [
    compileWordLookup(request.types, asked.name, typosOfWords(words)),
    compileNameLike(request.types, asked.name),
  ]);
  return rank(asked, [...looked, ...alike]).slice(0, request.top);
}

function lookups(
  types: readonly CompanyType[],
  { name, website }: Asked,
  words: readonly string[],
): Statement[] {
  return [
    ...(name === null
      ? []
      : [compileNameLookup(types, name), compileWordLookup(types, name, words)]),
    ...(website === null ? [] : [compileWebsiteLookup(types, website)]),
  ];
}

async function candidatesOf(
  database: SearchDatabase,
  statements: readonly Statement[],
): Promise<Candidate[]> {
  const found = await Promise.all(statements.map((each) => database.rows<Candidate>(each)));
  return found.flat();
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
