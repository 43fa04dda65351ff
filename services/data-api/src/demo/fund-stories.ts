/** What happens to funds in the course of the history. */
import type { ImportLine, PatchLine } from '@vcds/importer';
import { fundLine, fundMembers } from './fund-lines.ts';
import { fundStatus, mandateOf, shownBucketOfFund } from './funds.ts';
import { fundName } from './names.ts';
import { partnerLine, partnerPostLine } from './partners.ts';
import type { WorldPlan } from './plan.ts';
import { fundNewsLine } from './press.ts';
import { movedTo } from './profile-changes.ts';
import { Random, streams } from './random.ts';
import { fundKey } from './stamp.ts';
import type { Occasion, Storyline } from './storyline.ts';
import { withdrawalOf } from './withdrawals.ts';
import { fundGroups } from './words/funds.ts';

export const fundStorylines: readonly Storyline[] = [
  {
    name: 'changes its profile, and some more than once',
    share: 0.14,
    steps: [
      { afterDays: 0, tell: profileChanges },
      { afterDays: 33, tell: profileChangesAgain },
    ],
  },
  {
    name: 'gains a team member, and some leave again',
    share: 0.14,
    steps: [
      { afterDays: 0, tell: memberJoins },
      { afterDays: 70, tell: memberLeaves },
    ],
  },
  { name: 'is written about', share: 0.12, steps: [{ afterDays: 0, tell: isWrittenAbout }] },
  { name: 'goes quiet', share: 0.01, steps: [{ afterDays: 0, tell: goesQuiet }] },
  {
    name: 'is taken out and comes back',
    share: 0.004,
    steps: [
      { afterDays: 0, tell: vanishes },
      { afterDays: 15, tell: comesBack },
    ],
  },
];

/** The slot of someone who joins; those of the team at the beginning are below it. */
const joinerSlot = 100;

function luck({ plan, index }: Occasion, part: number): Random {
  return new Random(plan.seed, streams.fundStory, index, part);
}

function* profileChanges(occasion: Occasion): Iterable<ImportLine> {
  yield changedFund(occasion, 0);
}

function* profileChangesAgain(occasion: Occasion): Iterable<ImportLine> {
  if (luck(occasion, 1).chance(0.35)) yield changedFund(occasion, 1);
}

/** A fund with one of its fields changed to what it cannot have been before. */
function changedFund(occasion: Occasion, number: number): PatchLine<'fund'> {
  const { plan, index, stamp } = occasion;
  const random = luck(occasion, 2 + number);
  const line = { op: 'patch', type: 'fund', ...stamp, key: fundKey(index) } as const;
  const { label } = fundName(plan, index, mandateOf(plan, index).type);
  switch (random.below(5)) {
    case 0:
      return {
        ...line,
        LogoUrl: `https://${label}.example/brand/mark-${10 * number + random.below(9)}.svg`,
      };
    case 1:
      return { ...line, Website: `https://${label}.example/fund-${10 * number + random.below(9)}` };
    case 2:
      return { ...line, Addresses: [movedTo(random), movedTo(random)] };
    case 3:
      return { ...line, Groups: [...fundGroups.slice(4 * number + 8, 4 * number + 12)] };
    default:
      return { ...line, ...headcount(plan, index, number) };
  }
}

function headcount(plan: WorldPlan, index: number, number: number) {
  const before = fundMembers(plan, index);
  // One that shows a headcount bucket stays in it.
  if (shownBucketOfFund(index) !== null) return { Founded: 1990 + number };
  return { MembersCount: (before ?? 4) + 2 + number };
}

function* memberJoins({ plan, index, day, stamp }: Occasion): Iterable<ImportLine> {
  yield* partnerLine(plan, index, joinerSlot, stamp);
  yield partnerPostLine(plan, index, joinerSlot, day, stamp);
}

function* memberLeaves(occasion: Occasion): Iterable<ImportLine> {
  if (!luck(occasion, 4).chance(0.15)) return;
  const { plan, index, day, stamp } = occasion;
  yield* withdrawalOf(partnerPostLine(plan, index, joinerSlot, day, stamp), stamp);
}

function* isWrittenAbout({ plan, index, day, stamp }: Occasion): Iterable<ImportLine> {
  yield fundNewsLine(plan, index, 100, day, stamp);
}

/** An inference changes nothing where a person has set the status, or where it was made before. */
function* goesQuiet({ plan, index, stamp }: Occasion): Iterable<ImportLine> {
  const { OperatingStatus, OperatingStatusSource } = fundStatus(plan, index);
  if (OperatingStatus === 'ProbablyClosed' || OperatingStatusSource !== 'inferred') return;
  const change = { OperatingStatus: 'ProbablyClosed', OperatingStatusSource: 'inferred' };
  yield { op: 'patch', type: 'fund', ...stamp, key: fundKey(index), ...change };
}

function* vanishes({ index, stamp }: Occasion): Iterable<ImportLine> {
  yield { op: 'delete', type: 'fund', ...stamp, key: fundKey(index) };
}

function* comesBack({ plan, index, stamp }: Occasion): Iterable<ImportLine> {
  yield fundLine(plan, mandateOf(plan, index), stamp);
}
