/** Rounds, who took part in them, and what they valued companies at, as import lines. */
import type { InvestorRef, ListedInvestor, UpsertLine } from '@vcds/importer';
import { dateText } from './calendar.ts';
import { type Round, stageLabel } from './funding.ts';
import { angelKey } from './people.ts';
import type { WorldPlan } from './plan.ts';
import { rounded } from './profile.ts';
import { Random, streams } from './random.ts';
import { dollarsPerUnit } from './rates.ts';
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

/** What a round valued its company at, in US dollars; of the latest one, day and amount are known. */
export function valuationLine(
  plan: WorldPlan,
  round: Round,
  dollars: number,
  stamp: Stamp,
  isLatest: boolean,
): UpsertLine<'valuation'> {
  const random = new Random(plan.seed, streams.syndicate, round.startup, 0x200 + round.number);
  return {
    op: 'upsert',
    type: 'valuation',
    ...stamp,
    key: `valuation-${round.startup}-${round.number}`,
    Startup: { key: startupKey(round.startup) },
    Round: random.chance(0.85) ? { key: roundKey(round.startup, round.number) } : null,
    Date: random.chance(0.94) || isLatest ? dateText(round.day) : null,
    Amount: random.chance(0.9) || isLatest ? inCurrency(dollars, round, round.day) : null,
    Currency: round.currency === 'USD' ? null : round.currency,
    Estimated: random.chance(0.6) ? true : random.pick([false, null]),
    SourceUrl: `https://demonstration.example/valuations/${round.startup}-${round.number}`,
  };
}

/** A valuation of a later day that no round set. */
export function revaluationLine(
  plan: WorldPlan,
  round: Round,
  dollars: number,
  day: number,
  stamp: Stamp,
): UpsertLine<'valuation'> {
  return {
    ...valuationLine(plan, round, dollars, stamp, true),
    Amount: inCurrency(dollars, round, day),
    key: `revaluation-${round.startup}-${round.number}`,
    Round: null,
    Date: dateText(day),
  };
}

/** Dollars in the currency of a round, on a day on which the round was made or later. */
function inCurrency(dollars: number, { currency }: Round, day: number): number {
  return rounded(dollars / (dollarsPerUnit(currency, day) ?? 1), 2);
}

/** The amount of a round as a headline has it, such as `$5.2M`; null where it is not disclosed. */
export function headlineAmount({ amount, dollars }: Round): string | null {
  if (amount === null) return null;
  if (dollars >= 1e9) return `$${rounded(dollars / 1e8, 2) / 10}B`;
  return dollars >= 1e6
    ? `$${rounded(dollars / 1e5, 2) / 10}M`
    : `$${Math.max(1, rounded(dollars / 1e3, 2))}K`;
}
