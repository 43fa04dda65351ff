/** What happens to startups in the course of the history. */
import type { ImportLine } from '@vcds/importer';
import { startupLines } from './base.ts';
import { fateOf, fundsOf, holdingLine, quietHolder } from './holdings.ts';
import { companyNewsLine } from './press.ts';
import { changedProfile } from './profile-changes.ts';
import { roundStorylines } from './round-stories.ts';
import { startupKey } from './stamp.ts';
import { startupLine, statusOf } from './startups.ts';
import { isClosed, luck, type Occasion, type Storyline, subjectOf } from './storyline.ts';
import { hireLine, hirePostLine } from './team.ts';
import { withdrawalOf } from './withdrawals.ts';

export const startupStorylines: readonly Storyline[] = [
  ...roundStorylines,
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
    steps: [
      { afterDays: 0, tell: hires },
      { afterDays: 70, tell: hireLeaves },
    ],
  },
  { name: 'is written about', share: 0.04, steps: [{ afterDays: 0, tell: isWrittenAbout }] },
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

/** An inference changes nothing where a person has set the status, or where it was made before. */
function canGoQuiet(occasion: Occasion): boolean {
  const { plan, index } = occasion;
  const { OperatingStatus, OperatingStatusSource } = statusOf(
    plan,
    index,
    subjectOf(occasion).rounds,
  );
  return (
    OperatingStatus === null ||
    (OperatingStatus === 'Active' && OperatingStatusSource === 'inferred')
  );
}

function* goesQuiet(occasion: Occasion): Iterable<ImportLine> {
  if (canGoQuiet(occasion)) yield* statusChange(occasion, 'ProbablyClosed', 'inferred');
}

function* ownerObjects(occasion: Occasion): Iterable<ImportLine> {
  if (!canGoQuiet(occasion) || !luck(occasion, 9).chance(0.3)) return;
  yield* statusChange(occasion, 'Active', 'owner');
}

function* closes(occasion: Occasion): Iterable<ImportLine> {
  const startup = subjectOf(occasion);
  const lastRound = startup.rounds.at(-1)?.day ?? 0;
  if (isClosed(occasion, startup) || lastRound > occasion.day - 365) return;
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
  const { plan, index, stamp, day } = occasion;
  const fund = quietHolder(plan, subjectOf(occasion), 1, day);
  if (fund !== null && fateOf(plan, index) !== 'listed') {
    yield holdingLine(fund, index, 'Held', stamp);
  }
}

function* hires(occasion: Occasion): Iterable<ImportLine> {
  const { plan, stamp, day } = occasion;
  const startup = subjectOf(occasion);
  yield hireLine(plan, startup, 1, stamp);
  yield hirePostLine(plan, startup, 1, day, stamp);
}

function* hireLeaves(occasion: Occasion): Iterable<ImportLine> {
  if (!luck(occasion, 14).chance(0.15)) return;
  const { plan, stamp, day } = occasion;
  yield* withdrawalOf(hirePostLine(plan, subjectOf(occasion), 1, day, stamp), stamp);
}

function* isWrittenAbout(occasion: Occasion): Iterable<ImportLine> {
  const { plan, stamp, day } = occasion;
  yield companyNewsLine(plan, subjectOf(occasion), 100, day, stamp);
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
