import { Random } from '@vcds/demo-data/random';
import { FOUNDER_TITLES, FUND_TITLES, PUBLISHERS } from '@vcds/demo-data/words';
import { startupName } from './companies.ts';
import type { Cell } from './copy-rows.ts';
import { angelsOf } from './deals.ts';
import { type GeneratedDictionary, rank } from './dictionary.ts';
import {
  type CorpusSize,
  dayNumber,
  dayText,
  drawAddress,
  fundsOf,
  idOf,
  importedAt,
  personWords,
} from './vocabulary.ts';

export const PERSON_COLUMNS =
  'id, name, first_name, last_name, role, title, location, countries, source, created_at, updated_at';
export const POSITION_COLUMNS = 'person_id, title, since, source, created_at, updated_at';
export const NEWS_COLUMNS =
  'id, title, url, publisher, date, startup_id, fund_id, source, created_at, updated_at';

const TEAM_SHARE = 0.15;
const FOUNDERS_MAX = 3;
const STAFF_MAX = 4;
const NEWS_PER_STARTUP = 0.25;
const LOADED = dayNumber('2025-12-02');
const LOADED_HOUR = 5;

/** A person by the kind and the numbers of their id. */
type Numbers = readonly [kind: 'founder' | 'staff' | 'angel', ...numbers: readonly number[]];

function* founders({ startups, seed }: CorpusSize): Generator<Numbers> {
  for (let startup = 0; startup < startups; startup += 1) {
    const random = new Random(seed, 'team', startup);
    if (!random.chance(TEAM_SHARE)) continue;
    const count = 1 + rank(random, FOUNDERS_MAX);
    for (let n = 0; n < count; n += 1) yield ['founder', startup, n];
  }
}

function* staff(size: CorpusSize): Generator<Numbers> {
  for (let fund = 0; fund < fundsOf(size); fund += 1) {
    const count = new Random(size.seed, 'staff', fund).below(STAFF_MAX);
    for (let n = 0; n < count; n += 1) yield ['staff', fund, n];
  }
}

function* angels(size: CorpusSize): Generator<Numbers> {
  for (let n = 0; n < angelsOf(size); n += 1) yield ['angel', n];
}

const ROLES = { founder: 'founder', staff: 'investor', angel: 'investor' } as const;

export function* personRows(
  size: CorpusSize,
  dictionary: GeneratedDictionary,
): Generator<readonly Cell[]> {
  for (const numbers of [founders, staff, angels].flatMap((people) => [people(size)])) {
    for (const [kind, ...rest] of numbers) {
      const random = new Random(size.seed, 'person', kind, ...rest);
      const [first, last] = personWords(random);
      const { City, Country } = drawAddress(random, dictionary, size);
      const role = random.chance(0.05) ? 'both' : ROLES[kind];
      const [city, countries] = random.chance(0.3) ? [null, []] : [City, [Country]];
      const title = kind === 'founder' ? 'Founder' : random.maybe(0.5, 'Investor');
      const name = `${first} ${last}`;
      const id = idOf(kind, ...rest);
      const at = loadedAt(...rest);
      yield [id, name, first, last, role, title, city, countries, 'directory', at, at];
    }
  }
}

export function* founderRows(size: CorpusSize): Generator<readonly Cell[]> {
  for (const [, startup = 0, n = 0] of founders(size)) {
    const random = new Random(size.seed, 'position', startup, n);
    const title = random.pick(FOUNDER_TITLES[n] ?? ['Founder']);
    const person = idOf('founder', startup, n);
    const at = loadedAt(startup);
    yield [idOf('startup', startup), person, title, sinceOf(random), 'directory', at, at];
  }
}

export function* staffRows(size: CorpusSize): Generator<readonly Cell[]> {
  for (const [, fund = 0, n = 0] of staff(size)) {
    const random = new Random(size.seed, 'post', fund, n);
    const title = random.skewedPick(FUND_TITLES);
    const person = idOf('staff', fund, n);
    const at = loadedAt(fund);
    yield [idOf('fund', fund), person, title, sinceOf(random), 'directory', at, at];
  }
}

const loadedAt = (first = 0): string => importedAt(LOADED, LOADED_HOUR, first);

const sinceOf = (random: Random): string | null =>
  random.maybe(0.5, dayText(dayNumber('2008-01-01') + random.below(6_500)));

/** News: few companies have much of it, and one item in eight is of a fund too. */
export function* newsRows(size: CorpusSize): Generator<readonly Cell[]> {
  const count = Math.round(size.startups * NEWS_PER_STARTUP);
  for (let n = 0; n < count; n += 1) {
    const random = new Random(size.seed, 'news', n);
    const startup = Math.floor(random.unit() ** 3 * size.startups);
    const name = startupName(size.seed, startup);
    const day = dayNumber(LAST_NEWS_DAY) - Math.floor(random.unit() ** 2 * 4_000);
    const at = importedAt(Math.max(day, dayNumber('2025-12-02')), 8, n);
    yield [
      idOf('news', n),
      random.pick([`${name} raises a new round`, `${name} opens an office`, `How ${name} grows`]),
      `https://news.example/${n.toString(36)}`,
      PUBLISHERS[rank(random, PUBLISHERS.length)] ?? null,
      random.chance(0.03) ? null : dayText(day),
      random.chance(0.9) ? idOf('startup', startup) : null,
      random.chance(0.125) ? idOf('fund', rank(random, fundsOf(size), 0.7)) : null,
      'newswire',
      at,
      at,
    ];
  }
}

const LAST_NEWS_DAY = '2026-10-31';
