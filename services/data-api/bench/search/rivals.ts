import { nameForms } from '@vcds/name-search';
import { editDistance } from '@vcds/odata-query';
import { prefixLength } from './name-changes.ts';

/**
 * Finds names that fit a query at least as well as the one that it was made of, if the kind of change
 * is not known: 'Glide' is 'Glide Health' without a word, or 'Glider' without a letter.
 */
export class Rivals {
  /** Names by compact form, as {@link nameForms} computes it. */
  readonly #compact = new Map<string, Set<string>>();
  readonly #withoutLetter = new Map<string, Set<string>>();
  readonly #withoutWord = new Map<string, Set<string>>();
  readonly #prefixes = new Map<string, Set<string>>();

  constructor(names: readonly string[]) {
    for (const name of new Set(names)) {
      const { compact, words } = nameForms(name);
      add(this.#compact, compact, compact);
      for (const text of shortened(compact)) add(this.#withoutLetter, text, compact);
      for (const rest of withoutOneWord(words)) add(this.#withoutWord, rest, compact);
      for (let end = prefixLength(compact); end < compact.length; end += 1) {
        add(this.#prefixes, compact.slice(0, end), compact);
      }
    }
  }

  /**
   * Whether another name equals the query, ignoring signs, case and legal form, or, if `changes` is at
   * least 1, becomes it by one change: a typo, a word less or more, or the end cut off.
   *
   * @param changes that turned the name into the query.
   */
  has(query: string, name: string, changes: number): boolean {
    const meant = nameForms(name).compact;
    const { compact, words } = nameForms(query);
    const isOther = (names: Iterable<string> = []) => [...names].some((other) => other !== meant);
    if (isOther(this.#compact.get(compact))) return true;
    if (changes === 0) return false;
    return (
      isOther(this.#withoutWord.get(compact)) ||
      isOther(this.#prefixes.get(compact)) ||
      withoutOneWord(words).some((rest) => isOther(this.#compact.get(rest))) ||
      isOther(this.#oneTypoFrom(compact))
    );
  }

  *#oneTypoFrom(compact: string): Generator<string> {
    for (const text of shortened(compact)) {
      for (const name of this.#withoutLetter.get(text) ?? []) {
        if (editDistance(compact, name, 1) <= 1) yield name;
      }
    }
  }
}

// Two texts at one typo, swapped neighbours included, are equal or have an equal text in these lists.
function shortened(text: string): string[] {
  return [text, ...Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1))];
}

function withoutOneWord(words: readonly string[]): string[] {
  return words.length < 2 ? [] : words.map((_, index) => words.toSpliced(index, 1).join(''));
}

function add(groups: Map<string, Set<string>>, key: string, name: string): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, new Set([name]));
  else group.add(name);
}
