/** Startups: their profiles, as import lines. */
import { operatingStatuses, primarySources, stages } from '../dimensions/closed-values.ts';
import type { UpsertLine } from '../import/index.ts';
import { yearOf } from './calendar.ts';
import { describeStartup } from './descriptions.ts';
import { type FundingPath, fundingPath, lookOf, type Round, roundsOf } from './funding.ts';
import { type CompanyName, startupName } from './names.ts';
import { startupBlock, type WorldPlan } from './plan.ts';
import {
  drawPlaces,
  drawSector,
  drawTags,
  homeOf,
  membersOfBucket,
  rounded,
  sectorAt,
  siteOf,
  sometimes,
} from './profile.ts';
import { Random, streams, Weighted } from './random.ts';
import { type Stamp, startupKey } from './stamp.ts';
import type { City } from './words/cities.ts';
import { unfundedMembers } from './words/money.ts';

/** All that other records need to know of a startup. */
export interface Startup extends CompanyName {
  readonly index: number;
  readonly home: City | null;
  readonly sector: number;
  readonly path: FundingPath;
  readonly rounds: readonly Round[];
}

export function startupOf(plan: WorldPlan, index: number): Startup {
  const home = startupHome(plan, index);
  const sector = drawSector(new Random(plan.seed, streams.startup, index, 2));
  const path = fundingPath(plan, index);
  const rounds = roundsOf(plan, index, path, sector, home);
  return { index, ...startupName(plan, index, sector, home), home, sector, path, rounds };
}

export function startupHome(plan: WorldPlan, index: number): City | null {
  return homeOf(plan.seed, streams.startup, index);
}

/** The profile as a whole. */
export function startupLine(
  plan: WorldPlan,
  startup: Startup,
  stamp: Stamp,
): UpsertLine<'startup'> {
  const { index, name, label, home, sector, path } = startup;
  const random = new Random(plan.seed, streams.startup, index);
  const tags = random.chance(0.03)
    ? []
    : drawTags(random, sectorAt(sector), 1 + Math.floor(random.fraction() * 3.6));
  const founded = sometimes(random, 0.96, yearOf(path.foundedDay));
  return {
    op: 'upsert',
    type: 'startup',
    ...stamp,
    key: startupKey(index),
    Name: name,
    Website: sometimes(random, 0.95, siteOf(random, label)),
    Description: random.chance(0.05)
      ? null
      : describeStartup(random, { name, sector, tags, home, founded }),
    LogoUrl: sometimes(random, 0.7, `https://${label}.example/logo.png`),
    Founded: founded,
    Tags: tags,
    ...drawPlaces(random, home, 0.08),
    MembersCount: drawMembers(plan, startup),
    ...statusOf(plan, index, startup.rounds),
    ...statedTotal(random, startup),
    NextFundingStage: nextStage(random, index),
    PrimarySource: primarySource(random, index),
    SourceUrl: `https://demonstration.example/startups/${index}`,
  };
}

/** Headcounts grow with the stage reached and are unknown for one in ten. */
export function drawMembers(plan: WorldPlan, startup: Startup): number | null {
  const random = new Random(plan.seed, streams.startup, startup.index, 3);
  const bucket = (startup.index % startupBlock) - bucketsFrom + 1;
  if (bucket >= 1 && bucket <= 9) return membersOfBucket(random, bucket);
  if (random.chance(0.1)) return null;
  const last = startup.rounds.at(-1);
  const quantiles = last === undefined ? unfundedMembers : lookOf(last.stage).members;
  return Math.max(1, Math.round(random.quantile(quantiles)));
}

/** Places in a block of startups that show each value of a closed list once. */
const bucketsFrom = stages.length;
const nextStagesFrom = bucketsFrom + 9;
const sourcesFrom = nextStagesFrom + stages.length;
const statusesFrom = sourcesFrom + primarySources.length;

function nextStage(random: Random, index: number): number | null {
  const shown = (index % startupBlock) - nextStagesFrom + 1;
  if (shown >= 1 && shown <= stages.length) return shown;
  return random.chance(0.12) ? random.between(3, 8) : null;
}

function primarySource(random: Random, index: number): string | null {
  const shown = primarySources[(index % startupBlock) - sourcesFrom]?.name;
  return shown ?? sourceTable.draw(random);
}

const sourceTable = new Weighted<string | null>([
  ['Organic', 45],
  ['FundWebsite', 33],
  ['Media', 18],
  [null, 4],
]);

interface Status {
  readonly OperatingStatus: string | null;
  readonly OperatingStatusSource: string | null;
}

const status = (OperatingStatus: string, OperatingStatusSource: string): Status =>
  Object.freeze({ OperatingStatus, OperatingStatusSource });

const unknownStatus: Status = { OperatingStatus: null, OperatingStatusSource: null };
const active = status('Active', 'inferred');
const quiet = status('ProbablyClosed', 'inferred');

const statusTable = new Weighted<Status>([
  [active, 74],
  [status('Active', 'owner'), 5],
  [status('Active', 'editor'), 3],
  [quiet, 8],
  [status('ProbablyClosed', 'editor'), 1],
  [status('Closed', 'editor'), 4],
  [status('Closed', 'owner'), 1],
  [unknownStatus, 4],
]);

/** A company that has raised of late is not closed, though its site may have gone quiet. */
export function statusOf(plan: WorldPlan, index: number, rounds: readonly Round[]): Status {
  const drawn = statusTable.draw(new Random(plan.seed, streams.startup, index, 4));
  const shown = operatingStatuses[(index % startupBlock) - statusesFrom]?.name;
  if (shown !== undefined) return status(shown, 'editor');
  const last = rounds.at(-1)?.day ?? 0;
  return drawn.OperatingStatus === 'Closed' && last > plan.historyDay - 400 ? active : drawn;
}

/** What some sources say was raised in all: a little more than the rounds they list. */
function statedTotal(random: Random, { rounds }: Startup) {
  const last = rounds.at(-1);
  if (last === undefined || !random.chance(0.12)) return unknownTotal;
  const { currency } = last;
  const listed = rounds.reduce(
    (sum, round) => sum + (round.currency === currency ? (round.amount ?? 0) : 0),
    0,
  );
  if (listed === 0) return unknownTotal;
  return { TotalRaised: rounded(listed * (1 + random.fraction() * 0.3), 3), Currency: currency };
}

const unknownTotal = Object.freeze({ TotalRaised: null, Currency: null });
