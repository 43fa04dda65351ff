/** Who takes part in a round. */
import { type FundMandate, mandateOf } from './funds.ts';
import { startupsPerAngel, type WorldPlan } from './plan.ts';
import { type Random, Weighted } from './random.ts';

export interface Participant {
  readonly type: 'fund' | 'angel';
  /** Of the fund, or of the angel. */
  readonly index: number;
  readonly lead: boolean;
}

export interface RoundOutlook {
  readonly startup: number;
  readonly stage: number;
  readonly day: number;
  readonly sector: number;
  readonly country: string | null;
  /** Who took part before. */
  readonly earlier: readonly Participant[];
}

const fundCounts = new Weighted<number>([
  [0, 16],
  [1, 34],
  [2, 24],
  [3, 12],
  [4, 7],
  [5, 4],
  [6, 2],
  [8, 1],
]);
const angelCounts = new Weighted<number>([
  [0, 76],
  [1, 13],
  [2, 7],
  [4, 4],
]);

/** The investors of a round: some who were there before, then others, the first mostly leading. */
export function drawSyndicate(
  plan: WorldPlan,
  random: Random,
  outlook: RoundOutlook,
): readonly Participant[] {
  const count = fundCounts.draw(random);
  const chosen: number[] = [];
  for (const { type, index } of outlook.earlier) {
    if (type !== 'fund' || chosen.length >= count || chosen.includes(index)) continue;
    const isOpen = outlook.day <= knownMandate(plan, index).lastDay;
    if (random.chance(0.3) && isOpen) chosen.push(index);
  }
  for (let tries = 0; chosen.length < count && tries < 2 * count + 1; tries += 1) {
    const fund = drawFund(plan, random, outlook);
    if (fund !== null && !chosen.includes(fund)) chosen.push(fund);
  }
  // A newcomer leads more often than one who was there before.
  const leader = random.chance(0.72) ? chosen.length - 1 : -1;
  const funds = chosen.map(
    (index, at): Participant => ({ type: 'fund', index, lead: at === leader }),
  );
  return [...funds, ...drawAngels(plan, random, outlook)];
}

/**
 * A fund, the lower its index the more likely (a few take part in hundreds of rounds, most in a
 * handful), that fits the round and was investing then; null when none of a few candidates was.
 */
export function drawFund(plan: WorldPlan, random: Random, outlook: RoundOutlook): number | null {
  for (let tries = 0; tries < 8; tries += 1) {
    const index = skewedBelow(random, plan.baseFunds);
    const fund = knownMandate(plan, index);
    const near = fund.home?.country.name === outlook.country || random.chance(0.3);
    const isThere = fund.foundedDay < outlook.day && outlook.day <= fund.lastDay;
    if (!near || !isThere || fund.type === 'FundOfFunds') continue;
    const fits = ((fund.stageBits >>> outlook.stage) & 1) === 1 || random.chance(0.12);
    const likes = fits && (((fund.sectorBits >>> outlook.sector) & 1) === 1 || random.chance(0.5));
    if (likes) return index;
  }
  return null;
}

function drawAngels(
  plan: WorldPlan,
  random: Random,
  { startup, stage }: RoundOutlook,
): readonly Participant[] {
  if (plan.angels === 0 || (stage > 4 && stage !== 16 && stage !== 18)) return [];
  const angels = new Set<number>();
  for (let count = angelCounts.draw(random); count > 0; count -= 1) {
    const angel = skewedBelow(random, plan.angels);
    // Founders who invest put their money into other companies than their own.
    if (angel !== Math.floor(startup / startupsPerAngel)) angels.add(angel);
  }
  return [...angels].map((index): Participant => ({ type: 'angel', index, lead: false }));
}

/** A whole number below a limit; the first ones come ten times as often as all do on average. */
function skewedBelow(random: Random, limit: number): number {
  const shift = 0.25;
  const place = random.fraction() + shift;
  const least = shift * shift * shift;
  const most = (1 + shift) * (1 + shift) * (1 + shift);
  return Math.floor((limit * (place * place * place - least)) / (most - least));
}

/** The mandates most asked for, kept: a bounded number of each world in use. */
const kept = new WeakMap<WorldPlan, (FundMandate | undefined)[]>();
const keptMax = 8192;

function knownMandate(plan: WorldPlan, index: number): FundMandate {
  if (index >= keptMax) return mandateOf(plan, index);
  let mandates = kept.get(plan);
  if (mandates === undefined) {
    mandates = new Array<FundMandate | undefined>(keptMax).fill(undefined);
    kept.set(plan, mandates);
  }
  const known = mandates[index] ?? mandateOf(plan, index);
  mandates[index] = known;
  return known;
}
