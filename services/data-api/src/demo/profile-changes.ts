/** Changes of profiles: each differs from what stood there before. */
import type { Address, PatchLine } from '@vcds/importer';
import { describeStartup } from './descriptions.ts';
import { stagesAfter } from './funding.ts';
import { grownHeadcount } from './headcounts.ts';
import type { WorldPlan } from './plan.ts';
import { drawCity } from './profile.ts';
import { Random, streams } from './random.ts';
import { type Stamp, startupKey } from './stamp.ts';
import type { Startup } from './startups.ts';
import { commonTags } from './words/industries.ts';

export interface ProfileChange {
  readonly MembersCount?: number;
  readonly Description?: string;
  readonly LogoUrl?: string;
  readonly Website?: string;
  readonly Tags?: readonly string[];
  readonly Addresses?: readonly Address[];
  readonly NextFundingStage?: number;
}

/** A startup with one of its fields changed; `number` tells its changes apart. */
export function changedProfile(
  plan: WorldPlan,
  startup: Startup,
  number: number,
  stamp: Stamp,
): PatchLine<'startup'> {
  const random = new Random(plan.seed, streams.story, startup.index, 0x40 + number);
  const change = startupChange(plan, random, startup, number);
  return { op: 'patch', type: 'startup', ...stamp, key: startupKey(startup.index), ...change };
}

function startupChange(
  plan: WorldPlan,
  random: Random,
  startup: Startup,
  number: number,
): ProfileChange {
  const { name, label, sector, rounds } = startup;
  // The first one may be on record already.
  const NextFundingStage = stagesAfter(rounds)[1 + number];
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      return { MembersCount: grownHeadcount(plan, startup) + random.below(9) };
    case 3: {
      const tags = [random.pick(commonTags)];
      return {
        Description: describeStartup(random, { name, sector, tags, home: null, founded: null }),
      };
    }
    case 4:
      return { LogoUrl: `https://${label}.example/brand/logo-${random.between(2, 99)}.svg` };
    case 5:
      return { Addresses: [movedTo(random)] };
    case 6:
      return { Website: `https://${label}.example/start-${random.between(2, 99)}` };
    default:
      return rounds.length === 0 || NextFundingStage === undefined
        ? { Tags: ['Sustainability', random.pick(commonTags.slice(0, 5))] }
        : { NextFundingStage };
  }
}

export function movedTo(random: Random): Address {
  const { name, region, country } = drawCity(random);
  return {
    Street: `${random.between(181, 400)} Exchange Place`,
    City: name,
    Region: region,
    Country: country.name,
  };
}
