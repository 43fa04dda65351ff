/** What happens to the rounds of startups in the course of the history. */
import type { ImportLine } from '@vcds/importer';
import { isPriced, type Round, roundOf, stagesAfter } from './funding.ts';
import { grownHeadcount } from './headcounts.ts';
import { fateOf, fundsOf } from './holdings.ts';
import type { WorldPlan } from './plan.ts';
import { roundNewsLine } from './press.ts';
import { rounded } from './profile.ts';
import { investorLine, revaluationLine, roundLine, valuationLine } from './round-lines.ts';
import { roundKey, startupKey } from './stamp.ts';
import { type Startup, statedNextStage, statedTotal } from './startups.ts';
import { isClosed, luck, type Occasion, type Storyline, subjectOf } from './storyline.ts';
import { drawFund } from './syndicate.ts';
import { isValued, postMoneyOf } from './valuations.ts';

export const roundStorylines: readonly Storyline[] = [
  {
    name: 'raises a round, whose syndicate becomes known later',
    share: 0.11,
    steps: [
      { afterDays: 0, tell: raises },
      { afterDays: 4, tell: syndicateJoins },
      { afterDays: 9, tell: isValuedByRound },
      { afterDays: 13, tell: grows },
      { afterDays: 24, tell: newRoundIsCorrected },
    ],
  },
  {
    name: 'has its last round corrected, and for some the correction taken back',
    share: 0.02,
    steps: [
      { afterDays: 0, tell: roundIsCorrected },
      { afterDays: 26, tell: correctionIsTakenBack },
    ],
  },
  { name: 'gains an investor', share: 0.02, steps: [{ afterDays: 0, tell: investorIsFound }] },
  { name: 'is valued anew', share: 0.006, steps: [{ afterDays: 0, tell: isValuedAnew }] },
  { name: 'has a round withdrawn', share: 0.002, steps: [{ afterDays: 0, tell: losesRound }] },
];

/** A company raises again after so many days at the earliest. */
const betweenRoundsMin = 240;

/**
 * The round with which the story began; none where the company was closed, sold in part or whole,
 * has left venture capital, or raised a short while ago.
 */
function newRound(occasion: Occasion, startup: Startup): Round | null {
  const { plan, index, begun } = occasion;
  const { rounds, sector, home } = startup;
  const [stage] = stagesAfter(rounds);
  const isRecent = (rounds.at(-1)?.day ?? 0) > begun - betweenRoundsMin;
  const isSoldInPart = ['acquired', 'exited', 'partly'].includes(fateOf(plan, index));
  if (stage === undefined || isRecent || isSoldInPart || isClosed(occasion, startup)) return null;
  const round = roundOf(plan, index, stage, begun, rounds, sector, home);
  return isValued(plan, index) ? { ...round, amount: round.size } : round;
}

function* raises(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  const round = newRound(occasion, startup);
  if (round === null) return;
  const { plan, stamp } = occasion;
  yield roundLine(plan, round, round.participants.slice(0, 1), stamp);
  const change = { ...newTotal(plan, startup, round), ...newOutlook(plan, startup, round) };
  if (Object.keys(change).length > 0) {
    yield { op: 'patch', type: 'startup', ...stamp, key: startupKey(startup.index), ...change };
  }
  if (luck(occasion, 1).chance(0.5)) yield roundNewsLine(plan, startup, round);
}

/** A total that is stated counts the new round. */
function newTotal(plan: WorldPlan, startup: Startup, round: Round) {
  const before = statedTotal(plan, startup);
  if (before === null) return {};
  return { TotalRaised: rounded((before + round.dollars) * 1.01, 3), Currency: 'USD' };
}

/** A stage that was expected has come: the one after it is expected. */
function newOutlook(plan: WorldPlan, startup: Startup, round: Round) {
  if (statedNextStage(plan, startup) === null) return {};
  return { NextFundingStage: stagesAfter([...startup.rounds, round])[0] ?? null };
}

function* syndicateJoins(occasion: Occasion): Iterable<ImportLine> {
  const round = newRound(occasion, subjectOf(occasion));
  if (round === null) return;
  for (const participant of round.participants.slice(1)) {
    yield investorLine(occasion.plan, round, participant, occasion.stamp);
  }
}

