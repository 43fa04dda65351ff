/** Startups and funds: the fields that both have. */
import type { Address, RecordType } from '@vcds/importer';
import { instantOf, yearOf } from './days.ts';
import type { CompanyName } from './names.ts';
import { Random, weighted } from './random.ts';
import { type DatasetSpec, type Kind, shown } from './spec.ts';
import { type City, drawCity } from './words/places.ts';
import { COMMON_TAGS, SECTORS, STREETS } from './words/tables.ts';

/** A startup or fund as it is before the history, or when it enters the database. */
export interface Company<K extends Kind = Kind> extends CompanyName {
  readonly spec: DatasetSpec;
  readonly kind: K;
  readonly index: number;
  readonly home: City | null;
  readonly foundedDay: number;
  readonly status: string | null;
  readonly statusSource: string | null;
  /** The headcount on record. */
  readonly members: number | null;
}

/** The source of every line of the demonstration data. */
export const DEMO_SOURCE = 'demonstration';

/** A stamp of a day; the time of day follows from `salt`, any integer. */
export const stampOf = (day: number, salt: number) =>
  ({ source: DEMO_SOURCE, occurredAt: instantOf(day, 21_600 + (salt % 57_600)) }) as const;

/** The fields of every line: its source and its market date. */
export type Stamp = ReturnType<typeof stampOf>;

/** The first fields of an upsert; `stamp` has the key too, if the record has one. */
export const upsert = <T extends RecordType, S extends Stamp>(type: T, stamp: S) =>
  ({ op: 'upsert', type, ...stamp }) as const;

export const refTo = (kind: Kind, index: number) => ({ key: `${kind}-${index}` });

/** The page of a record at the source. */
export const sourceUrl = (path: string): string => `https://demonstration.example/${path}`;

export const drawSector = weighted(SECTORS.map(({ weight }, sector) => [sector, weight]));

/** The city of a startup or fund; one in twenty has none on record. */
export function homeOf({ seed }: DatasetSpec, kind: Kind, index: number): City | null {
  const random = new Random(seed, kind, 'home', index);
  return random.chance(0.05) ? null : drawCity(random);
}

/** Distinct tags of a sector, the first ones most often, and sometimes a common one. */
export function drawTags(random: Random, sector: number, count: number): string[] {
  const tags = SECTORS[sector]?.tags ?? [];
  const drawn = Array.from({ length: count }, () => random.skewedPick(tags));
  return [...new Set([...drawn, ...(random.chance(0.3) ? [random.pick(COMMON_TAGS)] : [])])];
}

/** A status: one that the record shows, else a drawn one of `Status source` rows. */
export function statusOf(kind: Kind, index: number, drawn: string) {
  const value = shown(kind, 'status', index);
  const [status = null, statusSource = null] = drawn === '' ? [] : drawn.split(' ');
  return value === null ? { status, statusSource } : { status: value.name, statusSource: 'editor' };
}

/** The profile of a company; each field is unknown for some. */
export function profileLine<K extends Kind>(
  { kind, index, name, label, home, ...company }: Company<K>,
  random: Random,
  stamp: Stamp,
  tags: readonly string[],
  describe: (founded: number | null) => string,
) {
  const founded = random.maybe(0.95, yearOf(company.foundedDay));
  const site = random.pick([`https://www.${label}.example`, `https://${label}.example/`]);
  return {
    ...upsert(kind, { ...stamp, ...refTo(kind, index) }),
    Name: name,
    Website: random.maybe(0.95, site),
    Identifiers: identifiersOf(label, index),
    LogoUrl: random.maybe(0.7, `https://${label}.example/logo.png`),
    Description: random.maybe(0.92, describe(founded)),
    Founded: founded,
    Tags: tags,
    ...drawPlaces(random, home, kind === 'fund' ? 0.18 : 0.08),
    MembersCount: company.members,
    OperatingStatus: company.status,
    OperatingStatusSource: company.statusSource,
    SourceUrl: sourceUrl(`${kind}s/${index}`),
  };
}

/** Profiles that a company has; drawn by its number, so that everything else stays the same. */
function identifiersOf(label: string, index: number): readonly string[] {
  return [
    ...(index % 2 === 0 ? [`linkedin:${label}`] : []),
    ...(index % 3 === 0 ? [`crunchbase:${label}`] : []),
    ...(index % 5 === 0 && label.length <= 15 ? [`x:${label.replaceAll('-', '_')}`] : []),
  ];
}

/** The home and other offices; an address without a street may be given in the short form. */
function drawPlaces(random: Random, home: City | null, officeChance: number) {
  if (home === null) return { Addresses: [] };
  const first = addressOf(random, home);
  if (first.Street === undefined && random.chance(0.3)) return first;
  const addresses = [first];
  while (addresses.length < 4 && random.chance(officeChance)) {
    addresses.push(addressOf(random, drawCity(random)));
  }
  return { Addresses: addresses };
}

/** An address; some consist of a country, or of a region and country. */
function addressOf(random: Random, { name, region, country }: City): Address {
  const parts = random.chance(0.96) ? 3 : random.between(1, 2);
  const isFull = parts === 3 && random.chance(0.35);
  return {
    ...(isFull && { Street: `${random.between(1, 180)} ${random.pick(STREETS)}` }),
    ...(isFull && random.chance(0.6) && { PostalCode: `${random.between(10_000, 99_999)}` }),
    City: parts === 3 ? name : null,
    Region: parts >= 2 ? region : null,
    Country: country.name,
  };
}

/** An address that no record has at the beginning. */
export function newAddress(random: Random): Address {
  const { name: City, region: Region, country } = drawCity(random);
  const Street = `${random.between(181, 400)} Exchange Place`;
  return { Street, City, Region, Country: country.name };
}

const BUCKET_BOUNDS = [0, 10, 50, 100, 250, 500, 1000, 5000, 10_000, 42_000];

/** A headcount in a bucket, numbered from 1. */
export const membersInBucket = (random: Random, bucket: number): number =>
  random.between((BUCKET_BOUNDS[bucket - 1] ?? 0) + 1, BUCKET_BOUNDS[bucket] ?? 1);

/** A number rounded to significant digits. */
export const rounded = (value: number, digits: number): number =>
  Math.round(Number(value.toPrecision(digits)));
