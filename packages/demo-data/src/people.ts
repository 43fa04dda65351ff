/** People: founders, angel investors, and the teams of startups and funds. */
import type { ImportLine } from '@vcds/importer';
import { dateOf } from './days.ts';
import { personName } from './names.ts';
import { type Company, homeOf, refTo, type Stamp, sourceUrl, upsert } from './profile.ts';
import { hash, Random, weighted } from './random.ts';
import { type DatasetSpec, STARTUPS_PER_ANGEL } from './spec.ts';
import { drawCity } from './words/places.ts';
import { FOUNDER_TITLES, FUND_TITLES, HIRE_TITLES } from './words/tables.ts';

/** A person on a team; `isKnown` if another line has the person already. */
export interface Member {
  readonly key: string;
  readonly role: string | null;
  readonly titles: readonly string[];
  /** The day the person joined. */
  readonly day: number;
  readonly isKnown: boolean;
}

const drawFounderCount = weighted([6, 49, 33, 9, 3].entries());
const drawPartnerCount = weighted([8, 18, 26, 20, 0, 18, 0, 0, 10].entries());

const founderCount = ({ seed }: DatasetSpec, startup: number): number =>
  drawFounderCount(new Random(seed, 'founders', startup));

/** The startup of which an angel investor is the first founder, if any. */
function startupOfAngel(spec: DatasetSpec, angel: number): number | null {
  if (angel % 2 === 1) return null;
  const offset = hash(spec.seed, 'angel', angel) % STARTUPS_PER_ANGEL;
  const startup = angel * STARTUPS_PER_ANGEL + offset;
  return founderCount(spec, startup) > 0 ? startup : null;
}

/** The key of an angel investor's person. */
export function angelKey(spec: DatasetSpec, angel: number): string {
  const startup = startupOfAngel(spec, angel);
  return startup === null ? `angel-${angel}` : `founder-${startup}-0`;
}

/** An angel investor; founders who invest are among them, since their records come first. */
export function angelLine(spec: DatasetSpec, angel: number, stamp: Stamp): ImportLine {
  const startup = startupOfAngel(spec, angel);
  const home = startup === null ? null : homeOf(spec, 'startup', startup);
  const member = { key: `angel-${angel}`, role: 'investor', titles: ['Angel Investor'] };
  const person = startup === null ? member : founderOf(spec, startup, 0);
  return personLine({ spec, home }, person, stamp);
}

/** The founder in a slot. One in twenty second founders has founded an earlier startup. */
function founderOf(spec: DatasetSpec, startup: number, slot: number, day = 0): Member {
  const random = new Random(spec.seed, 'founder', startup, slot);
  const angel = Math.floor(startup / STARTUPS_PER_ANGEL);
  const isAngel = slot === 0 && angel < spec.angels && startupOfAngel(spec, angel) === startup;
  const earlier = random.below(Math.min(startup, spec.startup.base));
  const isSerial = slot === 1 && random.chance(0.05) && earlier < startup;
  const hasFounders = isSerial && founderCount(spec, earlier) > 0;
  return {
    key: hasFounders ? `founder-${earlier}-0` : `founder-${startup}-${slot}`,
    role: isAngel ? 'both' : random.maybe(0.98, 'founder'),
    titles: FOUNDER_TITLES[slot] ?? [],
    day,
    isKnown: isAngel || hasFounders,
  };
}

/** The founders of a startup on record. */
export const foundersOf = (spec: DatasetSpec, startup: number, day = 0): Member[] =>
  Array.from({ length: founderCount(spec, startup) }, (_, slot) =>
    founderOf(spec, startup, slot, day),
  );

/** A person who joins a startup without having founded it; hires are numbered. */
export const hireOf = (startup: number, number: number, day: number): Member => {
  const key = `hire-${startup}-${number}`;
  return { key, role: null, titles: HIRE_TITLES, day, isKnown: false };
};

/** The member of a fund in a slot. Some in the second slot are angel investors. */
export function partnerOf({ spec, index, foundedDay }: Company, slot: number, day: number): Member {
  const random = new Random(spec.seed, 'partner', index, slot);
  const isKnown = slot === 1 && spec.angels > 0 && random.chance(0.12);
  return {
    key: isKnown ? angelKey(spec, random.below(spec.angels)) : `partner-${index}-${slot}`,
    role: 'investor',
    titles: slot === 0 ? ['General Partner'] : FUND_TITLES,
    day: Math.min(foundedDay + random.below(400), day),
    isKnown,
  };
}

/** The team of a company on a day. */
export function teamOf(company: Company, day: number): Member[] {
  const { spec, kind, index, foundedDay } = company;
  const random = new Random(spec.seed, kind, 'team', index);
  if (kind === 'startup') {
    const founders = foundersOf(spec, index, foundedDay);
    return random.chance(0.07) ? [...founders, hireOf(index, 0, day)] : founders;
  }
  const length = drawPartnerCount(random);
  return Array.from({ length }, (_, slot) => partnerOf(company, slot, day));
}

type Person = Pick<Member, 'key' | 'role' | 'titles'>;
type Place = Pick<Company, 'spec' | 'home'>;

const titleOf = ({ seed }: DatasetSpec, { key, titles }: Person): string =>
  new Random(seed, 'title', key).pick(titles);

/** A person; each field is unknown for some. */
function personLine({ spec, home }: Place, person: Person, stamp: Stamp): ImportLine {
  const { key, role } = person;
  const random = new Random(spec.seed, 'person', key);
  const from = home ?? drawCity(random);
  const { name, first, last } = personName(random, from.country.locale);
  const isSplit = random.chance(0.96);
  const second = random.chance(0.06) ? [drawCity(random).country.name] : [];
  return {
    ...upsert('person', { ...stamp, key }),
    Name: name,
    FirstName: isSplit ? first : null,
    LastName: isSplit ? last : null,
    Role: role,
    Title: random.maybe(0.9, titleOf(spec, person)),
    Location: random.maybe(0.85, from.name),
    Countries: random.chance(0.05) ? [] : [...new Set([from.country.name, ...second])],
    SourceUrl: sourceUrl(`people/${key}`),
  };
}

/** The people of a team who are not on record already. */
export const peopleLines = (company: Company, team: readonly Member[], stamp: Stamp) =>
  team.flatMap((member) => (member.isKnown ? [] : [personLine(company, member, stamp)]));

/** The position of a person at a company. */
export function positionLine({ spec, kind, index }: Company, member: Member, stamp: Stamp) {
  const random = new Random(spec.seed, kind, 'position', index, member.key);
  const fields = {
    Person: { key: member.key },
    Title: random.maybe(0.96, titleOf(spec, member)),
    Since: random.maybe(0.7, dateOf(member.day)),
  };
  return kind === 'fund'
    ? { ...upsert('fund_person', stamp), Fund: refTo(kind, index), ...fields }
    : { ...upsert('startup_person', stamp), Startup: refTo(kind, index), ...fields };
}
