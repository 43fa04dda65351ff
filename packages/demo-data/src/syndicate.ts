/** The investors of a round. */
import { fundOf } from './funds.ts';
import { angelKey, foundersOf } from './people.ts';
import type { Company } from './profile.ts';
import { type Random, weighted } from './random.ts';

export interface Participant {
  readonly type: 'fund' | 'angel';
  /** Of the fund, or of the angel investor. */
  readonly index: number;
  readonly lead: boolean;
}

/** The fields of a startup that its rounds depend on. */
export type Fundraiser = Pick<Company, 'spec' | 'index' | 'home'> & { readonly sector: number };

/** The fields of a round that decide which investors take part. */
type Deal = Fundraiser & { readonly stage: number; readonly day: number };

const drawFundCount = weighted([16, 34, 24, 12, 7, 4, 2, 0, 1].entries());
const drawAngelCount = weighted([76, 13, 7, 0, 4].entries());

/** Draws the investors of a round: some earlier ones, then others, of whom the last may lead. */
export function drawSyndicate(
  random: Random,
  deal: Deal,
  earlier: readonly Participant[],
): readonly Participant[] {
  const count = drawFundCount(random);
  const funds = new Set<number>();
  for (const { type, index } of earlier) {
    const returns = type === 'fund' && funds.size < count && random.chance(0.3);
    if (returns && deal.day <= fundOf(deal.spec, index).lastDay) funds.add(index);
  }
  for (let tries = 0; funds.size < count && tries < 2 * count + 1; tries += 1) {
    const fund = drawFund(random, deal);
    if (fund !== null) funds.add(fund);
  }
  const leader = random.chance(0.72) ? funds.size - 1 : -1;
  return [
    ...[...funds].map((index, at) => ({ type: 'fund', index, lead: at === leader }) as const),
    ...drawAngels(random, deal),
  ];
}

/**
 * A fund that fits a round and invested on its day; null if none of a few candidates did. Funds of
 * low index are candidates most often: a few take part in hundreds of rounds, most in fewer than ten.
 */
export function drawFund(random: Random, deal: Deal): number | null {
  const { spec } = deal;
  for (let tries = 0; tries < 8; tries += 1) {
    const index = random.skewedBelow(spec.fund.base);
    const { foundedDay, lastDay, home, type, stages, sectors } = fundOf(spec, index);
    const isNear = home?.country.name === deal.home?.country.name || random.chance(0.3);
    const isOpen = foundedDay < deal.day && deal.day <= lastDay;
    if (!isNear || !isOpen || type === 'FundOfFunds') continue;
    const fits = stages.includes(deal.stage) || random.chance(0.12);
    if (fits && (sectors.includes(deal.sector) || random.chance(0.5))) return index;
  }
  return null;
}

/** Angel investors of an early round; none is a founder of the company. */
function drawAngels(random: Random, { spec, index: startup, stage }: Deal): Participant[] {
  if (spec.angels === 0 || (stage > 4 && stage !== 16 && stage !== 18)) return [];
  const draw = () => random.skewedBelow(spec.angels);
  const angels = new Set(Array.from({ length: drawAngelCount(random) }, draw));
  const founders = new Set(foundersOf(spec, startup, 0).map(({ key }) => key));
  return [...angels]
    .filter((angel) => !founders.has(angelKey(spec, angel)))
    .map((index) => ({ type: 'angel', index, lead: false }));
}
