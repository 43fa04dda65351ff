/** What happens to startups in the course of the history. */
import type { ImportLine } from '../import/index.ts';
import { startupLines } from './base.ts';
import { type Round, roundOf, stageAfter } from './funding.ts';
import { fateOf, fundsOf, holdingLine, quietHolder } from './holdings.ts';
import { hireLines } from './people.ts';
import { companyNewsLine, roundNewsLine } from './press.ts';
import { rounded } from './profile.ts';
import { changedProfile, grownHeadcount } from './profile-changes.ts';
import { Random, streams } from './random.ts';
import { investorLine, revaluationLine, roundLine, valuationLine } from './round-lines.ts';
import { roundKey, startupKey } from './stamp.ts';
import { type Startup, startupLine, startupOf, statusOf } from './startups.ts';
import type { Occasion, Storyline } from './storyline.ts';
import { drawFund } from './syndicate.ts';
import { withdrawalOf } from './withdrawals.ts';

export const startupStorylines: readonly Storyline[] = [
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
  {
    name: 'changes its profile, and some more than once',
    share: 0.06,
    steps: [
      { afterDays: 0, tell: profileChanges },
      { afterDays: 40, tell: profileChangesAgain },
    ],
  },
  {
    name: 'goes quiet, until the owner objects',
    share: 0.02,
    steps: [
      { afterDays: 0, tell: goesQuiet },
      { afterDays: 45, tell: ownerObjects },
    ],
  },
  { name: 'closes', share: 0.006, steps: [{ afterDays: 0, tell: closes }] },
  { name: 'is sold', share: 0.018, steps: [{ afterDays: 0, tell: isSold }] },
  { name: 'shows up in a portfolio', share: 0.015, steps: [{ afterDays: 0, tell: isListed }] },
  {
    name: 'hires, and some hires leave',
    share: 0.015,
    steps: [{ afterDays: 0, tell: hires }],
  },
  { name: 'is valued anew', share: 0.006, steps: [{ afterDays: 0, tell: isValuedAnew }] },
  { name: 'is written about', share: 0.04, steps: [{ afterDays: 0, tell: isWrittenAbout }] },
  { name: 'has a round withdrawn', share: 0.002, steps: [{ afterDays: 0, tell: losesRound }] },
  { name: 'is taken out', share: 0.004, steps: [{ afterDays: 0, tell: isTakenOut }] },
  {
    name: 'is taken out and comes back',
    share: 0.002,
    steps: [
      { afterDays: 0, tell: vanishes },
      { afterDays: 20, tell: comesBack },
    ],
  },
];

const subjectOf = ({ plan, index }: Occasion): Startup => startupOf(plan, index);

/** Draws that belong to a story; `part` keeps its steps apart. */
function luck({ plan, index }: Occasion, part: number): Random {
  return new Random(plan.seed, streams.story, index, part);
}

/** The round with which the story began. */
function newRound({ plan, begun }: Occasion, startup: Startup): Round {
  const { index, rounds, sector, home } = startup;
  const last = rounds.at(-1);
  const stage = last === undefined ? 3 : stageAfter(last.stage);
  return roundOf(plan, index, stage, begun, rounds, sector, home);
}

const isClosed = ({ plan, index }: Occasion, startup: Startup): boolean =>
  statusOf(plan, index, startup.rounds).OperatingStatus === 'Closed';

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

function* profileChanges(occasion: Occasion): Iterable<ImportLine> {
  yield changedProfile(occasion.plan, subjectOf(occasion), 0, occasion.stamp);
}

function* profileChangesAgain(occasion: Occasion): Iterable<ImportLine> {
  if (!luck(occasion, 8).chance(0.3)) return;
  yield changedProfile(occasion.plan, subjectOf(occasion), 1, occasion.stamp);
}

function* statusChange(
  { index, stamp }: Occasion,
  OperatingStatus: string,
  OperatingStatusSource: string,
): Iterable<ImportLine> {
  const change = { OperatingStatus, OperatingStatusSource };
  yield { op: 'patch', type: 'startup', ...stamp, key: startupKey(index), ...change };
}

function* goesQuiet(occasion: Occasion): Iterable<ImportLine> {
  yield* statusChange(occasion, 'ProbablyClosed', 'inferred');
}

function* ownerObjects(occasion: Occasion): Iterable<ImportLine> {
  if (luck(occasion, 9).chance(0.3)) yield* statusChange(occasion, 'Active', 'owner');
}

function* closes(occasion: Occasion): Iterable<ImportLine> {
  yield* statusChange(occasion, 'Closed', luck(occasion, 10).chance(0.8) ? 'editor' : 'owner');
}

function* isSold(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  const { plan, index, stamp, day } = occasion;
  const funds = fundsOf(startup);
  if (funds.length === 0 || fateOf(plan, index) !== 'none') return;
  const status = luck(occasion, 11).chance(0.7) ? 'Acquired' : 'Exited';
  for (const fund of funds) yield holdingLine(fund, index, status, stamp);
  if (luck(occasion, 12).chance(0.5)) yield companyNewsLine(plan, startup, 101, day, stamp);
}

function* isListed(occasion: Occasion): Iterable<ImportLine> {
  const { plan, index, stamp } = occasion;
  const fund = quietHolder(plan, subjectOf(occasion), 1);
  if (fund !== null && fateOf(plan, index) !== 'listed') {
    yield holdingLine(fund, index, 'Held', stamp);
  }
}

function* hires(occasion: Occasion): Iterable<ImportLine> {
  const { plan, stamp, day } = occasion;
  yield* hireLines(plan, subjectOf(occasion), 1, day, stamp);
}

function* isValuedAnew(occasion: Occasion): Iterable<ImportLine> {
  const round = subjectOf(occasion).rounds.at(-1);
  if (round !== undefined && round.amount !== null) {
    yield revaluationLine(occasion.plan, round, occasion.day, occasion.stamp);
  }
}

function* isWrittenAbout(occasion: Occasion): Iterable<ImportLine> {
  const { plan, stamp, day } = occasion;
  yield companyNewsLine(plan, subjectOf(occasion), 100, day, stamp);
}

function* losesRound(occasion: Occasion): Iterable<ImportLine> {
  const round = subjectOf(occasion).rounds.at(-1);
  if (round === undefined) return;
  const key = roundKey(round.startup, round.number);
  yield { op: 'delete', type: 'round', ...occasion.stamp, key };
}

function* isTakenOut(occasion: Occasion): Iterable<ImportLine> {
  const { plan, stamp, begun } = occasion;
  const lines = [...startupLines(plan, subjectOf(occasion), begun - 400)];
  for (const line of lines.reverse()) yield* withdrawalOf(line, stamp);
}

function* vanishes({ index, stamp }: Occasion): Iterable<ImportLine> {
  yield { op: 'delete', type: 'startup', ...stamp, key: startupKey(index) };
}

function* comesBack(occasion: Occasion): Iterable<ImportLine> {
  yield startupLine(occasion.plan, subjectOf(occasion), occasion.stamp);
}
