/** The people at a startup: its founders and, now and then, someone who joined them. */
import type { UpsertLine } from '@vcds/importer';
import { dateText } from './calendar.ts';
import {
  founderCount,
  founderKey,
  founderPersonLine,
  isAngel,
  personLine,
  titleOfFounder,
} from './people.ts';
import { startupsPerAngel, type WorldPlan } from './plan.ts';
import { Random, streams } from './random.ts';
import { type Stamp, stampOf, startupKey } from './stamp.ts';
import type { Startup } from './startups.ts';
import { hireTitles } from './words/funds.ts';

/** The founders who are not known as people already. */
export function* founderLines(
  plan: WorldPlan,
  { index }: Startup,
  day: number,
): Iterable<UpsertLine<'person'>> {
  const stamp = stampOf(day, index * 37);
  const count = founderCount(plan, index);
  for (let slot = 0; slot < count; slot += 1) {
    const isKnown = slot === 0 ? isAngel(plan, index) : serialFounder(plan, index, slot) !== null;
    if (!isKnown) yield founderPersonLine(plan, index, slot, stamp);
  }
}

/** That each of the founders is at the startup. */
export function* founderPostLines(
  plan: WorldPlan,
  { index, path }: Startup,
  day: number,
): Iterable<UpsertLine<'startup_person'>> {
  const stamp = stampOf(day, index * 37);
  const random = new Random(plan.seed, streams.team, index, 1);
  const count = founderCount(plan, index);
  for (let slot = 0; slot < count; slot += 1) {
    yield {
      op: 'upsert',
      type: 'startup_person',
      ...stamp,
      Startup: { key: startupKey(index) },
      Person: { key: serialFounder(plan, index, slot) ?? founderKey(index, slot) },
      Title: random.chance(0.95) ? titleOfFounder(plan, index, slot) : null,
      Since: random.chance(0.7) ? dateText(path.foundedDay) : null,
    };
  }
}

/** One in twenty second founders has founded an earlier startup: the key of that person. */
function serialFounder(plan: WorldPlan, index: number, slot: number): string | null {
  if (slot !== 1 || index < startupsPerAngel) return null;
  const random = new Random(plan.seed, streams.team, index, 3);
  if (!random.chance(0.05)) return null;
  const earlier = random.below(Math.min(index, plan.baseStartups));
  return founderCount(plan, earlier) > 0 ? founderKey(earlier, 0) : null;
}

const hasEarlyHire = (plan: WorldPlan, index: number): boolean =>
  new Random(plan.seed, streams.team, index, 4).chance(0.07);

/** Someone who joined early, as a person. */
export function* earlyHireLines(
  plan: WorldPlan,
  startup: Startup,
  day: number,
): Iterable<UpsertLine<'person'>> {
  if (hasEarlyHire(plan, startup.index)) {
    yield hireLine(plan, startup, 0, stampOf(day, startup.index * 37));
  }
}

/** That someone joined early. */
export function* earlyHirePostLines(
  plan: WorldPlan,
  startup: Startup,
  day: number,
): Iterable<UpsertLine<'startup_person'>> {
  if (hasEarlyHire(plan, startup.index)) {
    yield hirePostLine(plan, startup, 0, day, stampOf(day, startup.index * 37));
  }
}

const hireKey = (startup: number, number: number): string => `hire-${startup}-${number}`;

/** Someone who joins a startup without having founded it; hires are numbered. */
export function hireLine(
  plan: WorldPlan,
  { index, home }: Startup,
  number: number,
  stamp: Stamp,
): UpsertLine<'person'> {
  const random = new Random(plan.seed, streams.person, index, 0x100 + number);
  const title = random.pick(hireTitles);
  return personLine(random, { key: hireKey(index, number), role: null, title, home }, stamp);
}

/** That a hire is at the startup from a day on. */
export function hirePostLine(
  plan: WorldPlan,
  { index }: Startup,
  number: number,
  day: number,
  stamp: Stamp,
): UpsertLine<'startup_person'> {
  return {
    op: 'upsert',
    type: 'startup_person',
    ...stamp,
    Startup: { key: startupKey(index) },
    Person: { key: hireKey(index, number) },
    Title: new Random(plan.seed, streams.person, index, 0x100 + number).pick(hireTitles),
    Since: dateText(day),
  };
}