function* isValuedByRound(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  const { plan, index, stamp } = occasion;
  const round = newRound(occasion, startup);
  if (round === null || !isPriced(round)) return;
  if (!isValued(plan, index) && !luck(occasion, 2).chance(0.2)) return;
  const value = postMoneyOf(plan, [...startup.rounds, round]).at(-1) ?? 0;
  yield valuationLine(plan, round, value, stamp, true);
}

function* grows(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  if (newRound(occasion, startup) === null || !luck(occasion, 3).chance(0.4)) return;
  const { plan, stamp } = occasion;
  yield {
    op: 'patch',
    type: 'startup',
    ...stamp,
    key: startupKey(startup.index),
    MembersCount: grownHeadcount(plan, startup),
  };
}

function* newRoundIsCorrected(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  const round = newRound(occasion, startup);
  if (round === null) return;
  // What was a rumour is confirmed; of the others, some were announced with another amount.
  if (!round.confirmed) yield roundPatch(occasion, round, { Confirmed: true });
  else if (luck(occasion, 4).chance(0.25))
    yield roundPatch(occasion, round, correction(occasion, startup, round));
}

interface RoundChange {
  readonly Amount?: number;
  readonly Currency?: string;
  readonly Series?: string;
  readonly Confirmed?: boolean;
}

function roundPatch({ stamp }: Occasion, round: Round, change: RoundChange): ImportLine {
  const key = roundKey(round.startup, round.number);
  return { op: 'patch', type: 'round', ...stamp, key, ...change };
}

/** The amount, where it was undisclosed, else another one; never above the total that is stated. */
function correction(occasion: Occasion, startup: Startup, round: Round): RoundChange {
  const { size, amount, currency } = round;
  if (amount === null) return { Amount: size, Currency: currency };
  const random = luck(occasion, 5);
  const isRaised = random.chance(0.6) && statedTotal(occasion.plan, startup) === null;
  const factor = isRaised ? 1.06 + random.fraction() / 6 : 0.8 + random.fraction() / 8;
  const Amount = Math.max(1, rounded(amount * factor, 2));
  return { Amount: Amount === amount ? Amount + 1 : Amount, Currency: currency };
}

function* roundIsCorrected(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  const round = startup.rounds.at(-1);
  if (round !== undefined) {
    yield roundPatch(occasion, round, correction(occasion, startup, round));
  }
}

function* correctionIsTakenBack(occasion: Occasion): Iterable<ImportLine> {
  const round = subjectOf(occasion).rounds.at(-1);
  if (round === undefined || round.amount === null || !luck(occasion, 6).chance(0.3)) return;
  yield roundPatch(occasion, round, { Amount: round.amount, Currency: round.currency });
}

function* investorIsFound(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  const round = startup.rounds.at(-1);
  if (round === undefined) return;
  const { plan, stamp } = occasion;
  const { index, sector, home } = startup;
  const country = home?.country.name ?? null;
  const { stage, day } = round;
  const outlook = { startup: index, stage, day, sector, country, earlier: [] };
  const fund = drawFund(plan, luck(occasion, 7), outlook);
  if (fund === null || fundsOf(startup).includes(fund)) return;
  yield investorLine(plan, round, { type: 'fund', index: fund, lead: false }, stamp);
}

function* isValuedAnew(occasion: Occasion): Iterable<ImportLine> {
  const { plan, day, stamp } = occasion;
  const { rounds } = subjectOf(occasion);
  const last = rounds.findLastIndex(isPriced);
  const [round, value] = [rounds[last], postMoneyOf(plan, rounds)[last]];
  if (round === undefined || value === undefined) return;
  const risen = value * (1.15 + luck(occasion, 13).fraction() * 0.4);
  yield revaluationLine(plan, round, risen, day, stamp);
}

/** A round that a valuation or a total rests on stays. */
function* losesRound(occasion: Occasion): Iterable<ImportLine> {
  const { plan, index, stamp } = occasion;
  const startup = subjectOf(occasion);
  const round = startup.rounds.at(-1);
  const isCounted = isValued(plan, index) || statedTotal(plan, startup) !== null;
  if (round === undefined || isCounted) return;
  yield { op: 'delete', type: 'round', ...stamp, key: roundKey(round.startup, round.number) };
}
