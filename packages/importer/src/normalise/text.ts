import { canonicalCountry } from '@vcds/venture-model';
import type { NoteTaker } from '../errors/line-error.ts';

/** Blanks, and what `trim` leaves of the ends: byte order marks and zero-width spaces. */
const INVISIBLE = /[\s\u200b\u2060\ufeff]/u;
const LONE_SURROGATES = /\p{Cs}/u;
const ALL_LONE_SURROGATES = /\p{Cs}/gu;
const BEYOND_ASCII = /\P{ASCII}/u;
/** Anything that {@link cleanSpelling} replaces. */
const UNEVEN_SPACES = /\s\s|[^\S ]/u;

/**
 * A text as it is kept: without NUL (PostgreSQL stores none) and without halves of surrogate
 * pairs, composed to NFC, trimmed. The empty text is null.
 */
export function cleanText(value: string, field: string, note: NoteTaker): string | null {
  if (!BEYOND_ASCII.test(value) && !value.includes('\0')) {
    const trimmed = value.trim();
    return trimmed === '' ? null : trimmed;
  }
  let text = value;
  if (text.includes('\0')) {
    text = text.replaceAll('\0', '');
    note({ field, kind: 'normalised', done: 'NUL characters left out' });
  }
  if (LONE_SURROGATES.test(text)) {
    text = text.replace(ALL_LONE_SURROGATES, '\ufffd');
    note({ field, kind: 'normalised', done: 'unpaired surrogates replaced' });
  }
  text = trimmed(text.normalize('NFC'), INVISIBLE);
  return text === '' ? null : text;
}

/** A text without the characters of a class (one of the basic plane) at its ends. */
export function trimmed(text: string, ends: RegExp): string {
  let start = 0;
  while (start < text.length && ends.test(text.charAt(start))) start += 1;
  return trimmedEnd(text.slice(start), ends);
}

/** A text without the characters of a class (one of the basic plane) at its end. */
export function trimmedEnd(text: string, ends: RegExp): string {
  let end = text.length;
  while (end > 0 && ends.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** The most characters of a tag or place: what every index over them takes. */
export const SPELLING_MAX = 200;

/** Names of texts, which repeat in most lines; a look-up takes up to 12 µs. */
const COUNTRIES = new Map<string, string | undefined>();
const COUNTRIES_MAX = 10_000;

function countryNamed(text: string): string | undefined {
  if (COUNTRIES.has(text)) return COUNTRIES.get(text);
  if (COUNTRIES.size === COUNTRIES_MAX) COUNTRIES.clear();
  const name = canonicalCountry(text);
  COUNTRIES.set(text, name);
  return name;
}

/** A country under its one name; what names none keeps its spelling. */
export function cleanCountry(value: string, field: string, note: NoteTaker): string | null {
  const text = cleanSpelling(value, field, note);
  const name = text === null ? undefined : countryNamed(text);
  if (text !== null && name === undefined) {
    note({ field, kind: 'unknown', done: 'names no country', was: text });
  }
  if (name === undefined || name === text) return text;
  note({ field, kind: 'respelled', done: `written as ${name}`, was: text });
  return name;
}

/** The spelling of a tag or place: as a text, with every run of spaces made one space. */
export function cleanSpelling(value: string, field: string, note: NoteTaker): string | null {
  const text = cleanText(value, field, note);
  return text === null || !UNEVEN_SPACES.test(text) ? text : text.replace(/\s+/gu, ' ');
}
