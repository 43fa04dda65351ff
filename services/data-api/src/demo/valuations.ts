/** What rounds valued companies at. */
import { isPriced, type Round } from './funding.ts';
import type { WorldPlan } from './plan.ts';
import { Random, streams } from './random.ts';
import { shownStage } from './showcase.ts';

/** Whether the valuations of a startup became known: of one in six, and then of every priced round. */
export function isValued(plan: WorldPlan, startup: number): boolean {
  if (shownStage(startup) !== null) return false;
  return new Random(plan.seed, streams.syndicate, startup, 0x900).chance(0.16);
}

/** A post-money valuation exceeds what was raised until the next one by so much at least. */
const raisedMultipleMin = 1.6;
/** A valuation falls to this share of the one before at worst. */
const downRoundMin = 0.85;

/**
 * The post-money valuation of each round in US dollars: a round sells a tenth to a quarter of the
 * company, whose worth covers all that was raised.
 */
export function postMoneyOf(plan: WorldPlan, rounds: readonly Round[]): readonly number[] {
  let raised = 0;
  let before = 0;
  return rounds.map((round, at) => {
    raised += round.dollars;
    const next = rounds.findIndex((each, place) => place > at && isPriced(each));
    const following = rounds.slice(at + 1, next < 0 ? undefined : next);
    const covered = following.reduce((sum, { dollars }) => sum + dollars, raised);
    const value = Math.max(
      round.dollars / shareSold(plan, round),
      covered * raisedMultipleMin,
      before * downRoundMin,
    );
    if (isPriced(round)) before = value;
    return value;
  });
}

function shareSold(plan: WorldPlan, { startup, number }: Round): number {
  const usual = 0.12 + new Random(plan.seed, streams.syndicate, startup, 0x901).fraction() * 0.11;
  const own = new Random(plan.seed, streams.syndicate, startup, 0x100 + number).fraction();
  return usual + (own - 0.5) / 25;
}
