/** Funds: their mandates and profiles. */
import type { ImportLine } from '@vcds/importer';
import { describeFund } from './descriptions.ts';
import { fundName } from './names.ts';
import {
  drawSector,
  drawTags,
  homeOf,
  membersInBucket,
  profileLine,
  type Stamp,
  statusOf,
} from './profile.ts';
import { Random, weighted, weightedWords } from './random.ts';
import { arrivalDay, BLOCKS, type DatasetSpec, shown } from './spec.ts';
import { FUND_TYPES, GROUPS } from './words/tables.ts';

/** A fund invests after `foundedDay`, until `lastDay`; its stages are ascending numbers. */
export type Fund = ReturnType<typeof newFund>;

const drawType = weighted(FUND_TYPES.map((type) => [type, type.share]));
const drawStatus = weightedWords(
  'Active inferred=70|Active owner=8|Active editor=4|ProbablyClosed inferred=8|Closed editor=4|=6',
);
const AGE_DAYS = [120, 900, 1800, 3000, 4300, 6200, 9500, 16_000];
const MEMBERS = [1, 3, 4, 6, 9, 14, 24, 60, 240];

/** The funds of each data set in use that are drawn most often; their number is bounded. */
const cache = new WeakMap<DatasetSpec, Map<number, Fund>>();
const CACHED_MAX = 8192;

export function fundOf(spec: DatasetSpec, index: number): Fund {
  const cached = cache.get(spec) ?? new Map<number, Fund>();
  cache.set(spec, cached);
  const fund = cached.get(index) ?? newFund(spec, index);
  if (index < CACHED_MAX) cached.set(index, fund);
  return fund;
}

/** Whether a fund shows no closed value. */
const isPlain = (index: number): boolean => index % BLOCKS.fund.size < BLOCKS.fund.start;

function newFund(spec: DatasetSpec, index: number) {
  const random = new Random(spec.seed, 'fund', index);
  const drawn = drawType(random);
  const type = FUND_TYPES.find(({ name }) => name === shown('fund', 'type', index)?.name) ?? drawn;
  // Some state no stages.
  const usual = isPlain(index) && random.chance(0.2) ? [] : random.pick(type.mandates);
  const stages = new Set([...usual, shown('fund', 'stage', index)?.number ?? usual[0] ?? 0]);
  const status = statusOf('fund', index, drawStatus(random));
  const arrival = arrivalDay(spec, 'fund', index);
  const age = Math.floor(random.quantile(AGE_DAYS));
  const youngAge = 30 + random.below(500);
  const bucket = shown('fund', 'bucket', index);
  const members = random.maybe(0.88, Math.round(random.quantile(MEMBERS)));
  return {
    spec,
    kind: 'fund' as const,
    index,
    ...fundName(spec, index, type.suffixes),
    type: type.name,
    stages: [...stages].filter(Boolean).sort((a, b) => a - b),
    sectors: [drawSector(random), drawSector(random), drawSector(random)],
    home: homeOf(spec, 'fund', index),
    foundedDay: arrival === null ? spec.historyDay - age : arrival - youngAge,
    lastDay: status.status === 'Closed' ? spec.historyDay - 900 : spec.today,
    ...status,
    members: bucket === null ? members : membersInBucket(random, bucket.number),
  };
}

const drawGroupCount = weighted([60, 26, 10, 4].entries());

export function fundLine(fund: Fund, stamp: Stamp): ImportLine {
  const { index, type, sectors } = fund;
  const random = new Random(fund.spec.seed, 'fund profile', index);
  // One in ten invests in any sector; the others name a few tags of some of their sectors.
  const named = random.chance(0.1) ? [] : sectors.slice(0, random.between(1, 3));
  const tags = [...new Set(named.flatMap((sector) => drawTags(random, sector, 2)))];
  const groups = Array.from({ length: drawGroupCount(random) }, () => random.skewedPick(GROUPS));
  const types = random.chance(0.08) ? [...new Set([type, 'Accelerator'])] : [type];
  return {
    ...profileLine(fund, random, stamp, tags, (founded) =>
      describeFund(random, fund.stages, { ...fund, tags, founded }),
    ),
    InvestmentStages: fund.stages,
    InvestmentTypes: isPlain(index) && random.chance(0.2) ? [] : types,
    Groups: [...new Set(groups)],
  };
}
