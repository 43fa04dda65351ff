/** Encodes the value of each kind of field as the cells of its staging columns. */

import {
  identifierOf,
  readDay,
  readIdentifier,
  readInstant,
  siteIdentifier,
  stageOfSeries,
} from '@vcds/venture-model';
import { LineError, type NoteTaker } from '../errors/line-error.ts';
import { quote } from '../errors/quote.ts';
import { cleanAddress } from '../normalise/address.ts';
import { closedValue } from '../normalise/closed-lookup.ts';
import { cleanSite } from '../normalise/site.ts';
import { cleanCountry, cleanSpelling, cleanText, SPELLING_MAX } from '../normalise/text.ts';
import type { Address, FieldRow, Identifier, Kind, TermKind } from '../records/kinds.ts';
import type { ValidLine } from '../schema/line-validator.ts';
import { jsonCell, NULL_CELL, numbersCell, textCell, textsCell } from './cells.ts';
import { stagedSpelling } from './layout.ts';

/** Data of a line that its fields share while they are encoded. */
export interface Encoding {
  readonly note: NoteTaker;
  /** The only country of the line's Countries; empty if there are none or several. */
  readonly country: string;
  /** Spellings of tags and places, as they are staged. */
  readonly spellings: string[];
}

/** The cells of one field's staging columns; an unknown value is null. */
export type EncodePart = (
  value: unknown,
  row: FieldRow,
  field: string,
  encoding: Encoding,
) => string;

const two = (first: string, second: string) => `${first}\t${second}`;

/** Kinds whose cells depend on the value of the field alone. */
export const encoders: Readonly<Partial<Record<Kind, EncodePart>>> = {
  text: (value, row, field, { note }) =>
    textCell(typeof value === 'string' ? cleanRequired(value, row, field, note) : null),
  series: (value, row, field, { note }) => {
    const series = typeof value === 'string' ? cleanRequired(value, row, field, note) : null;
    const stage = series === null ? undefined : stageOfSeries(series);
    return two(textCell(series), stage === undefined ? NULL_CELL : String(stage));
  },
  url: (value, _row, field, { note }) =>
    textCell(typeof value === 'string' ? (cleanSite(value, field, note)?.url ?? null) : null),
  site: (value, _row, field, { note }) => {
    const site = typeof value === 'string' ? cleanSite(value, field, note) : null;
    return site === null ? two(NULL_CELL, NULL_CELL) : two(textCell(site.url), site.domain);
  },
  year: plainCell,
  count: plainCell,
  date: (value) => (typeof value === 'string' ? (readDay(value) ?? NULL_CELL) : NULL_CELL),
  instant: (value) => (typeof value === 'string' ? (readInstant(value) ?? NULL_CELL) : NULL_CELL),
  boolean: (value, row) => {
    const flag = value ?? row.absent;
    return typeof flag === 'boolean' ? (flag ? 't' : 'f') : NULL_CELL;
  },
  closed: (value, row) => {
    const stored = closedValue(row.closed ?? [], value ?? row.absent);
    return stored === undefined ? NULL_CELL : String(stored);
  },
  closedList: (value, row) => {
    const values = Array.isArray(value) ? value : [];
    const stored = values.flatMap((one) => closedValue(row.closed ?? [], one) ?? []);
    const numbers = stored.filter((one) => typeof one === 'number');
    if (typeof row.closed?.[0]?.value === 'number') {
      return numbersCell([...new Set(numbers)].sort((a, b) => a - b));
    }
    return textsCell([...new Set(stored.map(String))].sort());
  },
  place: (value, row, field, encoding) => {
    if (typeof value !== 'string') return NULL_CELL;
    const spelling = cleanSpelling(value, field, encoding.note);
    assertLength(spelling, SPELLING_MAX, field);
    if (spelling !== null) keep(spelling, row.term, encoding, encoding.country);
    return textCell(spelling);
  },
  terms: termsCell,
  places: termsCell,
};

/** The short form of one address. */
const SHORTHAND = ['City', 'Region', 'Country'] as const;

/**
 * An array of non-empty addresses, and whether it contains only the City, Region and Country that a
 * patch changes in the first address (null clears one).
 * @throws LineError if the line has the short form and a list of addresses.
 */
