import { Random } from '@vcds/demo-data/random';
import { FUND_TYPES, GROUPS, STREETS } from '@vcds/demo-data/words';
import { type Cell, Json } from './copy-rows.ts';
import { type GeneratedDictionary, rank } from './dictionary.ts';
import {
  type CorpusSize,
  dayNumber,
  dayText,
  drawAddress,
  FOLLOWED_FROM,
  fundsOf,
  fundWords,
  idOf,
  labelOf,
  startupWords,
} from './vocabulary.ts';

export const STARTUP_COLUMNS =
  'id, name, website, domain, description, founded, total_raised_reported, tags, addresses, ' +
  'members_count, next_funding_stage_stated, primary_source, operating_status_stated, ' +
  'operating_status_inferred, operating_status_source, source, source_key, occurred_at, ' +
  'created_at, updated_at';
export const FUND_COLUMNS =
  'id, name, website, domain, description, founded, tags, addresses, members_count, ' +
  'investment_stages, investment_types, groups, operating_status_inferred, source, source_key, ' +
  'occurred_at, created_at, updated_at';

const LAST_YEAR = 2026;
const YEARS = 76;
/** Upper bounds of headcounts, by the frequency of their buckets. */
const MEMBERS = [10, 50, 10, 50, 100, 250, 500, 1_000, 5_000, 10_000, 60_000];
const MEMBERS_MIN: Readonly<Record<number, number>> = { 10: 1, 50: 11, 100: 51, 250: 101 };
const PRIMARY_SOURCES = ['Organic', 'FundWebsite', 'Media'];
const SOURCES = ['directory', 'registry', 'newswire', 'portfolio pages'];
const VERBS = ['builds', 'offers', 'develops', 'sells', 'operates', 'designs'];
const BUYERS = ['hospitals', 'banks', 'manufacturers', 'farms', 'retailers', 'schools', 'cities'];
const GOODS = ['a platform', 'software', 'an interface', 'devices', 'a marketplace', 'tools'];

/** The year of foundation; null of one in twelve. Recent years are more frequent. */
export function foundedOf(seed: number, index: number): number | null {
  const random = new Random(seed, 'founded', index);
  const year = LAST_YEAR - rank(random, YEARS, 0.6);
  return random.chance(0.08) ? null : year;
}

export const startupName = (seed: number, index: number): string =>
  startupWords(new Random(seed, 'startup name', index));

/** The address and the times of a record. */
function recordOf(random: Random, index: number, founded: number | null) {
  const first = dayNumber(`${founded ?? 2015}-01-01`);
  const occurred = Math.max(first + random.below(365), dayNumber('2005-01-01'));
  const isFollowed = random.chance(0.08);
  const day = isFollowed ? dayNumber(FOLLOWED_FROM) + random.below(300) : occurred;
  // The first import took hours; the records of one transaction have one time.
  const transaction = Math.floor(index / 500) % 80_000;
  const loaded = new Date(Date.parse('2025-12-01T00:00:00Z') + transaction * 1_037).toISOString();
  const created = isFollowed
    ? `${dayText(day)}T06:${String(index % 60).padStart(2, '0')}:00.${String((index * 7_919) % 1_000).padStart(3, '0')}Z`
    : loaded;
  return { occurred: random.chance(0.9) ? `${dayText(day)}T00:00:00Z` : null, created };
}

function tagsOf(random: Random, { industry }: GeneratedDictionary, most: number): string[] {
  const tags = new Set<string>();
  const count = 1 + random.below(most);
  for (let n = 0; n < count; n += 1) tags.add(industry[rank(random, industry.length)]?.value ?? '');
  return [...tags];
}

function membersOf(random: Random): number | null {
  if (random.chance(0.25)) return null;
  const most = MEMBERS[rank(random, MEMBERS.length, 1.2)] ?? 10;
  return random.between(MEMBERS_MIN[most] ?? Math.floor(most / 2) + 1, most);
}

export function* startupRows(
  size: CorpusSize,
  dictionary: GeneratedDictionary,
): Generator<readonly Cell[]> {
  const { seed } = size;
  for (let index = 0; index < size.startups; index += 1) {
    const random = new Random(seed, 'startup', index);
    const name = startupName(seed, index);
    const founded = foundedOf(seed, index);
    const tags = tagsOf(random, dictionary, 5);
    const addresses = random.chance(0.03) ? [] : [drawAddress(random, dictionary, size)];
    if (random.chance(0.06)) addresses.push(drawAddress(random, dictionary, size));
    const host = random.chance(0.88) ? `${labelOf(name)}${index.toString(36)}.example` : null;
    const isStated = random.chance(0.04);
    const { occurred, created } = recordOf(random, index, founded);
    yield [
      idOf('startup', index),
      name,
      host && `https://${host}/`,
      host,
      `${name} ${random.pick(VERBS)} ${random.pick(GOODS)} for ${random.pick(BUYERS)}. ` +
        `It works on ${tags.join(', ')} from ${random.pick(STREETS)}.`,
      founded,
      random.chance(0.15) ? 10_000 * Math.round(5 ** (1 + random.unit() * 5)) : null,
      tags,
      new Json(addresses),
      membersOf(random),
      random.chance(0.04) ? 1 + rank(random, 12) : null,
      PRIMARY_SOURCES[rank(random, PRIMARY_SOURCES.length)] ?? null,
      isStated ? random.pick(['Active', 'Closed', 'ProbablyClosed']) : null,
      random.chance(0.1) ? null : random.chance(0.14) ? 'ProbablyClosed' : 'Active',
      isStated ? 'editor' : 'inferred',
      SOURCES[rank(random, SOURCES.length)] ?? null,
      String(index),
      occurred,
      created,
      created,
    ];
  }
}

export function* fundRows(
  size: CorpusSize,
  dictionary: GeneratedDictionary,
): Generator<readonly Cell[]> {
  const { seed } = size;
  for (let index = 0; index < fundsOf(size); index += 1) {
    const random = new Random(seed, 'fund', index);
    const type = FUND_TYPES[rank(random, FUND_TYPES.length)];
    const name = fundWords(random, type?.suffixes ?? []);
    const founded = foundedOf(seed, -1 - index);
    const tags = tagsOf(random, dictionary, 4);
    const addresses = [drawAddress(random, dictionary, size)];
    const { occurred, created } = recordOf(random, index, founded);
    const groups = random.chance(0.4) ? [GROUPS[rank(random, GROUPS.length)] ?? ''] : [];
    const host = `${labelOf(name)}${index.toString(36)}.example`;
    yield [
      idOf('fund', index),
      name,
      `https://${host}/`,
      host,
      `${name} invests in ${tags.join(', ')} from ${random.pick(STREETS)}.`,
      founded,
      tags,
      new Json(addresses),
      membersOf(random),
      random.pick(type?.mandates ?? [[]]),
      type === undefined ? [] : [type.name],
      groups.map((group) => group.replaceAll(',', '')),
      random.chance(0.1) ? null : 'Active',
      SOURCES[rank(random, SOURCES.length)] ?? null,
      String(index),
      occurred,
      created,
      created,
    ];
  }
}
