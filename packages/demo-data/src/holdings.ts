/** Portfolios: outcomes of holdings, and holdings without a round. */
import type { ImportLine } from '@vcds/importer';
import { refTo, type Stamp, stampOf, upsert } from './profile.ts';
import { Random } from './random.ts';
import { fundsOf, type Startup } from './startups.ts';
import { drawFund } from './syndicate.ts';

type Holding = 'Held' | 'Exited' | 'Acquired';

export const holdingLine = (fund: number, startup: number, Status: Holding, stamp: Stamp) =>
  ({
    ...upsert('holding', stamp),
    Fund: refTo('fund', fund),
    Startup: refTo('startup', startup),
    Status,
  }) satisfies ImportLine;

/** A fund that fits a startup but took part in no round of it, if one is found. */
export function otherFund(startup: Startup, random: Random, listedDay: number): number | null {
  const { stage, day } = startup.rounds.at(-1) ?? { stage: 3, day: listedDay };
  const fund = drawFund(random, { ...startup, stage, day });
  return fund === null || fundsOf(startup).includes(fund) ? null : fund;
}

const STATUSES = {
  acquired: 'Acquired',
  exited: 'Exited',
  partly: 'Exited',
  stated: 'Held',
} as const;

/** The holdings on record, stated after the last round. */
export function holdingLines(startup: Startup, _: Stamp, noticedDay: number): ImportLine[] {
  const { spec, index, outcome, rounds, foundedDay } = startup;
  if (outcome === null) return [];
  const random = new Random(spec.seed, 'holdings', index);
  const last = Math.max(rounds.at(-1)?.day ?? noticedDay, noticedDay);
  const day = Math.min(last + 30 + random.below(300), Math.max(last, spec.historyDay - 1));
  const [funds, stamp] = [fundsOf(startup), stampOf(day, 57_000)];
  if (outcome === 'listed' || funds.length === 0) {
    const fund = otherFund(startup, random, foundedDay);
    return fund === null ? [] : [holdingLine(fund, index, 'Held', stamp)];
  }
  const holders = outcome === 'partly' ? funds.slice(0, 1) : funds;
  return holders.map((fund) => {
    const isExit = outcome === 'acquired' && random.chance(0.1);
    return holdingLine(fund, index, isExit ? 'Exited' : STATUSES[outcome], stamp);
  });
}
