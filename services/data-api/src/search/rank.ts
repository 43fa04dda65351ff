import { type WebsiteForms, websiteForms } from '@vcds/venture-model';
import type { Candidate } from './candidate-statements.ts';
import { type NameForms, nameForms } from './name-forms.ts';
import { scoreName } from './score-name.ts';
import { scoreWebsite } from './score-website.ts';
import type { MatchedOn } from './search-request.ts';

/** What was asked for, normalised. */
export interface Asked {
  readonly name: NameForms | null;
  readonly website: WebsiteForms | null;
  /** Whether both were asked for: then a hit on one alone is half an answer. */
  readonly both: boolean;
}

/** A candidate with its score and what it matched on. */
export interface Ranked {
  readonly candidate: Candidate;
  /** 0 to 1, in steps of 0.001. */
  readonly score: number;
  readonly matchedOn: MatchedOn;
}

/** Names less alike are not answered. */
const NAME_SCORE_MIN = 0.5;
/** What a similar name is worth when the name asked for is another site than the record's. */
const OTHER_SITE = 0.8;
/** What a hit on one of the two asked for is worth. */
const HALF_ANSWER = 0.7;

/** The score of a candidate; null when it is not worth answering. */
export function scored(asked: Asked, candidate: Candidate): Ranked | null {
  const website = websiteScore(asked, candidate);
  const name = nameScore(asked, candidate, website);
  if (name === 0 && website === 0) return null;
  const matchedOn = name === 0 ? 'website' : website === 0 ? 'name' : 'both';
  const whole = 1 - (1 - name) * (1 - website);
  const value = asked.both && matchedOn !== 'both' ? whole * HALF_ANSWER : whole;
  return { candidate, score: Math.round(value * 1_000) / 1_000, matchedOn };
}

function nameScore(asked: Asked, candidate: Candidate, website: number): number {
  if (asked.name === null) return 0;
  const value = scoreName(asked.name, nameForms(candidate.name));
  // A name given as a site, 'acme.io', hardly means the Acme of another site.
  const denied =
    asked.website !== null && !asked.both && candidate.domain !== null && website === 0;
  const credible = denied && value < 1 ? value * OTHER_SITE : value;
  return credible < NAME_SCORE_MIN ? 0 : credible;
}

function websiteScore(asked: Asked, candidate: Candidate): number {
  if (asked.website === null || candidate.domain === null) return 0;
  const site = websiteForms(candidate.domain);
  if (site === null) return 0;
  const path = websiteForms(candidate.website ?? '')?.path ?? '';
  return scoreWebsite(asked.website, { ...site, path });
}

/** The order of an answer: by score, then by deals, money raised and Id. */
export function bestFirst(a: Ranked, b: Ranked): number {
  return (
    b.score - a.score ||
    b.candidate.deals - a.candidate.deals ||
    b.candidate.raised - a.candidate.raised ||
    (a.candidate.id < b.candidate.id ? -1 : 1)
  );
}
