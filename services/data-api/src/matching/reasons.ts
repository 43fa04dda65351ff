import type { Contribution } from '@vcds/matching';
import { FACTORS, type Fact, type Factor } from './facts.ts';
import { REASONS_MAX, type Reason } from './ranker.ts';

/** The factor of the features whose names begin so, the longest beginning first. */
const FACTOR_OF: readonly (readonly [beginning: string, factor: Factor | null])[] = (
  [
    ...[...['popularity', 'entry'].map((name) => [name, 'activity'] as const)],
    ...['recency', 'tenure', 'statedStage', 'statedTags'].map((name) => [name, name] as const),
    ...['tag', 'country', 'region', 'city'].map((name) => [name, name] as const),
    ...['tagCountry', 'tagRegion', 'stage', 'amount', 'home'].map((name) => [name, name] as const),
    ...['earlierInvestor', 'sameRound'].map((name) => [name, 'partners'] as const),
    ...[['diffusionTag', 'tag'] as const, ['diffusionRegion', 'region'] as const],
    ...[['diffusionTagRegion', 'tagRegion'] as const],
    ...[['diffusionEarlierInvestor', 'partners'] as const],
    ...[['partnerShare', 'partners'] as const],
    ...[['domain', 'tagCountry'] as const, ['portfolio', 'tagRegion'] as const],
    // The data have no short fact about these.
    ...['age', 'depth', 'lastStage', 'lastAmount', 'pause'].map((name) => [name, null] as const),
    ...['diffusion', 'linearModel', 'isWarm'].map((name) => [name, null] as const),
  ] as (readonly [string, Factor | null])[]
).toSorted(([a], [b]) => b.length - a.length);
const WEIGHT_DIGITS = 3;

/** The factor of a feature: null if it has no reason, undefined if the feature is unknown. */
export function factorOf(feature: string): Factor | null | undefined {
  return FACTOR_OF.find(([beginning]) => feature.startsWith(beginning))?.[1];
}

/**
 * The factors that raised a score most, each with the sum of its features' contributions as a share
 * of all that raised it. Factors without a fact are left out.
 */
export function reasonsOf(
  contributions: readonly Contribution[],
  factFor: (factor: Factor) => Fact | undefined,
): readonly Reason[] {
  const sums = new Map<Factor, number>();
  let raised = 0;
  for (const { feature, logit } of contributions) {
    raised += Math.max(0, logit);
    const factor = factorOf(feature);
    if (factor) sums.set(factor, (sums.get(factor) ?? 0) + logit);
  }
  const reasons: Reason[] = [];
  const ordered = FACTORS.map((factor) => ({ factor, sum: sums.get(factor) ?? 0 }))
    .filter(({ sum }) => sum > 0)
    .sort((a, b) => b.sum - a.sum);
  for (const { factor, sum } of ordered) {
    const weight = Number(Math.min(1, sum / raised).toFixed(WEIGHT_DIGITS));
    const fact = weight > 0 ? factFor(factor) : undefined;
    if (fact !== undefined) reasons.push({ factor, weight, fact });
    if (reasons.length === REASONS_MAX) break;
  }
  return reasons;
}
