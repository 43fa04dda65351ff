/** Keeps answers within what an assistant can read, without leaving out a record. */
import { cutText } from './cut-text.ts';

export interface Fitted {
  readonly value: Record<string, unknown>;
  /** Whether texts are shorter or lists have fewer elements than in the response. */
  readonly isCut: boolean;
}

/** The lengths of texts that are tried before lists lose elements. */
const TEXT_LENGTHS = [300, 120, 60] as const;
/** The length of a text in the shortest form of an answer. */
export const LEAST_TEXT_LENGTH = 24;
const COUNT = '@count';
/** An escaped character takes up to six in JSON. */
const ESCAPED_LENGTH = 6;

/** The bounds of a copy. */
interface Bounds {
  readonly textLength: number;
  /** The most elements of a list. */
  readonly elements: number;
}

/**
 * The value within `charactersMax` characters of JSON, if its shortest form is: texts of
 * {@link LEAST_TEXT_LENGTH} characters, lists of one element. Shortens texts first, then all lists
 * alike; a list that has lost elements has their number beside it, as `Funds@count`.
 *
 * @param records the member whose elements all stay, because they are paid for.
 */
export function fit(
  value: Record<string, unknown>,
  charactersMax: number,
  records?: string,
): Fitted {
  if (sizeOf(value) <= charactersMax) return { value, isCut: false };
  const copy = (bounds: Bounds) => copyOf(value, bounds, records) as Record<string, unknown>;
  const fits = (bounds: Bounds) => sizeOf(copy(bounds)) <= charactersMax;
  const shortened = TEXT_LENGTHS.find((textLength) => fits({ textLength, elements: Infinity }));
  if (shortened !== undefined) {
    return { value: copy({ textLength: shortened, elements: Infinity }), isCut: true };
  }
  const longest = longestList(value);
  for (const textLength of [...TEXT_LENGTHS.slice(1), LEAST_TEXT_LENGTH]) {
    const elements = mostThat(longest, (most) => fits({ textLength, elements: most }));
    if (elements > 0) return { value: copy({ textLength, elements }), isCut: true };
  }
  return { value: copy({ textLength: LEAST_TEXT_LENGTH, elements: 1 }), isCut: true };
}

/** The most groups that a tool asks for. */
const GROUPS_MAX = 200;

/** The answer with as many groups as fit, at least one. */
export function mostGroups(
  firstOf: (most: number) => Record<string, unknown>,
  charactersMax: number,
): Record<string, unknown> {
  const fits = (most: number) => sizeOf(firstOf(most)) <= charactersMax;
  // All of them need no words about how to go on.
  const most = fits(GROUPS_MAX) ? GROUPS_MAX : mostThat(GROUPS_MAX, fits);
  return firstOf(Math.max(1, most));
}

/** The length of a value as JSON. */
export function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** The greatest number from 1 to `most` that fits; 0 if none does. A smaller one fits, too. */
function mostThat(most: number, fits: (number: number) => boolean): number {
  let known = 0;
  let beyond = most + 1;
  while (beyond - known > 1) {
    const middle = Math.floor((known + beyond) / 2);
    if (fits(middle)) known = middle;
    else beyond = middle;
  }
  return known;
}

function copyOf(value: unknown, bounds: Bounds, whole?: string): unknown {
  if (typeof value === 'string') return shortText(value, bounds.textLength);
  if (Array.isArray(value)) {
    return value.slice(0, bounds.elements).map((element) => copyOf(element, bounds));
  }
  if (typeof value !== 'object' || value === null) return value;
  const copied: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    if (name === whole && Array.isArray(member)) {
      copied[name] = member.map((element) => copyOf(element, bounds));
      continue;
    }
    copied[name] = copyOf(member, bounds);
    const isCut = Array.isArray(member) && member.length > bounds.elements;
    if (isCut && !(name + COUNT in value)) copied[name + COUNT] = member.length;
  }
  return copied;
}

function shortText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax && sizeOf(text) <= lengthMax + '""'.length) return text;
  const short = `${cutText(text, lengthMax - 1)}…`;
  if (sizeOf(short) <= lengthMax + '""'.length) return short;
  return `${cutText(text, Math.floor(lengthMax / ESCAPED_LENGTH) - 1)}…`;
}

function longestList(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? value.length : 0;
  return Object.values(value).reduce<number>(
    (most, member) => Math.max(most, longestList(member)),
    own,
  );
}
