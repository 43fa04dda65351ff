/** Keeps answers within what an assistant can read. */
import { cutText } from './cut-text.ts';

/** An array that has lost its last elements. */
export interface Cut {
  /** Where it is in the answer, such as `record.Startups`. */
  readonly path: string;
  readonly shown: number;
  readonly of: number;
}

export interface Bounded {
  readonly value: Record<string, unknown>;
  readonly cuts: readonly Cut[];
  /** Whether long texts were shortened. */
  readonly shortened: boolean;
}

const TEXT_LENGTH_MAX = 300;
const LEAST_TEXT_LENGTH_MAX = 60;
/** The lengths of texts that are tried before an element is dropped, if all are to be kept. */
const TEXT_LENGTHS = [TEXT_LENGTH_MAX, 120, LEAST_TEXT_LENGTH_MAX];

/**
 * The value within `charactersMax` characters of JSON, as long as its members without arrays and
 * long texts are. Shortens texts first, because their records are paid for, then drops the last
 * elements of the longest arrays, down to one.
 *
 * @param keepsElements cuts texts as short as possible before it drops an element.
 */
export function bound(
  value: Record<string, unknown>,
  charactersMax: number,
  keepsElements = false,
): Bounded {
  if (sizeOf(value) <= charactersMax) return { value, cuts: [], shortened: false };
  const lengths = keepsElements ? TEXT_LENGTHS : [TEXT_LENGTH_MAX];
  const tried = lengths.map((lengthMax) => shortened(value, lengthMax));
  const shorter = tried.find((each) => sizeOf(each) <= charactersMax) ?? tried.at(-1) ?? value;
  const cuts: Cut[] = [];
  const done = new Set<unknown>();
  for (let excess = sizeOf(shorter) - charactersMax; excess > 0; ) {
    const longest = longestArray(shorter, done);
    if (longest === undefined) {
      return { value: shortened(shorter, LEAST_TEXT_LENGTH_MAX), cuts, shortened: true };
    }
    const { path, array } = longest;
    const of = array.length;
    while (excess > 0 && array.length > 1) excess -= sizeOf(array.pop()) + 1;
    done.add(array);
    cuts.push({ path, shown: array.length, of });
  }
  return { value: shorter, cuts, shortened: true };
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** A copy with shorter texts. */
function shortened<T>(value: T, lengthMax: number): T {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' && member.length > lengthMax
      ? `${cutText(member, lengthMax - 1)}…`
      : member,
  );
}

function longestArray(value: unknown, done: ReadonlySet<unknown>) {
  const found: { path: string; array: unknown[]; size: number }[] = [];
  const collect = (member: unknown, path: string): void => {
    if (typeof member !== 'object' || member === null) return;
    if (Array.isArray(member) && member.length > 1 && !done.has(member)) {
      found.push({ path, array: member, size: sizeOf(member) });
    }
    for (const [name, each] of Object.entries(member)) {
      collect(each, path === '' ? name : `${path}.${name}`);
    }
  };
  collect(value, '');
  return found.sort((a, b) => b.size - a.size)[0];
}
