/** What companies and funds have in common: places, sectors, tags, sites. */

import type { Address } from '@vcds/importer';
import { Random, type StreamKind, Weighted } from './random.ts';
import { type City, cities, cityWeight } from './words/cities.ts';
import { commonTags, type Sector, sectors } from './words/industries.ts';

const cityTable = new Weighted<City>(cities.map((city, rank) => [city, cityWeight(rank)]));
const sectorTable = new Weighted<number>(sectors.map(({ weight }, index) => [index, weight]));

export const drawCity = (random: Random): City => cityTable.draw(random);
export const drawSector = (random: Random): number => sectorTable.draw(random);

export function sectorAt(index: number): Sector {
  const sector = sectors[index];
  if (sector === undefined) throw new RangeError(`no sector ${index}`);
  return sector;
}

/** The home of a company or fund: one in twenty has none on record. */
export function homeOf(seed: number, kind: StreamKind, index: number): City | null {
  const random = new Random(seed, kind, index, 1);
  return random.chance(0.05) ? null : drawCity(random);
}

/** Distinct tags of a sector, those that stand first most often, and now and then a common one. */
export function drawTags(random: Random, sector: Sector, count: number): string[] {
  const tags = new Set<string>();
  for (let drawn = 0; drawn < count; drawn += 1) {
    const skewed = random.fraction() * random.fraction();
    tags.add(sector.tags[Math.floor(skewed * sector.tags.length)] ?? '');
  }
  if (random.chance(0.3)) tags.add(random.pick(commonTags));
  return [...tags];
}

const streets =
  'Copper Row|Tannery Lane|Old Mill Road|Harbour Parade|Station Yard|Weaver Street|Cooper Square|North Quay|Chandler Way|Orchard Rise|Ropewalk|Brickfield Road'.split(
    '|',
  );

/**
 * Where a record is: its home first, then offices elsewhere; nowhere without a home. A place
 * without a street may be given in the short form.
 */
export function drawPlaces(random: Random, home: City | null, officeChance: number) {
  if (home === null) return { Addresses: [] };
  const first = address(random, home);
  if (first.Street === undefined && random.chance(0.3)) return first;
  const addresses = [first];
  while (addresses.length < 4 && random.chance(officeChance)) {
    addresses.push(address(random, drawCity(random)));
  }
  return { Addresses: addresses };
}

function address(random: Random, city: City): Address {
  // A source may know the country, or country and region, and no more.
  const known = random.chance(0.96) ? 3 : random.between(1, 2);
  const full = known === 3 && random.chance(0.35);
  return {
    ...(full && { Street: `${random.between(1, 180)} ${random.pick(streets)}` }),
    ...(full && random.chance(0.6) && { PostalCode: `${random.between(10_000, 99_999)}` }),
    City: known === 3 ? city.name : null,
    Region: known >= 2 ? city.region : null,
    Country: city.country.name,
  };
}

/** The site of a label, as its owner would write it. */
export function siteOf(random: Random, label: string): string {
  return random.chance(0.5) ? `https://www.${label}.example` : `https://${label}.example/`;
}

/** A headcount within a bucket of the list of headcount buckets, numbered from 1. */
export function membersOfBucket(random: Random, bucket: number): number {
  const [low = 1, high = 10] = bucketBounds[bucket - 1] ?? [];
  return random.between(low, high);
}

const bucketBounds: readonly (readonly [number, number])[] = [
  [1, 10],
  [11, 50],
  [51, 100],
  [101, 250],
  [251, 500],
  [501, 1000],
  [1001, 5000],
  [5001, 10_000],
  [10_001, 42_000],
];

/** Rounded to so many significant digits, as people state numbers. */
export function rounded(value: number, digits: number): number {
  let unit = 1;
  while (value / unit >= 10 ** digits) unit *= 10;
  return Math.round(value / unit) * unit;
}

/** Whether a draw falls: the value, else null. */
export function sometimes<T>(random: Random, probability: number, value: T): T | null {
  return random.chance(probability) ? value : null;
}
