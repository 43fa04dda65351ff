/** Startups and their profiles. */
import type { ImportLine } from '@vcds/importer';
import { describeStartup } from './descriptions.ts';
import { startupName } from './names.ts';
import {
  drawSector,
  drawTags,
  homeOf,
  membersInBucket,
  profileLine,
  rounded,
  type Stamp,
  statusOf,
} from './profile.ts';
import { Random, weighted, weightedWords } from './random.ts';
import { fundingPath, nextRound, type Round, sizedValue, stagesAfter } from './rounds.ts';
import { arrivalDay, type DatasetSpec, shown } from './spec.ts';
import { MEMBERS_SPREAD, OUTCOMES, profileOf, UNFUNDED_MEMBERS } from './words/tables.ts';

/** `members` is the headcount on record; some sources state the total raised and the next stage. */
export type Startup = ReturnType<typeof startupOf>;

const drawStatus = weightedWords(
  'Active inferred=74|Active owner=5|Active editor=3|ProbablyClosed inferred=8|' +
    'ProbablyClosed editor=1|Closed editor=4|Closed owner=1|=4',
);
const drawOutcome = weighted([78, 6, 2, 3, 6, 5].entries());
const drawSource = weightedWords('Organic=45|FundWebsite=33|Media=18|=4');

export function startupOf(spec: DatasetSpec, index: number) {
  const random = new Random(spec.seed, 'startup', index);
  const [home, sector] = [homeOf(spec, 'startup', index), drawSector(random)];
  const { foundedDay, steps } = fundingPath(spec, index);
  const rounds: Round[] = [];
  for (const { stage, day } of steps) {
    rounds.push(nextRound({ spec, index, home, sector }, stage, day, rounds));
  }
  const raised = rounds.reduce((sum, { dollars }) => sum + dollars, 0);
  const total = random.maybe(0.12, rounded(raised * (1.01 + random.unit() / 10), 3));
  // A company that raised in the last year is not closed.
  const isActive = (rounds.at(-1)?.day ?? 0) > spec.historyDay - 400;
  const drawn = drawStatus(random);
  const outcome = shown('startup', 'outcome', index)?.number ?? drawOutcome(random);
  const isNew = arrivalDay(spec, 'startup', index) !== null;
  const headcount = headcountOf(spec, index, rounds);
  const hasHeadcount = shown('startup', 'bucket', index) !== null || random.chance(0.9);
  return {
    spec,
    kind: 'startup' as const,
    index,
    ...startupName(spec, index, sector, home),
    home,
    sector,
    foundedDay,
    rounds,
    headcount,
    members: hasHeadcount ? headcount : null,
    ...statusOf(
      'startup',
      index,
      isActive ? drawn.replace(/^Closed .*/, 'Active inferred') : drawn,
    ),
    statedTotal: raised === 0 ? null : total,
    statedNextStage: random.maybe(0.12, stagesAfter(rounds)[0] ?? null),
    outcome: (isNew ? null : OUTCOMES[outcome - 1]) ?? null,
  };
}

/** Headcounts grow with the money raised. */
function headcountOf(spec: DatasetSpec, index: number, rounds: readonly Round[]): number {
  const random = new Random(spec.seed, 'headcount', index);
  const bucket = shown('startup', 'bucket', index);
  if (bucket !== null) return membersInBucket(random, bucket.number);
  const unfunded = sizedValue(spec, index, UNFUNDED_MEMBERS, random);
  const spread = sizedValue(spec, index, MEMBERS_SPREAD, random);
  const sizes = rounds.map(({ stage }) => profileOf(stage).members * spread);
  return Math.max(1, Math.round(Math.max(unfunded, ...sizes)));
}

export function startupLine(startup: Startup, stamp: Stamp): ImportLine {
  const { spec, index, statedTotal } = startup;
  const random = new Random(spec.seed, 'startup profile', index);
  const count = random.chance(0.03) ? 0 : 1 + Math.floor(random.unit() * 3.6);
  const tags = count === 0 ? [] : drawTags(random, startup.sector, count);
  return {
    ...profileLine(startup, random, stamp, tags, (founded) =>
      describeStartup(random, { ...startup, tags, founded }),
    ),
    TotalRaised: statedTotal,
    Currency: statedTotal === null ? null : 'USD',
    NextFundingStage: shown('startup', 'nextStage', index)?.number ?? startup.statedNextStage,
    PrimarySource: shown('startup', 'source', index)?.name ?? (drawSource(random) || null),
  };
}

/** The funds that took part in a round, each once. */
export const fundsOf = ({ rounds }: Startup): readonly number[] => {
  const participants = rounds.flatMap((round) => round.participants);
  return [...new Set(participants.flatMap(({ type, index }) => (type === 'fund' ? index : [])))];
};
