/** People: founders, those who join later, angels and the teams of funds. */
import type { UpsertLine } from '../import/index.ts';
import { dateText } from './calendar.ts';
import { cultureNames, personName } from './names.ts';
import { startupsPerAngel, type WorldPlan } from './plan.ts';
import { drawCity, homeOf } from './profile.ts';
import { hash, Random, streams, Weighted } from './random.ts';
import { fundKey, type Stamp, startupKey } from './stamp.ts';
import { type Startup, startupHome } from './startups.ts';
import type { City } from './words/cities.ts';
import { founderTitles, fundTitles, hireTitles } from './words/funds.ts';

const founderCounts = new Weighted<number>([
  [0, 5],
  [1, 40],
  [2, 37],
  [3, 13],
  [4, 5],
]);

export function founderCount(plan: WorldPlan, startup: number): number {
  return founderCounts.draw(new Random(plan.seed, streams.team, startup));
}

const founderKey = (startup: number, slot: number): string => `founder-${startup}-${slot}`;

/** The startup whose first founder an angel is; null for one who is no founder. */
function startupOfAngel(plan: WorldPlan, angel: number): number | null {
  if (angel % 2 === 1) return null;
  const place = hash(plan.seed, streams.angel, angel, 0) % startupsPerAngel;
  const startup = angel * startupsPerAngel + place;
  return founderCount(plan, startup) > 0 ? startup : null;
}

/** The key of the person an angel is. */
export function angelKey(plan: WorldPlan, angel: number): string {
  const startup = startupOfAngel(plan, angel);
  return startup === null ? `angel-${angel}` : founderKey(startup, 0);
}

/** The angel that the first founder of a startup is, if any. */
function isAngel(plan: WorldPlan, startup: number): boolean {
  const angel = Math.floor(startup / startupsPerAngel);
  return angel < plan.angels && startupOfAngel(plan, angel) === startup;
}

interface Introduction {
  readonly key: string;
  readonly role: string | null;
  readonly title: string | null;
  readonly home: City | null;
}

/** A person as a line; one in many lacks each of the fields. */
function personLine(
  random: Random,
  { key, role, title, home }: Introduction,
  stamp: Stamp,
): UpsertLine<'person'> {
  const from = home ?? drawCity(random);
  const culture = random.chance(0.82) ? from.country.culture : random.pick(cultureNames);
  const { name, first, last } = personName(random, culture);
  const isSplit = random.chance(0.96);
  const countries = random.chance(0.05)
    ? []
    : [
        ...new Set([
          from.country.name,
          ...(random.chance(0.06) ? [drawCity(random).country.name] : []),
        ]),
      ];
  return {
    op: 'upsert',
    type: 'person',
    ...stamp,
    key,
    Name: name,
    FirstName: isSplit ? first : null,
    LastName: isSplit ? last : null,
    Role: role,
    Title: random.chance(0.9) ? title : null,
    Location: random.chance(0.85) ? from.name : null,
    Countries: countries,
    SourceUrl: `https://demonstration.example/people/${key}`,
  };
}

/** All angels, the founders among them included: these stand before any startup. */
export function angelLine(plan: WorldPlan, angel: number, stamp: Stamp): UpsertLine<'person'> {
  const startup = startupOfAngel(plan, angel);
  if (startup !== null) return founderPersonLine(plan, startup, 0, stamp);
  const random = new Random(plan.seed, streams.angel, angel);
  const home = random.chance(0.9) ? drawCity(random) : null;
  const introduction = { key: `angel-${angel}`, role: 'investor', title: 'Angel Investor', home };
  return personLine(random, introduction, stamp);
}

function founderPersonLine(
  plan: WorldPlan,
  startup: number,
  slot: number,
  stamp: Stamp,
): UpsertLine<'person'> {
  const random = new Random(plan.seed, streams.person, startup, slot);
  const role = slot === 0 && isAngel(plan, startup) ? 'both' : 'founder';
  const introduction = {
    key: founderKey(startup, slot),
    role: role === 'founder' && random.chance(0.02) ? null : role,
    title: titleOfFounder(plan, startup, slot),
    home: startupHome(plan, startup),
  };
  return personLine(random, introduction, stamp);
}

