/** The world as it stands when the history begins. */
import type { ImportLine, UpsertLine } from '../import/index.ts';
import { fundFoundedDay, fundLine } from './fund-lines.ts';
import type { Round } from './funding.ts';
import { mandateOf } from './funds.ts';
import { holdingLines } from './holdings.ts';
import { angelLine, partnerLines, teamLines } from './people.ts';
import type { WorldPlan } from './plan.ts';
import { companyNewsLine, fundNewsLine, referenceLines, roundNewsLine } from './press.ts';
import { Random, streams, Weighted } from './random.ts';
import { investorLine, roundLine, valuationLine } from './round-lines.ts';
import { type Stamp, stampOf } from './stamp.ts';
import { type Startup, startupLine, startupOf } from './startups.ts';

/** Angels, then funds, then startups, each with what belongs to them: no line refers ahead. */
export function* baseLines(plan: WorldPlan): Iterable<ImportLine> {
  for (let angel = 0; angel < plan.angels; angel += 1) {
    yield angelLine(plan, angel, stampOf(plan.historyDay - 2000 + (angel % 1900), angel));
  }
  for (let fund = 0; fund < plan.baseFunds; fund += 1) {
    const day = Math.min(fundFoundedDay(plan, fund) + 60, plan.historyDay - 1);
    yield* fundLines(plan, fund, day);
  }
  for (let index = 0; index < plan.baseStartups; index += 1) {
    const startup = startupOf(plan, index);
    const listed = startup.path.foundedDay + 30 + (index % 300);
    yield* startupLines(plan, startup, Math.min(listed, plan.historyDay - 1));
  }
}

/** A fund with its team and what is written about it. */
export function* fundLines(plan: WorldPlan, fund: number, day: number): Iterable<ImportLine> {
  const stamp = stampOf(day, fund * 37);
  yield fundLine(plan, mandateOf(plan, fund), stamp);
  yield* partnerLines(plan, fund, [fundFoundedDay(plan, fund), day], stamp);
  if (new Random(plan.seed, streams.news, fund, 0x300).chance(0.35)) {
    yield fundNewsLine(plan, fund, 0, day, stamp);
  }
}

/** A startup with its people, rounds and all that hangs on them. */
export function* startupLines(
  plan: WorldPlan,
  startup: Startup,
  listedDay: number,
): Iterable<ImportLine> {
  const stamp = stampOf(listedDay, startup.index * 37);
  yield startupLine(plan, startup, stamp);
  yield* teamLines(plan, startup, listedDay, stamp);
  for (const round of startup.rounds) yield* linesOfRound(plan, startup, round);
  yield* holdingLines(plan, startup, listedDay);
  yield* referenceLines(plan, startup, listedDay, stamp);
  const random = new Random(plan.seed, streams.news, startup.index, 0x300);
  const stories = storyCounts.draw(random);
  for (let number = 0; number < stories; number += 1) {
    yield companyNewsLine(plan, startup, number, listedDay, stamp);
  }
}

const storyCounts = new Weighted<number>([
  [0, 84],
  [1, 12],
  [2, 4],
]);

type RoundRelated = UpsertLine<'round' | 'investor' | 'valuation' | 'news'>;

/** A round, those who joined it after it was recorded, its valuation and its news. */
function* linesOfRound(plan: WorldPlan, startup: Startup, round: Round): Iterable<RoundRelated> {
  const random = new Random(plan.seed, streams.syndicate, startup.index, 0x200 + round.number);
  const stamp: Stamp = stampOf(round.day, random.uint32());
  // Of one round in six, all but the first participant become known later.
  const known = random.chance(0.16) ? 1 : round.participants.length;
  yield roundLine(plan, round, round.participants.slice(0, known), stamp);
  const joined = Math.min(round.day + 20 + random.below(60), plan.historyDay - 1);
  for (const participant of round.participants.slice(known)) {
    yield investorLine(plan, round, participant, stampOf(Math.max(joined, round.day), 50_000));
  }
  const isPriced = round.amount !== null && round.stage >= 3 && round.stage <= 14;
  if (isPriced && random.chance(0.11)) yield valuationLine(plan, round, stamp);
  if (random.chance(0.2)) yield roundNewsLine(plan, startup, round);
}
