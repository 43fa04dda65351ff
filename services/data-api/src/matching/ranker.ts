import type { Criteria, Factor } from '@vcds/matching';
import type { Fact } from './facts.ts';

/** A search for the investors of a company, or for the companies of a fund. */
export interface RankRequest {
  readonly subject: { readonly type: 'startup' | 'fund'; readonly id: string } | undefined;
  /** The subject as its record is now; used if the model was trained without it. */
  readonly record: Criteria | undefined;
  readonly criteria: Criteria;
  /** Ids of funds or startups that are not ranked. */
  readonly excluded: readonly string[];
  /** The most hits. */
  readonly limit: number;
}

/** A factor that raised the score of a hit. */
export interface Raised {
  readonly factor: Factor;
  /** Its share of all that raised the score, from 0 to 1. */
  readonly weight: number;
}

/** A factor with the fact behind it. */
export interface Reason extends Raised {
  readonly fact: Fact;
  /** The fund that the fact names, if it names one. */
  readonly partnerId?: string;
}

export interface RankedHit {
  readonly id: string;
  readonly score: number;
  /** By descending weight. */
  readonly factors: readonly Raised[];
}

/** The most reasons of a hit. */
export const REASONS_MAX = 5;

/** A loaded model. Equal requests have equal results. */
export interface Ranker {
  readonly version: string;
  /** The best hits first; null if the model was trained without the fund of the request. */
  rank(request: RankRequest): Promise<readonly RankedHit[] | null>;
  /** The reasons of hits of a request, at most {@link REASONS_MAX} each, by descending weight. */
  explain(request: RankRequest, hits: readonly RankedHit[]): Promise<readonly Reason[][]>;
  close(): Promise<void>;
}
