/** The teams of funds. */
import type { UpsertLine } from '@vcds/importer';
import { dateText } from './calendar.ts';
import { type FundMandate, fundFoundedDay } from './funds.ts';
import { angelKey, personLine } from './people.ts';
import type { WorldPlan } from './plan.ts';
import { homeOf } from './profile.ts';
import { Random, streams, Weighted } from './random.ts';
import { fundKey, type Stamp, stampOf } from './stamp.ts';
import { fundTitles } from './words/funds.ts';

const partnerCounts = new Weighted<number>([
  [0, 8],
  [1, 18],
  [2, 26],
  [3, 20],
  [5, 18],
  [8, 10],
]);

const partnerCount = (plan: WorldPlan, fund: number): number =>
  partnerCounts.draw(new Random(plan.seed, streams.team, fund, 2));

/** The people on a fund's team who are not known already. */
export function* partnerLines(
  plan: WorldPlan,
  { index }: FundMandate,
  day: number,
): Iterable<UpsertLine<'person'>> {
  const count = partnerCount(plan, index);
  for (let slot = 0; slot < count; slot += 1) {
    yield* partnerLine(plan, index, slot, stampOf(day, index * 37));
  }
}

/** That each of them is on the team; they joined between the founding and the day. */
export function* partnerPostLines(
  plan: WorldPlan,
  { index }: FundMandate,
  day: number,
): Iterable<UpsertLine<'fund_person'>> {
  const random = new Random(plan.seed, streams.team, index, 5);
  const founded = fundFoundedDay(plan, index);
  const count = partnerCount(plan, index);
  for (let slot = 0; slot < count; slot += 1) {
    const since = Math.min(founded + random.below(400), day);
    yield partnerPostLine(plan, index, slot, since, stampOf(day, index * 37));
  }
}

/** A few of those who come second are angels, known as people already. */
function venturePartner(plan: WorldPlan, fund: number, slot: number): string | null {
  if (slot !== 1 || plan.angels === 0) return null;
  const random = new Random(plan.seed, streams.team, fund, 6);
  return random.chance(0.12) ? angelKey(plan, random.below(plan.angels)) : null;
}

const partnerKey = (plan: WorldPlan, fund: number, slot: number): string =>
  venturePartner(plan, fund, slot) ?? `partner-${fund}-${slot}`;

function titleOf(plan: WorldPlan, fund: number, slot: number): string {
  if (slot === 0) return 'General Partner';
  return new Random(plan.seed, streams.person, fund, 0x300 + slot).pick(fundTitles);
}

/** The person in a slot of a fund's team; none for one who is known already. */
export function* partnerLine(
  plan: WorldPlan,
  fund: number,
  slot: number,
  stamp: Stamp,
): Iterable<UpsertLine<'person'>> {
  if (venturePartner(plan, fund, slot) !== null) return;
  const random = new Random(plan.seed, streams.person, fund, 0x200 + slot);
  const [key, title] = [partnerKey(plan, fund, slot), titleOf(plan, fund, slot)];
  const home = homeOf(plan.seed, streams.fund, fund);
  yield personLine(random, { key, role: 'investor', title, home }, stamp);
}

/** That the person in a slot is on the fund's team from a day on. */
export function partnerPostLine(
  plan: WorldPlan,
  fund: number,
  slot: number,
  sinceDay: number,
  stamp: Stamp,
): UpsertLine<'fund_person'> {
  const random = new Random(plan.seed, streams.person, fund, 0x400 + slot);
  return {
    op: 'upsert',
    type: 'fund_person',
    ...stamp,
    Fund: { key: fundKey(fund) },
    Person: { key: partnerKey(plan, fund, slot) },
    Title: random.chance(0.96) ? titleOf(plan, fund, slot) : null,
    Since: random.chance(0.6) ? dateText(sinceDay) : null,
  };
}
