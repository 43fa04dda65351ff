import {
  isWebAddress,
  looksLikeWebsite,
  readIdentifier,
  SHARED_HOSTS,
  siteIdentifier,
  type WebsiteForms,
  websiteForms,
} from '@vcds/venture-model';
import { type NameForms, nameForms } from './name-forms.ts';
import { scoreName } from './score-name.ts';
import { scoreWebsite } from './score-website.ts';
import type { WordWeights } from './word-weights.ts';

/** A record that may match. */
export interface Rankable {
  readonly id: string;
  readonly name: string;
  readonly website: string | null;
  readonly domain: string | null;
  /** Of matches with the same score, one with more deals comes first, then one with more money. */
  readonly deals: number;
  readonly raised: number;
  /** Whether it has the identifier of the query. */
  readonly identified: boolean;
}

/** The columns of the record that match the query. */
export type MatchedOn = 'name' | 'website' | 'identifier' | 'both';

/** The normalized query. */
export interface Asked {
  readonly name: NameForms | null;
  readonly website: WebsiteForms | null;
  /** The identifier that the query is, or that its website gives, and the score of a company that has it. */
  readonly identifier: { readonly text: string; readonly score: number } | null;
  /** Whether the query has both: a match on one alone then scores less. */
  readonly both: boolean;
}

/** A candidate with its score and the matched columns. */
export interface Ranked<Candidate extends Rankable> {
  readonly candidate: Candidate;
  /** 0 to 1, in steps of 0.001. */
  readonly score: number;
  readonly matchedOn: MatchedOn;
}

/** Candidates with a smaller name score are omitted. */
const NAME_SCORE_MIN = 0.5;
/** The score of a company that states the domain of the website as another one of its own. */
const OTHER_DOMAIN = 0.98;
/** The factor of a name score if the query is the website of another host. */
const OTHER_SITE_FACTOR = 0.8;
/** The factor of a score if only one of name and website matches. */
const ONE_OF_TWO_FACTOR = 0.7;

/**
 * The normalized form of a search by a name, a website or both. A name that is also a domain is
 * searched as a website too: 'stripe.com' finds Stripe. One that is an identifier, or the page of
 * a company in a network, is no name: 'linkedin:acme'. Without a host or a sign, it is null.
 */
export function askedFor({
  q,
  website,
}: {
  readonly q?: string;
  readonly website?: string;
}): Asked {
  const written = q === undefined ? null : writtenIdentifier(q);
  const isNoName = q === undefined || written !== null || isWebAddress(q);
  const forms = isNoName ? null : nameForms(writable(q));
  const name = forms === null || forms.folded === '' ? null : forms;
  const domain = written?.startsWith(DOMAIN) ? written.slice(DOMAIN.length) : undefined;
  const site =
    website ??
    domain ??
    (q !== undefined && (isWebAddress(q) || looksLikeWebsite(q)) ? q : undefined);
  const address = site === undefined ? null : websiteForms(writable(site));
  const given = address === null ? null : identifierOfSite(site ?? '', address);
  const text = written ?? given;
  const score = written === null && given?.startsWith(DOMAIN) ? OTHER_DOMAIN : 1;
  return {
    name,
    website: address,
    identifier: text === null ? null : { text, score },
    both: name !== null && website !== undefined,
  };
}

const DOMAIN = 'domain:';

/** A text that is an identifier, or the address of a profile; null for anything else. */
function writtenIdentifier(q: string): string | null {
  const isSchemed = /^[a-z_]+\s*:(?!\/\/)\s*[^\s]+$/iu.test(q.trim());
  const isProfile = looksLikeWebsite(q) && SHARED_HOSTS.has(websiteForms(q)?.host ?? '');
  if (!isSchemed && !isProfile) return null;
  const found = readIdentifier(q).identifier ?? null;
  return isProfile && !isSchemed && found?.startsWith(DOMAIN) ? null : found;
}

// Any page of the registered domain stands for it; other hosts of it may be of other companies.
function identifierOfSite(site: string, { host }: WebsiteForms): string | null {
  return siteIdentifier(SHARED_HOSTS.has(host) ? site : `https://${host}`) ?? null;
}

// A text of PostgreSQL cannot contain NUL.
function writable(text: string): string {
  return text.replaceAll('\0', '');
}

/** The score of a candidate; null if it is too low. */
export function scored<Candidate extends Rankable>(
  asked: Asked,
  candidate: Candidate,
  weights: WordWeights,
): Ranked<Candidate> | null {
  const site = websiteScore(asked, candidate);
  const byIdentifier = candidate.identified ? (asked.identifier?.score ?? 0) : 0;
  const website = Math.max(site, byIdentifier);
  const name = nameScore(asked, candidate, website, weights);
  if (name === 0 && website === 0) return null;
  const other = site === 0 ? 'identifier' : 'website';
  const matchedOn = name === 0 ? other : website === 0 ? 'name' : 'both';
  const whole = 1 - (1 - name) * (1 - website);
  const value = asked.both && matchedOn !== 'both' ? whole * ONE_OF_TWO_FACTOR : whole;
  return { candidate, score: Math.round(value * 1_000) / 1_000, matchedOn };
}

function nameScore(
  asked: Asked,
  candidate: Rankable,
  website: number,
  weights: WordWeights,
): number {
  if (asked.name === null) return 0;
  const value = scoreName(asked.name, nameForms(candidate.name), weights);
  // A query such as 'acme.io' is unlikely to mean the Acme of another site.
  const isOtherSite =
    asked.website !== null && !asked.both && candidate.domain !== null && website === 0;
  const weighted = isOtherSite && value < 1 ? value * OTHER_SITE_FACTOR : value;
  return weighted < NAME_SCORE_MIN ? 0 : weighted;
}

function websiteScore(asked: Asked, candidate: Rankable): number {
  if (asked.website === null || candidate.domain === null) return 0;
  const site = websiteForms(candidate.domain);
  if (site === null) return 0;
  const path = websiteForms(candidate.website ?? '')?.path ?? '';
  return scoreWebsite(asked.website, { ...site, path });
}

/** Compares by score, then by deals, money raised and Id. */
export function bestFirst(a: Ranked<Rankable>, b: Ranked<Rankable>): number {
  return (
    b.score - a.score ||
    b.candidate.deals - a.candidate.deals ||
    b.candidate.raised - a.candidate.raised ||
    (a.candidate.id < b.candidate.id ? -1 : 1)
  );
}
