import { nameKey, rarityOf, type Statement } from '@vcds/resolution';
import type { Labelled } from './real-sets.ts';

/** A generator of numbers in [0, 1) from a seed (mulberry32). */
export function randomOf(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    is: (share: number): boolean => next() < share,
    below: (n: number): number => Math.floor(next() * n),
    of: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
  };
}
export type Random = ReturnType<typeof randomOf>;

const SYLLABLES =
  'ba be bi bo ca ce ci co da de di do fa fi fo ga go ka ki ko la le li lo lu ma me mi mo na ne ni no nu pa pe pi po qua ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo xa ya yo za ze zi zo zu'.split(
    ' ',
  );
const LEGAL = ['Inc', 'Inc.', 'LLC', 'Ltd', 'Corp.', 'GmbH', ', Inc.', 'Corporation'];
const GENERAL =
  'Technologies Systems Media Networks Labs Solutions Software Group Interactive Health Games Therapeutics Pharmaceuticals Communications Technology'.split(
    ' ',
  );
const PARTS = ['Europe', 'Asia', 'Japan', 'India', 'China', 'UK', 'Canada', 'Brasil'];
const ENDINGS = ['com', 'com', 'com', 'com', 'io', 'net', 'co', 'org', 'ai', 'co.uk', 'de'];
const FUND_WORDS = [
  'Ventures',
  'Capital',
  'Partners',
  'Venture Partners',
  'Capital Partners',
  'Fund',
];

const title = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** A name of words that other names have too, or a coined one. */
export function composeName(random: Random, words: readonly string[], entity: 1 | 2): string {
  const coined = () => {
    let word = '';
    for (let k = 3 + random.below(3); k > 0; k -= 1) word += random.of(SYLLABLES);
    return title(word);
  };
  const kind = random.next();
  const first = kind < 0.5 ? coined() : title(random.of(words));
  if (entity === 2)
    return `${first} ${kind < 0.5 ? '' : title(random.of(words))} ${random.of(FUND_WORDS)}`;
  if (kind < 0.3 || kind > 0.98) return first;
  if (kind < 0.5 || kind > 0.95) return `${first} ${random.of(GENERAL)}`;
  return first + (random.is(0.5) ? ' ' : '') + title(random.of(words));
}

const compactOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/gu, '');

export function withSite(
  statement: Statement,
  random: Random,
  taken: Set<string> = new Set(),
): Statement {
  const compact = compactOf(statement.name).slice(0, 30);
  if (statement.website || compact.length < 2) return statement;
  const [first = ''] = statement.name.toLowerCase().split(/[^a-z0-9]+/u);
  const label =
    random.is(0.2) && first.length > 3 ? first : random.is(0.1) ? `get${compact}` : compact;
  const domain = `${label}.${random.of(ENDINGS)}`;
  // Another company may have the domain already.
  const isFree = !taken.has(domain) && random.is(0.7);
  const site = isFree ? domain : `${label}${random.below(1e6).toString(36)}.com`;
  taken.add(site);
  return { ...statement, website: `http://www.${site}/` };
}

/** Another spelling of a name: legal form, general word, typo, joined words. */
function respelt(name: string, random: Random): string {
  const words = name.split(' ');
  const kind = random.below(7);
  if (kind === 0) return `${name} ${random.of(LEGAL)}`;
  if (kind === 1 && words.length > 1) return words.slice(0, -1).join(' ');
  if (kind <= 2) return `${name} ${random.of(GENERAL)}`;
  if (kind === 3 && name.length > 6) {
    const at = 1 + random.below(name.length - 2);
    return name.slice(0, at) + name.slice(at + 1);
  }
  if (kind === 4) return words.join('');
  if (kind === 5) return `The ${name}`;
  return name.toUpperCase();
}

/** The strata of the report: the facts that a copy keeps. */
export interface Plan {
  readonly name: 'same' | 'respelt' | 'other';
  readonly place: 'same' | 'missing' | 'moved';
  readonly site: 'same' | 'missing' | 'other';
}