export function addressesCells(
  { fields, op }: ValidLine,
  field: string,
  encoding: Encoding,
): string {
  const isGiven = (name: string) =>
    op === 'patch' ? fields[name] !== undefined : (fields[name] ?? null) !== null;
  const parts = SHORTHAND.filter(isGiven);
  const listed = isGiven(field);
  if (listed && parts[0] !== undefined) {
    throw new LineError(parts[0], `${parts[0]} cannot be combined with ${field}`);
  }
  const given = Array.isArray(fields[field])
    ? (fields[field] as readonly Address[])
    : [Object.fromEntries(parts.map((part) => [part, fields[part] as string | null]))];
  const kept: Address[] = [];
  for (const address of given) {
    const clean = cleanAddress(address, field, encoding.note);
    if (clean === null) continue;
    kept.push(clean);
    const { City, Region, Country } = clean;
    if (City) keep(City, 'city', encoding, Country ?? '');
    if (Region) keep(Region, 'region', encoding, Country ?? '');
    if (Country) keep(Country, 'country', encoding);
  }
  if (op !== 'patch' || parts.length === 0) return two(jsonCell(kept), 'f');
  return two(
    jsonCell([Object.fromEntries(parts.map((part) => [part, kept[0]?.[part] ?? null]))]),
    't',
  );
}

/**
 * The identifiers of a line, and the one that its site gives.
 * @throws LineError for a value that cannot be one of its scheme.
 */
export function identifiersCell(value: unknown, site: unknown, field: string): string {
  const given = Array.isArray(value) ? (value as readonly Identifier[]) : [];
  const page = typeof site === 'string' ? cleanSite(site, field, () => undefined) : null;
  const ofSite = page === null ? undefined : siteIdentifier(page.url);
  const kept = new Set(ofSite === undefined ? [] : [ofSite]);
  for (const [index, one] of given.entries()) {
    const text = typeof one === 'string' ? one : one.Value;
    if (text.trim() === '') continue;
    const read = typeof one === 'string' ? readIdentifier(one) : identifierOf(one.Scheme, text);
    if (read.identifier === undefined) {
      throw new LineError(field, `${field}[${index}] ${quote(text)} ${read.fault}`);
    }
    kept.add(read.identifier);
  }
  return textsCell([...kept]);
}

/** Whether the line has a field of addresses. */
export function givesAddresses(line: Readonly<Record<string, unknown>>, field: string): boolean {
  return [field, ...SHORTHAND].some((name) => line[name] !== undefined);
}

function plainCell(value: unknown): string {
  return typeof value === 'number' ? String(value) : NULL_CELL;
}

function termsCell(value: unknown, row: FieldRow, field: string, encoding: Encoding): string {
  if (!Array.isArray(value) || value.length === 0) return '{}';
  const kept: string[] = [];
  for (const [index, one] of value.entries()) {
    const clean = row.term === 'country' ? cleanCountry : cleanSpelling;
    const spelling = clean(String(one), field, encoding.note);
    assertLength(spelling, SPELLING_MAX, `${field}[${index}]`, field);
    if (spelling === null || kept.includes(spelling)) continue;
    kept.push(spelling);
    keep(spelling, row.term, encoding);
  }
  return textsCell(kept);
}

function keep(
  spelling: string,
  term: TermKind | undefined,
  { spellings }: Encoding,
  country = '',
): void {
  if (term !== undefined) spellings.push(stagedSpelling(term, country, spelling));
}

function cleanRequired(
  value: string,
  row: FieldRow,
  field: string,
  note: NoteTaker,
): string | null {
  const text = cleanText(value, field, note);
  if (text === null && row.required === true) throw new LineError(field, `${field} is empty`);
  assertLength(text, row.max, field);
  return text;
}

/** The schema limits the text of the line, and NFC makes some texts longer. */
function assertLength(
  text: string | null,
  max: number | undefined,
  where: string,
  field: string = where,
): void {
  if (text === null || max === undefined || text.length <= max) return;
  if ([...text].length <= max) return;
  throw new LineError(field, `${where} must have at most ${max} characters in NFC`);
}
