import { editDistance } from '@vcds/odata-query';
import { prefixLength, splitLastWord } from './name-changes.ts';
import { Rivals } from './rivals.ts';

/** Changes that keep the letters of a name without its legal form. */
const SAME_LETTERS: ReadonlySet<string> = new Set([
  ...['case', 'accents', 'punctuation', 'spaces removed', 'word split', 'legal form added'],
]);

/** The best possible results for one query. */
export interface Ceiling {
  /** The probability that a guess of the record is right, given the kind of change. */
  readonly first: number;
  /** The same among ten guesses. */
  readonly amongTen: number;
  /** Whether the query can come from one name only. */
  readonly answerable: boolean;
  /** Whether, in addition, no other name fits at least as well by a change of another kind. */
  readonly clear: boolean;
}

/**
 * Counts the names of a set that a kind of change can turn into a query. 'Ventures' with a word
 * dropped can be any of 1,500 funds: the query does not identify one.
 */
export class Ceilings {
  readonly #rivals: Rivals;
  readonly #names: ReadonlySet<string>;
  readonly #beginnings: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #withoutLast: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #shortened: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #namesByLength: ReadonlyMap<number, readonly string[]>;
  readonly #shortenedByLength: ReadonlyMap<number, readonly string[]>;

  constructor(names: readonly string[]) {
    this.#rivals = new Rivals(names);
    this.#names = new Set(names.map(plain));
    const all = [...this.#names];
    this.#beginnings = grouped(all, (name) => [name.slice(0, prefixLength(name)).trimEnd()]);
    this.#withoutLast = grouped(all, (name) => [splitLastWord(name)[0]]);
    this.#shortened = grouped(all, withoutOneWord);
    this.#namesByLength = byLength(all);
    this.#shortenedByLength = byLength([...this.#shortened.keys()]);
  }

  /** The ceiling of a query made of a name by a change. */
  of(change: string, query: string, name: string): Ceiling {
    const asked = plain(query);
    const meant = plain(name);
    const could = new Set([meant, ...this.#sources(change, asked)]);
    const another = asked !== meant && this.#names.has(asked);
    if (another) could.delete(asked);
    const answerable = !another && could.size === 1;
    return {
      first: another ? 0 : 1 / could.size,
      amongTen: Math.min(1, (another ? 9 : 10) / could.size),
      answerable,
      clear: answerable && !this.#rivals.has(query, name, SAME_LETTERS.has(change) ? 0 : 1),
    };
  }

  #sources(change: string, asked: string): Iterable<string> {
    if (change === '60 % prefix') return this.#beginnings.get(asked) ?? [];
    if (change === 'last word dropped') return this.#withoutLast.get(asked) ?? [];
    if (change === 'another last word') {
      return this.#withoutLast.get(splitLastWord(asked)[0]) ?? [];
    }
    if (change === 'word dropped') return this.#shortened.get(asked) ?? [];
    if (change === 'word added') return withoutOneWord(asked).filter((one) => this.#names.has(one));
    if (change.startsWith('typo')) return oneEditFrom(asked, this.#namesByLength);
    if (change !== 'word dropped and typo') return [];
    return oneEditFrom(asked, this.#shortenedByLength).flatMap((shortened) => [
      ...(this.#shortened.get(shortened) ?? []),
    ]);
  }
}

function plain(name: string): string {
  return name.toLowerCase().trim();
}

function withoutOneWord(name: string): string[] {
  const words = name.split(/\s+/u);
  return words.length < 2 ? [] : words.map((_, index) => words.toSpliced(index, 1).join(' '));
}

function oneEditFrom(asked: string, names: ReadonlyMap<number, readonly string[]>): string[] {
  return [-1, 0, 1].flatMap((longer) =>
    (names.get(asked.length + longer) ?? []).filter((name) => editDistance(asked, name, 1) === 1),
  );
}

function grouped(
  names: readonly string[],
  keysOf: (name: string) => readonly string[],
): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const name of names) {
    for (const key of keysOf(name)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, new Set([name]));
      else group.add(name);
    }
  }
  return groups;
}

function byLength(names: readonly string[]): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const name of names) {
    const group = groups.get(name.length);
    if (group === undefined) groups.set(name.length, [name]);
    else group.push(name);
  }
  return groups;
}
