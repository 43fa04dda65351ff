/** Funds: what they are, where, and what they invest in. */
import { investorTypes, memberBuckets, operatingStatuses, stages } from '@vcds/venture-model';
import { fundArrivalDay, fundBlock, type WorldPlan } from './plan.ts';
import { drawSector, homeOf } from './profile.ts';
import { Random, streams, Weighted } from './random.ts';
import type { City } from './words/cities.ts';

/** What decides whether a fund takes part in a round; cheap to make. */
export interface FundMandate {
  readonly index: number;
  /** A member name of the list of investor types. */
  readonly type: string;
  /** Stage numbers, rising. */
  readonly stages: readonly number[];
  /** Indexes of sectors, the first preferred. */
  readonly sectors: readonly number[];
  /** The same as sets of bits: bit n stands for stage n, for sector n. */
  readonly stageBits: number;
  readonly sectorBits: number;
  readonly home: City | null;
  /** The days between which it takes part in rounds. */
  readonly foundedDay: number;
  readonly lastDay: number;
}

const typeTable = new Weighted<string>([
  ['VentureFund', 62],
  ['Accelerator', 8],
  ['PrivateEquity', 6],
  ['FundOfFunds', 2],
  ['Corporate', 8],
  ['AngelGroup', 4],
  ['FamilyOffice', 4],
  ['Studio', 2],
  ['Public', 3],
  ['Other', 1],
]);

/** Usual mandates by type, as stage numbers; one is drawn. */
const mandates: Readonly<Record<string, readonly (readonly number[])[]>> = {
  VentureFund: [
    [1, 3],
    [1, 2, 3],
    [3, 4],
    [3, 4, 5],
    [4, 5, 6],
    [5, 6, 7, 8, 13],
    [3],
    [1, 3, 4, 16],
  ],
  Accelerator: [[1, 3], [1], [1, 2, 3, 16]],
  PrivateEquity: [
    [13, 14],
    [14, 19],
    [8, 9, 10, 11, 13, 14],
    [14, 15, 21],
  ],
  FundOfFunds: [[], [13, 14, 19]],
  Corporate: [
    [4, 5, 20],
    [5, 6, 7, 20],
    [3, 4, 20],
    [12, 20],
  ],
  AngelGroup: [
    [1, 2, 3],
    [2, 3, 16],
    [2, 18],
  ],
  FamilyOffice: [
    [3, 4, 5],
    [6, 7, 13, 19],
    [2, 3, 12],
  ],
  Studio: [[1], [1, 3]],
  Public: [
    [3, 17],
    [1, 3, 4, 17],
    [12, 15, 17],
  ],
  Other: [
    [17, 22],
    [18, 22],
    [16, 21, 22],
  ],
};

/** The mandate of a fund. */
export function mandateOf(plan: WorldPlan, index: number): FundMandate {
  const random = new Random(plan.seed, streams.fund, index);
  const place = index % fundBlock;
  const shownType = investorTypes[place - typesFrom]?.name;
  const type = shownType ?? typeTable.draw(random);
  const usual = random.pick(mandates[type] ?? [[]]);
  const shownStage = place - stagesFrom + 1;
  const isShown = shownStage >= 1 && shownStage <= stages.length;
  // One in eight says nothing of stages.
  const stated = place < typesFrom && random.chance(0.2) ? [] : usual;
  const stageNumbers = isShown ? [...new Set([...usual, shownStage])] : [...stated];
  const sectors = [drawSector(random), drawSector(random), drawSector(random)];
  return {
    index,
    type,
    stages: stageNumbers.sort((a, b) => a - b),
    sectors,
    stageBits: bitsOf(stageNumbers),
    sectorBits: bitsOf(sectors),
    home: homeOf(plan.seed, streams.fund, index),
    foundedDay: fundFoundedDay(plan, index),
    lastDay:
      fundStatus(plan, index).OperatingStatus === 'Closed' ? plan.historyDay - 900 : plan.today,
  };
}

const ageDays = [120, 900, 1800, 3000, 4300, 6200, 9500, 16_000];

/** The day a fund was founded; those that arrive in the history are young. */
export function fundFoundedDay(plan: WorldPlan, index: number): number {
  const random = new Random(plan.seed, streams.fund, index, 2);
  if (index >= plan.baseFunds) return fundArrivalDay(plan, index) - 30 - random.below(500);
  return plan.historyDay - Math.floor(random.quantile(ageDays));
}

const bitsOf = (numbers: readonly number[]): number =>
  numbers.reduce((bits, number) => bits | (1 << number), 0);

/** Places in a block of funds that show each type, each stage and each headcount bucket once. */
const typesFrom = 19;
const stagesFrom = 29;
const bucketsFrom = fundBlock - memberBuckets.length;

/** The headcount bucket a fund shows, if it is one of those that do. */
export function shownBucketOfFund(index: number): number | null {
  const place = index % fundBlock;
  return place >= bucketsFrom ? place - bucketsFrom + 1 : null;
}

const statusTable = new Weighted<readonly [string | null, string | null]>([
  [['Active', 'inferred'], 70],
  [['Active', 'owner'], 8],
  [['Active', 'editor'], 4],
  [['ProbablyClosed', 'inferred'], 8],
  [['Closed', 'editor'], 4],
  [[null, null], 6],
]);

/** Places in a block of funds that show each status. */
const statusesFrom = 16;

/** Who runs it, as far as is known. */
export function fundStatus(plan: WorldPlan, index: number) {
  const [drawn, source] = statusTable.draw(new Random(plan.seed, streams.fund, index, 5));
  const shown = operatingStatuses[(index % fundBlock) - statusesFrom]?.name;
  return shown === undefined
    ? { OperatingStatus: drawn, OperatingStatusSource: source }
    : { OperatingStatus: shown, OperatingStatusSource: 'editor' };
}
