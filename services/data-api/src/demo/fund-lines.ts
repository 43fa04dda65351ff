/** Funds as import lines. */
import type { UpsertLine } from '@vcds/importer';
import { yearOf } from './calendar.ts';
import { describeFund } from './descriptions.ts';
import { stageWords } from './funding.ts';
import { type FundMandate, fundFoundedDay, fundStatus, shownBucketOfFund } from './funds.ts';
import { fundName } from './names.ts';
import { fundBlock, type WorldPlan } from './plan.ts';
import { drawPlaces, drawTags, membersOfBucket, sectorAt, siteOf, sometimes } from './profile.ts';
import { Random, streams, Weighted } from './random.ts';
import { fundKey, type Stamp } from './stamp.ts';
import { fundGroups } from './words/funds.ts';

const members = [1, 3, 4, 6, 9, 14, 24, 60, 240];

/** The profile as a whole. */
export function fundLine(plan: WorldPlan, fund: FundMandate, stamp: Stamp): UpsertLine<'fund'> {
  const { index, type, home } = fund;
  const random = new Random(plan.seed, streams.fund, index, 3);
  const { name, label } = fundName(plan, index, type);
  const tags = fundTags(random, fund);
  const founded = sometimes(random, 0.93, yearOf(fundFoundedDay(plan, index)));
  const stageLabels = fund.stages.map(stageWords);
  return {
    op: 'upsert',
    type: 'fund',
    ...stamp,
    key: fundKey(index),
    Name: name,
    Website: sometimes(random, 0.95, siteOf(random, label)),
    Description: random.chance(0.05)
      ? null
      : describeFund(random, { name, sector: 0, tags, home, founded }, stageLabels),
    LogoUrl: sometimes(random, 0.7, `https://${label}.example/logo.png`),
    Founded: founded,
    Tags: tags,
    ...drawPlaces(random, home, 0.18),
    MembersCount: fundMembers(plan, index),
    InvestmentStages: [...fund.stages],
    InvestmentTypes: fundTypes(random, fund),
    Groups: fundGroupsOf(random),
    ...fundStatus(plan, index),
    SourceUrl: `https://demonstration.example/funds/${index}`,
  };
}

/** One in ten funds invests in anything; the others name a few tags of each of their sectors. */
function fundTags(random: Random, { sectors }: FundMandate): string[] {
  if (random.chance(0.1)) return [];
  const count = random.between(1, 3);
  const tags = sectors.slice(0, count).flatMap((sector) => drawTags(random, sectorAt(sector), 2));
  return [...new Set(tags)];
}

/** The headcount of a fund; unknown for one in eight. */
export function fundMembers(plan: WorldPlan, index: number): number | null {
  const random = new Random(plan.seed, streams.fund, index, 4);
  const bucket = shownBucketOfFund(index);
  if (bucket !== null) return membersOfBucket(random, bucket);
  return random.chance(0.12) ? null : Math.round(random.quantile(members));
}

/** The type drawn, for some a second one; unknown for a few that no block has to show. */
function fundTypes(random: Random, { index, type }: FundMandate): string[] {
  if (index % fundBlock < 8 && random.chance(0.2)) return [];
  const second = random.chance(0.08) && type !== 'Accelerator' ? ['Accelerator'] : [];
  return [type, ...second];
}

/** Skewed towards the first groups; most funds are in none. */
function fundGroupsOf(random: Random): string[] {
  const groups = new Set<string>();
  for (let count = groupCounts.draw(random); count > 0; count -= 1) {
    const place = Math.floor(random.fraction() * random.fraction() * fundGroups.length);
    groups.add(fundGroups[place] ?? '');
  }
  return [...groups];
}

const groupCounts = new Weighted<number>([
  [0, 60],
  [1, 26],
  [2, 10],
  [3, 4],
]);
