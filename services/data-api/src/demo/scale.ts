/** How large a company is among those of its stage: what it raises and its headcount follow it. */
import type { WorldPlan } from './plan.ts';
import { Random, streams } from './random.ts';
import { shownBucket } from './showcase.ts';

/** From 0, the smallest, to 1, the largest. Companies that show a headcount are of its size. */
export function scaleOf(plan: WorldPlan, index: number): number {
  const bucket = shownBucket(index);
  if (bucket !== null) return bucket === 9 ? 0.85 : 0.5;
  return new Random(plan.seed, streams.funding, index, 0x100).fraction();
}

/** A share near a scale: no two numbers of a company lie at exactly the same place. */
export function near(random: Random, scale: number): number {
  return Math.min(Math.max(scale + (random.fraction() - 0.5) / 5, 0), 1);
}
