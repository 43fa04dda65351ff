/** Portfolios: what became of holdings, and those that no round tells of. */
import type { UpsertLine } from '@vcds/importer';
import { startupBlock, type WorldPlan } from './plan.ts';
import { Random, streams, Weighted } from './random.ts';
import { fundKey, type Stamp, stampOf, startupKey } from './stamp.ts';
import type { Startup } from './startups.ts';
import { drawFund } from './syndicate.ts';

export type Fate = 'none' | 'acquired' | 'exited' | 'partly' | 'stated' | 'listed';

/** What a fund's site says of a company, beyond the rounds. */
const fates = new Weighted<Fate>([
  ['none', 78],
  ['acquired', 6],
  ['exited', 2],
  ['partly', 3],
  ['stated', 6],
  ['listed', 5],
]);

/** Places in a block of startups that show each fate; see `startups.ts` for the places before. */
const fatesFrom = 60;
const shownFates: readonly Fate[] = ['acquired', 'exited', 'partly', 'stated', 'listed'];

export function fateOf(plan: WorldPlan, index: number): Fate {
  if (index >= plan.baseStartups) return 'none';
  const shown = shownFates[(index % startupBlock) - fatesFrom];
  return shown ?? fates.draw(new Random(plan.seed, streams.holding, index));
}

/** The funds that took part in a round of a startup, each once, in order. */
export function fundsOf(startup: Startup): number[] {
  const funds = startup.rounds.flatMap(({ participants }) =>
    participants.filter(({ type }) => type === 'fund').map(({ index }) => index),
  );
  return [...new Set(funds)];
}

export function holdingLine(
  fund: number,
  startup: number,
  status: 'Held' | 'Exited' | 'Acquired',
  stamp: Stamp,
): UpsertLine<'holding'> {
  return {
    op: 'upsert',
    type: 'holding',
    ...stamp,
    Fund: { key: fundKey(fund) },
    Startup: { key: startupKey(startup) },
    Status: status,
  };
}

/** A fund that lists the company on its site but took part in no round of it. */
export function quietHolder(
  plan: WorldPlan,
  startup: Startup,
  salt: number,
  listedDay: number,
): number | null {
  const random = new Random(plan.seed, streams.holding, startup.index, 1 + salt);
  const { index, home, sector, rounds } = startup;
  const stage = rounds.at(-1)?.stage ?? 3;
  const country = home?.country.name ?? null;
  const day = rounds.at(-1)?.day ?? listedDay;
  const outlook = { startup: index, stage, day, sector, country, earlier: [] };
  const fund = drawFund(plan, random, outlook);
  return fund === null || fundsOf(startup).includes(fund) ? null : fund;
}

/** The holdings of a startup that are stated, after the day of its last round. */
export function* holdingLines(
  plan: WorldPlan,
  startup: Startup,
  listedDay: number,
): Iterable<UpsertLine<'holding'>> {
  const fate = fateOf(plan, startup.index);
  if (fate === 'none') return;
  const last = Math.max(startup.rounds.at(-1)?.day ?? listedDay, listedDay);
  const random = new Random(plan.seed, streams.holding, startup.index, 9);
  const limit = Math.max(last, plan.historyDay - 1);
  const stamp = stampOf(Math.min(last + 30 + random.below(300), limit), 57_000);
  const funds = fundsOf(startup);
  const isShown = startup.index % startupBlock >= fatesFrom;
  if (fate === 'listed' || (funds.length === 0 && isShown)) {
    const fund = quietHolder(plan, startup, 0, startup.path.foundedDay);
    if (fund !== null) yield holdingLine(fund, startup.index, 'Held', stamp);
    return;
  }
  for (const [at, fund] of funds.entries()) {
    if (fate === 'stated') yield holdingLine(fund, startup.index, 'Held', stamp);
    else if (fate === 'exited') yield holdingLine(fund, startup.index, 'Exited', stamp);
    else if (fate === 'acquired' && random.chance(0.85)) {
      yield holdingLine(fund, startup.index, random.chance(0.9) ? 'Acquired' : 'Exited', stamp);
    } else if (fate === 'partly' && at === 0) {
      yield holdingLine(fund, startup.index, 'Exited', stamp);
    }
  }
}
