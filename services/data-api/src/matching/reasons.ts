import { isDeepStrictEqual } from 'node:util';
import type { Contribution } from '@vcds/matching';
import { FACTORS, type Fact, type Factor } from './facts.ts';
import { type Raised, REASONS_MAX, type Reason } from './ranker.ts';

/** The features of each factor: names, or their beginnings before a `*`. */
const FEATURES_OF: Readonly<Record<Factor, string>> = {
  activity: 'popularity* entry*',
  recency: 'recency',
  tenure: 'tenure',
  portfolio: 'domain* portfolio* diffusion linearModel',
  tag: 'tag* diffusionTag',
  country: 'country*',
  region: 'region* diffusionRegion',
  city: 'city*',
  tagCountry: 'tagCountry*',
  tagRegion: 'tagRegion* diffusionTagRegion',
  stage: 'stage*',
  amount: 'amount*',
  partners: 'earlierInvestor* sameRound* partner* diffusionEarlierInvestor',
  home: 'home*',
  statedStage: 'statedStage',
  statedTags: 'statedTags',
};
/** Features without a short fact about the investor. */
const WITHOUT_FACT = 'age* depth* tagDepth* regionDepth* last* pause*';
const PATTERNS = [...Object.entries(FEATURES_OF), [null, WITHOUT_FACT] as const]
  .flatMap(([factor, patterns]) => patterns.split(' ').map((pattern) => ({ factor, pattern })))
  .sort((a, b) => b.pattern.length - a.pattern.length);
const WEIGHT_DIGITS = 3;
const FACTORS_KNOWN = new Map<string, Factor | null | undefined>();

/** The factor of a feature: null if it has no fact, undefined if the feature is unknown. */
export function factorOf(feature: string): Factor | null | undefined {
  const found = PATTERNS.find(({ pattern }) =>
    pattern.endsWith('*') ? feature.startsWith(pattern.slice(0, -1)) : feature === pattern,
  );
  return found?.factor as Factor | null | undefined;
}

/** The factors that raised a score, each with its share of all that raised it, the largest first. */
export function raisedBy(contributions: readonly Contribution[]): readonly Raised[] {
  const sums = new Map<Factor, number>();
  let raised = 0;
  for (const { feature, logit } of contributions) {
    raised += Math.max(0, logit);
    if (!FACTORS_KNOWN.has(feature)) FACTORS_KNOWN.set(feature, factorOf(feature));
    const factor = FACTORS_KNOWN.get(feature);
    if (factor) sums.set(factor, (sums.get(factor) ?? 0) + logit);
  }
  return FACTORS.map((factor) => ({ factor, sum: sums.get(factor) ?? 0 }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum)
    .map(({ factor, sum }) => ({
      factor,
      weight: Number(Math.min(1, sum / raised).toFixed(WEIGHT_DIGITS)),
    }));
}

/** The first factors with a fact, at most {@link REASONS_MAX}; repeated facts are left out. */
export function reasonsOf(
  factors: readonly Raised[],
  factFor: (factor: Factor) => Fact | undefined,
): Reason[] {
  const reasons: Reason[] = [];
  for (const { factor, weight } of factors) {
    const fact = weight > 0 ? factFor(factor) : undefined;
    if (fact === undefined || reasons.some((each) => isDeepStrictEqual(each.fact, fact))) continue;
    reasons.push({ factor, weight, fact });
    if (reasons.length === REASONS_MAX) break;
  }
  return reasons;
}