export function planOf(random: Random): Plan {
  const [name, place, site] = [random.next(), random.next(), random.next()];
  return {
    name: name < 0.62 ? 'same' : name < 0.87 ? 'respelt' : 'other',
    place: place < 0.7 ? 'same' : place < 0.92 ? 'missing' : 'moved',
    site: site < 0.55 ? 'same' : site < 0.93 ? 'missing' : 'other',
  };
}

const some = <T>(list: readonly T[] | undefined, share: number, random: Random): readonly T[] =>
  (list ?? []).filter(() => random.is(share));

/** The same company as another source states it. */
export function copyOf(original: Statement, plan: Plan, context: CopyContext): Statement {
  const { random, words, source, id } = context;
  const { entity } = original;
  const other = context.other();
  const named = plan.name === 'other' ? composeName(random, words, entity) : original.name;
  const name = plan.name === 'respelt' ? respelt(named, random) : named;
  const moved = plan.place === 'moved';
  const site =
    plan.site === 'same'
      ? original.website
      : plan.site === 'missing'
        ? null
        : withSite(
            { ...original, name: `${named}${random.of(['app', 'hq', 'x'])}`, website: null },
            random,
          ).website;
  return {
    ...{ id, source, entity, name },
    website:
      plan.name === 'other' && plan.site === 'other'
        ? (withSite({ ...original, name, website: null }, random).website ?? null)
        : (site ?? null),
    countries:
      plan.place === 'missing'
        ? []
        : moved && random.is(0.3)
          ? (other.countries ?? [])
          : (original.countries ?? []),
    regions: plan.place === 'same' && random.is(0.8) ? (original.regions ?? []) : [],
    cities:
      plan.place === 'missing' || random.is(0.1)
        ? []
        : moved
          ? (other.cities ?? [])
          : (original.cities ?? []),
    founded:
      original.founded && random.is(0.6)
        ? original.founded + (random.is(0.15) ? random.below(5) - 2 : 0)
        : null,
    totalRaised:
      original.totalRaised && random.is(0.5)
        ? Math.round(original.totalRaised * (random.is(0.6) ? 1 : 1 + random.next()))
        : null,
    rounds: random.is(0.5)
      ? some(original.rounds, 0.8, random).map(({ month, amount }) => ({
          month,
          amount: random.is(0.85) ? (amount ?? null) : null,
        }))
      : [],
    newsDays: some(original.newsDays, 0.5, random),
    links: random.is(0.6) ? some(original.links, 0.7, random) : [],
    people: random.is(0.6) ? some(original.people, 0.7, random) : [],
    tags: random.is(0.3) ? (other.tags ?? []) : (original.tags ?? []),
    description: random.is(0.4) ? (original.description ?? null) : null,
  };
}

export interface CopyContext {
  readonly random: Random;
  readonly words: readonly string[];
  readonly source: string;
  readonly id: string;
  /** Another company, for the facts of one. */
  readonly other: () => Statement;
}

/** Facts of a company that is not in the corpus: each is another one's, and money is changed. */
export function unrelatedTo(other: () => Statement, random: Random): Partial<Statement> {
  const place = other();
  const { countries = [], regions = [], cities = [] } = place;
  const shift = 0.5 + random.next();
  const rounds = (other().rounds ?? []).map(({ month, amount }) => {
    const year = Number(month.slice(0, 4)) + random.below(5) - 2;
    const changed = `${year}-${String(1 + random.below(12)).padStart(2, '0')}`;
    return { month: changed, amount: amount ? Math.round((amount * shift) / 1e5) * 1e5 : null };
  });
  const total = other().totalRaised;
  return {
    ...{ countries, regions, cities, rounds },
    founded: other().founded ?? null,
    totalRaised: total ? Math.round((total * shift) / 1e5) * 1e5 : null,
    tags: other().tags ?? [],
    links: [...(other().links ?? []).slice(0, 3), ...(other().links ?? []).slice(0, 2)],
    people: peopleOf(random),
    newsDays: random.is(0.3) ? (other().newsDays ?? []) : [],
    description: null,
    website: null,
  };
}

