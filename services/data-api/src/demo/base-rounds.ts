/** The rounds of the base, and what became known of them later. */
import type { UpsertLine } from '@vcds/importer';
import { isPriced, type Round } from './funding.ts';
import type { WorldPlan } from './plan.ts';
import { roundNewsLine } from './press.ts';
import { Random, streams } from './random.ts';
import { investorLine, roundLine, valuationLine } from './round-lines.ts';
import { type Stamp, stampOf } from './stamp.ts';
import type { Startup } from './startups.ts';
import { isValued, postMoneyOf } from './valuations.ts';

function luck(plan: WorldPlan, { startup, number }: Round, part: number): Random {
  return new Random(plan.seed, streams.syndicate, startup, part + number);
}

const recorded = ({ startup, number, day }: Round): Stamp =>
  stampOf(day, startup * 37 + number * 7919);

/** Of one round in six, all but the first participant become known later. */
function knownAtFirst(plan: WorldPlan, round: Round): number {
  return luck(plan, round, 0x200).chance(0.16) ? 1 : round.participants.length;
}

/** The rounds of a startup, with the participants known when each was recorded. */
export function* roundLines(plan: WorldPlan, { rounds }: Startup): Iterable<UpsertLine<'round'>> {
  for (const round of rounds) {
    const listed = round.participants.slice(0, knownAtFirst(plan, round));
    yield roundLine(plan, round, listed, recorded(round));
  }
}

/** Those who joined a round after it had been recorded. */
export function* investorLines(
  plan: WorldPlan,
  { rounds }: Startup,
): Iterable<UpsertLine<'investor'>> {
  for (const round of rounds) {
    const late = round.participants.slice(knownAtFirst(plan, round));
    if (late.length === 0) continue;
    const joined = round.day + 20 + luck(plan, round, 0x300).below(60);
    const day = Math.max(Math.min(joined, plan.historyDay - 1), round.day);
    for (const participant of late) {
      yield investorLine(plan, round, participant, stampOf(day, 50_000));
    }
  }
}

/** Valuations are sparse: those of one company in six are known. */
export function* valuationLines(
  plan: WorldPlan,
  { index, rounds }: Startup,
): Iterable<UpsertLine<'valuation'>> {
  if (!isValued(plan, index)) return;
  const values = postMoneyOf(plan, rounds);
  const last = rounds.findLastIndex(isPriced);
  for (const [at, round] of rounds.entries()) {
    if (!isPriced(round)) continue;
    yield valuationLine(plan, round, values[at] ?? 0, recorded(round), at === last);
  }
}

/** News of one round in five. */
export function* roundNewsLines(plan: WorldPlan, startup: Startup): Iterable<UpsertLine<'news'>> {
  for (const round of startup.rounds) {
    if (luck(plan, round, 0x500).chance(0.2)) yield roundNewsLine(plan, startup, round);
  }
}
