import { isDeepStrictEqual } from 'node:util';
import { type Contribution, FACTOR_OF, FACTORS, type Factor } from '@vcds/matching';
import type { Fact } from './facts.ts';
import { type Raised, REASONS_MAX, type Reason } from './ranker.ts';

const WEIGHT_DIGITS = 3;

/** The factors that raised a score, each with its share of all that raised it, the largest first. */
export function raisedBy(contributions: readonly Contribution[]): readonly Raised[] {
  const sums = new Map<Factor, number>();
  let raised = 0;
  for (const { feature, logit } of contributions) {
    raised += Math.max(0, logit);
    const factor = FACTOR_OF.get(feature);
    if (factor !== undefined) sums.set(factor, (sums.get(factor) ?? 0) + logit);
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
