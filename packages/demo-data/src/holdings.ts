/** Portfolios: outcomes of holdings, and holdings without a round. */
import type { ImportLine } from '@vcds/importer';
import { dateOf } from './days.ts';
import { refTo, type Stamp, stampOf, upsert } from './profile.ts';
import { Random } from './random.ts';
import { fundsOf, type Startup } from './startups.ts';
import { drawFund } from './syndicate.ts';
import { FUND_STEMS } from './words/stems.ts';

const ACQUIRERS = ['Group', 'Holdings', 'Industries', 'Systems', 'Technologies'] as const;

type Holding = 'Held' | 'Exited' | 'Acquired';

export const holdingLine = (
  fund: number,
  startup: number,
  Status: Holding,
  stamp: Stamp,
  exit: Exit = {},
) =>
  ({
    ...upsert('holding', stamp),
    Fund: refTo('fund', fund),
    Startup: refTo('startup', startup),
    Status,
    ...(Status !== 'Held' && exit),
    ...(Status === 'Exited' && { Acquirer: null }),
  }) satisfies ImportLine;

interface Exit {
  readonly ExitDate?: string | null;
  readonly Acquirer?: string | null;
}

/** The exit of a startup on a day: the same for all its holdings. One in ten is known without its day. */
export function exitOf({ spec, index }: Startup, day: number): Exit {
  const random = new Random(spec.seed, 'exit', index);
  return {
    ExitDate: random.maybe(0.9, dateOf(day)),
    Acquirer: random.maybe(0.9, `${random.pick(FUND_STEMS)} ${random.pick(ACQUIRERS)}`),
  };
}

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
    const status = isExit ? 'Exited' : STATUSES[outcome];
    return holdingLine(fund, index, status, stamp, exitOf(startup, day));
  });
}