function titleOfFounder(plan: WorldPlan, startup: number, slot: number): string {
  const titles = founderTitles[slot] ?? ['Co-Founder'];
  return titles[hash(plan.seed, streams.person, startup, slot) % titles.length] ?? 'Co-Founder';
}

type TeamLine = UpsertLine<'person'> | UpsertLine<'startup_person'>;

/** The founders of a startup and, now and then, someone who joined them. */
export function* teamLines(
  plan: WorldPlan,
  startup: Startup,
  listedDay: number,
  stamp: Stamp,
): Iterable<TeamLine> {
  const { index, path } = startup;
  const random = new Random(plan.seed, streams.team, index, 1);
  const count = founderCount(plan, index);
  for (let slot = 0; slot < count; slot += 1) {
    const earlier = slot === 1 ? serialFounder(plan, random, index) : null;
    if (earlier === null && !(slot === 0 && isAngel(plan, index))) {
      yield founderPersonLine(plan, index, slot, stamp);
    }
    yield {
      op: 'upsert',
      type: 'startup_person',
      ...stamp,
      Startup: { key: startupKey(index) },
      Person: { key: earlier ?? founderKey(index, slot) },
      Title: random.chance(0.95) ? titleOfFounder(plan, index, slot) : null,
      Since: random.chance(0.7) ? dateText(path.foundedDay) : null,
    };
  }
  if (random.chance(0.07)) yield* hireLines(plan, startup, 0, listedDay, stamp);
}

/** One in twenty second founders has founded an earlier startup: the key of that person. */
function serialFounder(plan: WorldPlan, random: Random, index: number): string | null {
  if (index < startupsPerAngel || !random.chance(0.05)) return null;
  const earlier = random.below(Math.min(index, plan.baseStartups));
  return founderCount(plan, earlier) > 0 ? founderKey(earlier, 0) : null;
}

/** Someone who joins a startup without having founded it. */
export function* hireLines(
  plan: WorldPlan,
  { index, home }: Startup,
  number: number,
  day: number,
  stamp: Stamp,
): Iterable<TeamLine> {
  const random = new Random(plan.seed, streams.person, index, 0x100 + number);
  const [key, title] = [`hire-${index}-${number}`, random.pick(hireTitles)];
  yield personLine(random, { key, role: null, title, home }, stamp);
  yield {
    op: 'upsert',
    type: 'startup_person',
    ...stamp,
    Startup: { key: startupKey(index) },
    Person: { key },
    Title: title,
    Since: dateText(day),
  };
}

const partnerCounts = new Weighted<number>([
  [0, 8],
  [1, 18],
  [2, 26],
  [3, 20],
  [5, 18],
  [8, 10],
]);

type PartnerLine = UpsertLine<'person'> | UpsertLine<'fund_person'>;

/** The team of a fund on a day: people who joined between its founding and then. */
export function* partnerLines(
  plan: WorldPlan,
  fund: number,
  [foundedDay, day]: readonly [number, number],
  stamp: Stamp,
): Iterable<PartnerLine> {
  const random = new Random(plan.seed, streams.team, fund, 2);
  const count = partnerCounts.draw(random);
  for (let slot = 0; slot < count; slot += 1) {
    yield* partnerLine(plan, fund, slot, Math.min(foundedDay + random.below(400), day), stamp);
  }
}

/** One person of a fund's team, and that he or she is; a few are angels who are people already. */
export function* partnerLine(
  plan: WorldPlan,
  fund: number,
  slot: number,
  day: number,
  stamp: Stamp,
): Iterable<PartnerLine> {
  const random = new Random(plan.seed, streams.person, fund, 0x200 + slot);
  const title = slot === 0 ? 'General Partner' : random.pick(fundTitles);
  const isVenturePartner = slot === 1 && plan.angels > 0 && random.chance(0.12);
  const key = isVenturePartner
    ? angelKey(plan, random.below(plan.angels))
    : `partner-${fund}-${slot}`;
  if (!isVenturePartner) {
    const home = homeOf(plan.seed, streams.fund, fund);
    yield personLine(random, { key, role: 'investor', title, home }, stamp);
  }
  yield {
    op: 'upsert',
    type: 'fund_person',
    ...stamp,
    Fund: { key: fundKey(fund) },
    Person: { key },
    Title: random.chance(0.96) ? title : null,
    Since: random.chance(0.6) ? dateText(day) : null,
  };
}
