import { type WebsiteForms, websiteForms } from '@vcds/venture-model';
import type { Candidate } from './candidate-statements.ts';
import { type NameForms, nameForms } from './name-forms.ts';
import { scoreName } from './score-name.ts';
import { scoreWebsite } from './score-website.ts';
import type { MatchedOn } from './search-request.ts';

/** The normalized query. */
export interface Asked {
  readonly name: NameForms | null;
  readonly website: WebsiteForms | null;
  /** Whether the query has both: a match on one alone then scores less. */
  readonly both: boolean;
}

/** A candidate with its score and the matched columns. */
export interface Ranked {
  readonly candidate: Candidate;
  /** 0 to 1, in steps of 0.001. */
  readonly score: number;
  readonly matchedOn: MatchedOn;
}

/** Candidates with a smaller name score are omitted. */
const NAME_SCORE_MIN = 0.5;
/** The factor of a name score if the query is the website of another host. */
const OTHER_SITE_FACTOR = 0.8;
/** The factor of a score if only one of name and website matches. */
const ONE_OF_TWO_FACTOR = 0.7;

/** The score of a candidate; null if it is too low. */
export function scored(asked: Asked, candidate: Candidate): Ranked | null {
  const website = websiteScore(asked, candidate);
  const name = nameScore(asked, candidate, website);
  if (name === 0 && website === 0) return null;
  const matchedOn = name === 0 ? 'website' : website === 0 ? 'name' : 'both';
  const whole = 1 - (1 - name) * (1 - website);
  const value = asked.both && matchedOn !== 'both' ? whole * ONE_OF_TWO_FACTOR : whole;
  return { candidate, score: Math.round(value * 1_000) / 1_000, matchedOn };
}

function nameScore(asked: Asked, candidate: Candidate, website: number): number {
  if (asked.name === null) return 0;
  const value = scoreName(asked.name, nameForms(candidate.name));
  // A query such as 'acme.io' is unlikely to mean the Acme of another site.
  const isOtherSite =
    asked.website !== null && !asked.both && candidate.domain !== null && website === 0;
  const weighted = isOtherSite && value < 1 ? value * OTHER_SITE_FACTOR : value;
  return weighted < NAME_SCORE_MIN ? 0 : weighted;
}

function websiteScore(asked: Asked, candidate: Candidate): number {
  if (asked.website === null || candidate.domain === null) return 0;
  const site = websiteForms(candidate.domain);
  if (site === null) return 0;
  const path = websiteForms(candidate.website ?? '')?.path ?? '';
  return scoreWebsite(asked.website, { ...site, path });
}

/** Compares by score, then by deals, money raised and Id. */
export function bestFirst(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    b.candidate.deals - a.candidate.deals ||
    b.candidate.raised - a.candidate.raised ||
    (a.candidate.id < b.candidate.id ? -1 : 1)
  );
}
