/** Headcounts of startups: they grow with the money raised. */
import { lookOf } from './funding.ts';
import type { WorldPlan } from './plan.ts';
import { membersOfBucket } from './profile.ts';
import { quantileAt, Random, streams } from './random.ts';
import { near, scaleOf } from './scale.ts';
import { shownBucket } from './showcase.ts';
import type { Startup } from './startups.ts';
import { unfundedMembers } from './words/money.ts';

/** How many people are at a startup, whether or not that is known. */
export function headcountOf(plan: WorldPlan, { index, rounds }: Startup): number {
  const random = new Random(plan.seed, streams.startup, index, 3);
  const bucket = shownBucket(index);
  if (bucket !== null) return membersOfBucket(random, bucket);
  const place = near(random, scaleOf(plan, index));
  const sizes = rounds.map(({ stage }) => quantileAt(lookOf(stage).members, place));
  return Math.max(1, Math.round(Math.max(quantileAt(unfundedMembers, place), ...sizes)));
}

/** The headcount on record; unknown for one in ten. */
export function knownHeadcount(plan: WorldPlan, startup: Startup): number | null {
  const isUnknown = new Random(plan.seed, streams.startup, startup.index, 6).chance(0.1);
  return isUnknown && shownBucket(startup.index) === null ? null : headcountOf(plan, startup);
}

/** A headcount a fifth above that at the beginning. */
export function grownHeadcount(plan: WorldPlan, startup: Startup): number {
  return Math.ceil(headcountOf(plan, startup) * 1.2) + 1;
}
