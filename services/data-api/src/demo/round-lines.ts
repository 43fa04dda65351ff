/** Rounds, who took part in them, and what they valued companies at, as import lines. */
import type { InvestorRef, ListedInvestor, UpsertLine } from '../import/index.ts';
import { dateText } from './calendar.ts';
import { type Round, roughDollars, stageLabel } from './funding.ts';
import { angelKey } from './people.ts';
import type { WorldPlan } from './plan.ts';
import { rounded } from './profile.ts';
import { Random, streams } from './random.ts';
import { fundKey, roundKey, type Stamp, startupKey } from './stamp.ts';
import type { Participant } from './syndicate.ts';

/** Someone who takes part, as a line refers to them. */
export function investorRef(plan: WorldPlan, { type, index }: Participant): InvestorRef {
  return type === 'fund'
    ? { type: 'fund', key: fundKey(index) }
    : { type: 'person', key: angelKey(plan, index) };
}

/** A round with those of its participants whom the line is to list. */
export function roundLine(
  plan: WorldPlan,
  round: Round,
  listed: readonly Participant[],
  stamp: Stamp,
): UpsertLine<'round'> {
  const random = new Random(plan.seed, streams.syndicate, round.startup, round.number);
  // A series written as the label of its stage says enough; of some rounds nobody knows either.
  const isLeftOut = round.series === stageLabel(round.stage) && random.chance(0.4);
  const isUnknown = round.series === null && random.chance(0.5);
  return {
    op: 'upsert',
    type: 'round',
    ...stamp,
    key: roundKey(round.startup, round.number),
    Startup: { key: startupKey(round.startup) },
    Date: round.dateKnown ? dateText(round.day) : null,
    Series: round.series,
    ...(!isLeftOut && { Stage: isUnknown ? null : round.stage }),
    Amount: round.amount,
    Currency: round.amount === null ? null : round.currency,
    // What is left out is so by default.
    Confirmed: round.confirmed && random.chance(0.5) ? null : round.confirmed,
    Investors: listed.map(
      (participant): ListedInvestor => ({
        ...investorRef(plan, participant),
        ...(participant.lead && { Lead: true }),
      }),
    ),
    SourceUrl: `https://demonstration.example/rounds/${round.startup}-${round.number}`,
  };
}

/** That someone took part in a round that is known already. */
export function investorLine(
  plan: WorldPlan,
  round: Round,
  participant: Participant,
  stamp: Stamp,
): UpsertLine<'investor'> {
  return {
    op: 'upsert',
    type: 'investor',
    ...stamp,
    Round: { key: roundKey(round.startup, round.number) },
    Investor: investorRef(plan, participant),
    Lead: participant.lead ? true : null,
  };
}

/** What a round valued its company at: its amount is a tenth to a quarter of that. */
export function valuationLine(
  plan: WorldPlan,
  round: Round,
  stamp: Stamp,
): UpsertLine<'valuation'> {
  const random = new Random(plan.seed, streams.syndicate, round.startup, 0x100 + round.number);
  const share = 0.1 + random.fraction() * 0.15;
  const amount = round.amount === null ? null : rounded(round.amount / share, 2);
  return {
    op: 'upsert',
    type: 'valuation',
    ...stamp,
    key: `valuation-${round.startup}-${round.number}`,
    Startup: { key: startupKey(round.startup) },
    Round: random.chance(0.85) ? { key: roundKey(round.startup, round.number) } : null,
    Date: random.chance(0.97) ? dateText(round.day) : null,
    Amount: random.chance(0.95) ? amount : null,
    Currency: round.currency === 'USD' ? null : round.currency,
    Estimated: random.chance(0.6) ? true : random.pick([false, null]),
    SourceUrl: `https://demonstration.example/valuations/${round.startup}-${round.number}`,
  };
}

/** A valuation of a later day that no round set. */
export function revaluationLine(
  plan: WorldPlan,
  round: Round,
  day: number,
  stamp: Stamp,
): UpsertLine<'valuation'> {
  return {
    ...valuationLine(plan, round, stamp),
    key: `revaluation-${round.startup}-${round.number}`,
    Round: null,
    Date: dateText(day),
  };
}

/** The amount of a round as a headline has it, such as `$5.2M`; null where it is not disclosed. */
export function headlineAmount({ amount, currency }: Round): string | null {
  if (amount === null) return null;
  const dollars = roughDollars(amount, currency);
  if (dollars >= 1e9) return `$${rounded(dollars / 1e8, 2) / 10}B`;
  return dollars >= 1e6
    ? `$${rounded(dollars / 1e5, 2) / 10}M`
    : `$${Math.max(1, rounded(dollars / 1e3, 2))}K`;
}
