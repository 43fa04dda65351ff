import { editDistance } from '@vcds/odata-query';
import { prefixLength, splitLastWord } from './name-changes.ts';

/**
 * Counts the names of a set that a kind of change can turn into a query. 'Ventures' with a word
 * dropped can be any of 1,500 funds: the query does not identify one.
 */
export class Sources {
  readonly #names: ReadonlySet<string>;
  readonly #beginnings: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #withoutLast: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #shortened: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #namesByLength: ReadonlyMap<number, readonly string[]>;
  readonly #shortenedByLength: ReadonlyMap<number, readonly string[]>;

  constructor(names: readonly string[]) {
    this.#names = new Set(names.map(plain));
    const all = [...this.#names];
    this.#beginnings = grouped(all, (name) => [name.slice(0, prefixLength(name)).trimEnd()]);
    this.#withoutLast = grouped(all, (name) => [splitLastWord(name)[0]]);
    this.#shortened = grouped(all, withoutOneWord);
    this.#namesByLength = byLength(all);
    this.#shortenedByLength = byLength([...this.#shortened.keys()]);
  }

  /** Whether a query, made of a name by a change, can come from this name only. */
  isAnswerable(change: string, query: string, name: string): boolean {
    const asked = plain(query);
    const meant = plain(name);
    if (asked !== meant && this.#names.has(asked)) return false;
    return new Set([meant, ...this.#sources(change, asked)]).size === 1;
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
