/**
 * The history: what happens to the world in its last months, day by day. A storyline has a share
 * of the startups or funds as its subjects, whose stories begin evenly spread over the history;
 * each step of a story is told so many days after its beginning, if that day has come. Which
 * stories have a step on a given day is arithmetic, so nothing has to be remembered.
 */
import type { ImportLine } from '@vcds/importer';
import { fundLines, startupLines } from './base.ts';
import { fundStorylines } from './fund-stories.ts';
import {
  arrivalDay,
  firstOn,
  fundArrivalDay,
  startupBlock,
  startupShowcase,
  type WorldPlan,
} from './plan.ts';
import { shuffled, streams } from './random.ts';
import { type Stamp, stampOf } from './stamp.ts';
import { startupStorylines } from './startup-stories.ts';
import { startupOf } from './startups.ts';
import type { Step, Storyline } from './storyline.ts';

/** All changes, in the order of their days. */
export function* historyLines(plan: WorldPlan): Iterable<ImportLine> {
  const subjects = {
    startups: storiesOf(
      startupStorylines,
      ordinary(plan.baseStartups, startupBlock, startupShowcase),
    ),
    funds: storiesOf(fundStorylines, plan.baseFunds),
  };
  for (let day = plan.historyDay; day < plan.today; day += 1) {
    yield* arrivals(plan, day);
    for (const { line, offset, count, total } of subjects.startups) {
      for (const step of line.steps) {
        const place = (position: number) =>
          ordinaryStartup(shuffled(plan.seed, streams.story, offset + position, total));
        yield* told(plan, step, day, count, place);
      }
    }
    for (const { line, offset, count, total } of subjects.funds) {
      for (const step of line.steps) {
        const place = (position: number) =>
          shuffled(plan.seed, streams.fundStory, offset + position, total);
        yield* told(plan, step, day, count, place);
      }
    }
  }
}

/** Funds and startups that enter the database on a day. */
function* arrivals(plan: WorldPlan, day: number): Iterable<ImportLine> {
  const newFunds = plan.funds - plan.baseFunds;
  for (let at = firstOn(plan, day, newFunds); at < firstOn(plan, day + 1, newFunds); at += 1) {
    const fund = plan.baseFunds + at;
    yield* fundLines(plan, fund, fundArrivalDay(plan, fund));
  }
  const newStartups = plan.startups - plan.baseStartups;
  const end = firstOn(plan, day + 1, newStartups);
  for (let at = firstOn(plan, day, newStartups); at < end; at += 1) {
    const startup = plan.baseStartups + at;
    yield* startupLines(plan, startupOf(plan, startup), arrivalDay(plan, startup));
  }
}

/** One step of all the stories that have come to it. */
function* told(
  plan: WorldPlan,
  step: Step,
  day: number,
  count: number,
  subjectAt: (position: number) => number,
): Iterable<ImportLine> {
  const begun = day - step.afterDays;
  const end = firstOn(plan, begun + 1, count);
  for (let at = firstOn(plan, begun, count); at < end; at += 1) {
    const subject = subjectAt(at);
    const stamp: Stamp = stampOf(day, subject * 97);
    yield* step.tell({ plan, index: subject, day, stamp, begun });
  }
}

interface Stories {
  readonly line: Storyline;
  /** Where its subjects begin among the shuffled ones; no subject has two stories. */
  readonly offset: number;
  readonly count: number;
  readonly total: number;
}

function storiesOf(lines: readonly Storyline[], total: number): readonly Stories[] {
  let offset = 0;
  return lines.map((line) => {
    const wanted = Math.max(Math.floor(line.share * total), leastSubjects);
    const count = Math.max(0, Math.min(wanted, total - offset));
    const stories = { line, offset, count, total };
    offset += count;
    return stories;
  });
}

/** So that the smallest worlds have every kind of story too. */
const leastSubjects = 5;

/** How many of so many records come after the first ones of their block, which stay as they are. */
function ordinary(records: number, block: number, showcase: number): number {
  const whole = Math.floor(records / block) * (block - showcase);
  return whole + Math.max(0, (records % block) - showcase);
}

/** The index of an ordinary startup, counted without those that open the blocks. */
function ordinaryStartup(place: number): number {
  const ordinaryPerBlock = startupBlock - startupShowcase;
  return (
    Math.floor(place / ordinaryPerBlock) * startupBlock +
    startupShowcase +
    (place % ordinaryPerBlock)
  );
}