/** Another company of the same name. */
export function namesakeOf({ name, entity }: Statement, context: CopyContext): Statement {
  const { id, source, other, random } = context;
  const it: Statement = { ...unrelatedTo(other, random), id, source, entity, name };
  // The plain domain is the other one's.
  const site = `http://${compactOf(name).slice(0, 20)}${random.below(1e6).toString(36)}.com/`;
  return random.is(0.5) ? { ...it, website: site } : it;
}

/** A part of a group: its name, often its site, and another place. */
export function partOf(original: Statement, { id, source, other, random }: CopyContext): Statement {
  const isLater = original.entity === 2 && random.is(0.6);
  const name = `${original.name} ${random.of(isLater ? ['II', 'III', 'IV'] : PARTS)}`;
  const it = unrelatedTo(other, random);
  const website = random.is(0.15) ? (original.website ?? null) : null;
  const { countries = [], regions = [], cities = [] } = isLater ? original : it;
  const shared = {
    links: some(original.links, 0.2, random),
    people: some(original.people, 0.2, random),
  };
  return {
    ...it,
    ...shared,
    id,
    source,
    name,
    website,
    countries,
    regions,
    cities,
    entity: original.entity,
  };
}

/** Of companies with a rare name too, this share has a namesake. */
const NAMESAKES = 0.0005;

/** A corpus: the base companies in one source and copies, namesakes and parts in three others; ids ascend. */
export function* corpusOf(
  base: readonly Labelled[],
  size: number,
  seed: number,
  words: readonly string[],
): Generator<Labelled> {
  const random = randomOf(seed);
  const other = (): Statement => random.of(base).statement;
  const companies = Math.ceil(size / 1.36);
  const taken = new Set<string>();
  for (let k = 0; k < companies; k += 1) {
    const real = base[k]?.statement;
    const entity = other().entity;
    const drawn: Omit<Statement, 'id' | 'source'> = real ?? {
      ...unrelatedTo(other, random),
      entity,
      name: composeName(random, words, entity),
    };
    const id = `w${String(k).padStart(7, '0')}`;
    const own: Statement = { ...drawn, id: `${id}a`, source: `s${random.below(4)}` };
    const people = own.people?.length ? own.people : peopleOf(random);
    const statement = random.is(0.6)
      ? withSite({ ...own, people }, random, taken)
      : { ...own, people };
    const truth = `w${k}`;
    yield { statement, truth };
    const context = (mark: string): CopyContext => ({
      random,
      words,
      other,
      id: `${id}${mark}`,
      source: `s${(Number(statement.source.slice(1)) + 1 + random.below(3)) % 4}`,
    });
    if (random.is(0.28))
      yield { statement: copyOf(statement, planOf(random), context('b')), truth };
    if (random.is(NAMESAKES + Math.min(0.2, size * chanceOf(statement.name))))
      yield { statement: namesakeOf(statement, context('n')), truth: `n${k}` };
    if (random.is(0.05)) yield { statement: partOf(statement, context('p')), truth: `p${k}` };
  }
}

/** The chance that another company has the name. */
const chanceOf = (name: string): number => Math.exp(-rarityOf(nameKey(name)?.words ?? []));

const FIRST =
  'James Mary Wei Anna Juan Aisha Peter Olga Ravi Chen Lucas Emma Noah Liam Sofia Mia Omar Yuki'.split(
    ' ',
  );

function peopleOf(random: Random): readonly string[] {
  if (random.is(0.5)) return [];
  const name = () =>
    `${random.of(FIRST)} ${title(random.of(SYLLABLES) + random.of(SYLLABLES) + random.of(SYLLABLES))}`;
  return [name(), name()].slice(0, 1 + random.below(2));
}
