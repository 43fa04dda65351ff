/** Startups: their profiles, as import lines. */

import type { UpsertLine } from '@vcds/importer';
import { operatingStatuses, primarySources } from '@vcds/venture-model';
import { yearOf } from './calendar.ts';
import { describeStartup } from './descriptions.ts';
import { type FundingPath, fundingPath, type Round, roundsOf, stagesAfter } from './funding.ts';
import { knownHeadcount } from './headcounts.ts';
import { type CompanyName, startupName } from './names.ts';
import type { WorldPlan } from './plan.ts';
import {
  drawPlaces,
  drawSector,
  drawTags,
  homeOf,
  rounded,
  sectorAt,
  siteOf,
  sometimes,
} from './profile.ts';
import { Random, streams, Weighted } from './random.ts';
import { shownNextStage, sourcePlace, statusPlace } from './showcase.ts';
import { type Stamp, startupKey } from './stamp.ts';
import type { City } from './words/cities.ts';

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
    MembersCount: knownHeadcount(plan, startup),
    ...statusOf(plan, index, startup.rounds),
    ...totalOf(plan, startup),
    NextFundingStage: shownNextStage(index) ?? statedNextStage(plan, startup),
    PrimarySource: primarySource(random, index),
    SourceUrl: `https://demonstration.example/startups/${index}`,
  };
}

/** The stage that some sources expect next; null where none does. */
export function statedNextStage(plan: WorldPlan, { index, rounds }: Startup): number | null {
  if (!new Random(plan.seed, streams.startup, index, 7).chance(0.12)) return null;
  return stagesAfter(rounds)[0] ?? null;
}

function primarySource(random: Random, index: number): string | null {
  const shown = primarySources[sourcePlace(index)]?.name;
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
  const shown = operatingStatuses[statusPlace(index)]?.name;
  if (shown !== undefined) return status(shown, 'editor');
  const last = rounds.at(-1)?.day ?? 0;
  return drawn.OperatingStatus === 'Closed' && last > plan.historyDay - 400 ? active : drawn;
}

/** What some sources say was raised in all, in US dollars: a little more than the rounds they list. */
export function statedTotal(plan: WorldPlan, { index, rounds }: Startup): number | null {
  const random = new Random(plan.seed, streams.startup, index, 5);
  const raised = rounds.reduce((sum, { dollars }) => sum + dollars, 0);
  if (raised === 0 || !random.chance(0.12)) return null;
  return rounded(raised * (1.01 + random.fraction() / 10), 3);
}

function totalOf(plan: WorldPlan, startup: Startup) {
  const TotalRaised = statedTotal(plan, startup);
  return { TotalRaised, Currency: TotalRaised === null ? null : 'USD' };
}
