/** People as import lines, and who of them founds and who invests. */
import type { UpsertLine } from '@vcds/importer';
import { cultureNames, personName } from './names.ts';
import { startupsPerAngel, type WorldPlan } from './plan.ts';
import { drawCity } from './profile.ts';
import { hash, Random, streams, Weighted } from './random.ts';
import type { Stamp } from './stamp.ts';
import { startupHome } from './startups.ts';
import type { City } from './words/cities.ts';
import { founderTitles } from './words/funds.ts';

const founderCounts = new Weighted<number>([
  [0, 6],
  [1, 49],
  [2, 33],
  [3, 9],
  [4, 3],
]);

/** How many people founded a startup, as far as is known. */
export function founderCount(plan: WorldPlan, startup: number): number {
  return founderCounts.draw(new Random(plan.seed, streams.team, startup));
}

export const founderKey = (startup: number, slot: number): string => `founder-${startup}-${slot}`;

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

/** Whether the first founder of a startup is an angel too. */
export function isAngel(plan: WorldPlan, startup: number): boolean {
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
export function personLine(
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

/** The founder in a slot of a startup, counted from 0. */
export function founderPersonLine(
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

export function titleOfFounder(plan: WorldPlan, startup: number, slot: number): string {
  const titles = founderTitles[slot] ?? ['Co-Founder'];
  return titles[hash(plan.seed, streams.person, startup, slot) % titles.length] ?? 'Co-Founder';
}
