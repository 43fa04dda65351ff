/** What happens to the rounds of startups in the course of the history. */
import type { ImportLine } from '../import/index.ts';
import { type Round, roundOf, stageAfter } from './funding.ts';
import { fundsOf } from './holdings.ts';
import { roundNewsLine } from './press.ts';
import { rounded } from './profile.ts';
import { grownHeadcount } from './profile-changes.ts';
import { investorLine, revaluationLine, roundLine, valuationLine } from './round-lines.ts';
import { roundKey, startupKey } from './stamp.ts';
import type { Startup } from './startups.ts';
import { isClosed, luck, type Occasion, type Storyline, subjectOf } from './storyline.ts';
import { drawFund } from './syndicate.ts';

export const roundStorylines: readonly Storyline[] = [
  {
    name: 'raises a round, whose syndicate becomes known later',
    share: 0.07,
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

/** The round with which the story began. */
function newRound({ plan, begun }: Occasion, startup: Startup): Round {
  const { index, rounds, sector, home } = startup;
  const last = rounds.at(-1);
  const stage = last === undefined ? 3 : stageAfter(last.stage);
  return roundOf(plan, index, stage, begun, rounds, sector, home);
}

function* raises(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  if (isClosed(occasion, startup)) return;
  const { plan, stamp } = occasion;
  const round = newRound(occasion, startup);
  yield roundLine(plan, round, round.participants.slice(0, 1), stamp);
  if (luck(occasion, 1).chance(0.5)) yield roundNewsLine(plan, startup, round);
}

function* syndicateJoins(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  if (isClosed(occasion, startup)) return;
  const round = newRound(occasion, startup);
  for (const participant of round.participants.slice(1)) {
    yield investorLine(occasion.plan, round, participant, occasion.stamp);
  }
}

function* isValuedByRound(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  const round = newRound(occasion, startup);
  if (isClosed(occasion, startup) || round.amount === null) return;
  if (luck(occasion, 2).chance(0.3)) yield valuationLine(occasion.plan, round, occasion.stamp);
}

function* grows(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  if (isClosed(occasion, startup) || !luck(occasion, 3).chance(0.4)) return;
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
  if (isClosed(occasion, startup)) return;
  const round = newRound(occasion, startup);
  // What was a rumour is confirmed; of the others, some were announced with another amount.
  if (!round.confirmed) yield roundPatch(occasion, round, { Confirmed: true });
  else if (luck(occasion, 4).chance(0.25))
    yield roundPatch(occasion, round, correction(occasion, round));
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

/** Another amount, always different from the one before. */
function correction(occasion: Occasion, { amount, currency }: Round): RoundChange {
  const random = luck(occasion, 5);
  if (amount === null)
    return { Amount: rounded(4e5 + random.fraction() * 9e6, 2), Currency: 'USD' };
  const factor = random.chance(0.6) ? 1.1 + random.fraction() / 2 : 0.6 + random.fraction() / 4;
  const Amount = Math.max(1, rounded(amount * factor, 2));
  return { Amount: Amount === amount ? Amount + 1 : Amount, Currency: currency };
}

function* roundIsCorrected(occasion: Occasion): Iterable<ImportLine> {
  const round = subjectOf(occasion).rounds.at(-1);
  if (round !== undefined) yield roundPatch(occasion, round, correction(occasion, round));
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
  const country = startup.home?.country.name ?? null;
  const outlook = { stage: round.stage, sector: startup.sector, country, earlier: [] };
  const fund = drawFund(plan, luck(occasion, 7), outlook);
  if (fund === null || fundsOf(startup).includes(fund)) return;
  yield investorLine(plan, round, { type: 'fund', index: fund, lead: false }, stamp);
}

function* isValuedAnew(occasion: Occasion): Iterable<ImportLine> {
  const round = subjectOf(occasion).rounds.at(-1);
  if (round !== undefined && round.amount !== null) {
    yield revaluationLine(occasion.plan, round, occasion.day, occasion.stamp);
  }
}

function* losesRound(occasion: Occasion): Iterable<ImportLine> {
  const round = subjectOf(occasion).rounds.at(-1);
  if (round === undefined) return;
  const key = roundKey(round.startup, round.number);
  yield { op: 'delete', type: 'round', ...occasion.stamp, key };
}
