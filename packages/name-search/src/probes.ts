import { editDistance } from '@vcds/odata-query';
import { hostsOfNetwork, type WebsiteForms } from '@vcds/venture-model';
import { wordSimilarity } from './align-words.ts';
import type { NameForms } from './name-forms.ts';
import { LEGAL_FORMS } from './name-forms.ts';
import type { WordWeights } from './word-weights.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
const PLAIN_LETTERS = /^[a-z0-9]*$/;
// A longer name or word shares enough trigrams with its misspellings.
const TYPO_LENGTH_MAX = 24;
const WORD_TYPO_LENGTH_MAX = 16;
/** The most words of a query that are processed. */
const WORDS_MAX = 8;
/** The most words of a query that names are looked up by. */
const LOOKUP_WORDS = 2;
/** With fewer letters, only a legal form of three or more is looked for at the end. */
const SHORT_LEGAL_END_LENGTH_MIN = 12;
/** The most other words of a query that are looked up with their typos. */
const OTHERS_MAX = 3;

/** The compact forms of records whose name differs from the query by one word. */
export function compactProbes(query: NameForms): string[] {
  const probes = new Set([query.compact, query.whole, ...withoutLegalEnd(query.compact)]);
  const words = query.words.slice(0, WORDS_MAX);
  for (let i = 0; i < words.length; i += 1) {
    if (words.length > 1) probes.add(words.toSpliced(i, 1).join(''));
    for (let j = i + 1; j < words.length; j += 1) {
      const swapped = [...words];
      [swapped[i], swapped[j]] = [words[j] ?? '', words[i] ?? ''];
      probes.add(swapped.join(''));
    }
  }
  if (/[&+]/u.test(query.folded)) probes.add(coreWords(query).join('and'));
  probes.delete('');
  return [...probes];
}

/** Words to look up names by. */
export interface LookupWords {
  /** Words that few names have. */
  readonly rare: readonly string[];
  readonly general: readonly string[];
  /** Whether one of the general words is frequent: the list of names with them is long. */
  readonly hasFrequent: boolean;
}

/** The most discriminative words of a query, at most two. */
export function lookupWords(query: NameForms, weights: WordWeights): LookupWords {
  const rows = [...new Set(coreWords(query))].map((word) => ({
    word,
    weight: weights.despiteTypo(word),
  }));
  rows.sort((a, b) => b.weight - a.weight || b.word.length - a.word.length);
  const words = rows
    .filter(({ weight }) => weight * 2 > (rows[0]?.weight ?? 0))
    .slice(0, LOOKUP_WORDS)
    .map(({ word }) => word);
  return byFrequency(words, weights);
}

/** The words of a query if general words are all that it has, at least two; else none. */
export function generalPhrase(query: NameForms, weights: WordWeights): readonly string[] {
  const words = [...new Set(coreWords(query))];
  return words.length > 1 && words.every((word) => weights.isGeneral(word)) ? words : [];
}

function coreWords({ words, coreCount }: NameForms): readonly string[] {
  return words.slice(0, Math.min(coreCount, WORDS_MAX));
}

/** The other words of a query, each with the words at one typo from it: those of three at most. */
export function spellingsOfOthers(query: NameForms, words: readonly string[]): readonly string[] {
  const others = coreWords(query).filter((word) => !words.includes(word) && isMistypable(word));
  return others.slice(0, OTHERS_MAX).flatMap(spellingsOf);
}

/** The words at one typo from the given ones, without these. */
export function typosOfWords(words: readonly string[], weights: WordWeights): LookupWords {
  const typos = words.filter(isMistypable).flatMap(typosOf);
  return byFrequency(
    typos.filter((typo) => !words.includes(typo)),
    weights,
  );
}

/**
 * Two lists if the words are two: each has a word and the words at one typo from it. Null if not all
 * typos of both can be listed.
 */
export function spellingsOfBoth(
  words: readonly string[],
): readonly [readonly string[], readonly string[]] | null {
  const [first, second, ...others] = words;
  if (first === undefined || second === undefined || others.length > 0) return null;
  if (!words.every((word) => isMistypable(word) && PLAIN_LETTERS.test(word))) return null;
  return [spellingsOf(first), spellingsOf(second)];
}

/**
 * Those of the words of names that a word of the query can mean, without the words themselves and
 * those at one typo from them. In the words of the database, a trade mark is two letters.
 */
export function likelyWords(
  query: NameForms,
  words: readonly string[],
  ofNames: readonly string[],
  weights: WordWeights,
): LookupWords {
  const last = query.words.at(-1);
  const lookedUp = new Set([...words, ...typosOfWords(words, weights).rare]);
  return byFrequency(
    ofNames.filter(
      (name) =>
        !lookedUp.has(name) &&
        words.some(
          (word) =>
            wordSimilarity(word, name, word === last) > 0 ||
            (name.endsWith('tm') && editDistance(word, name.slice(0, -2), 1) <= 1),
        ),
    ),
    weights,
  );
}

const isMistypable = ({ length }: string): boolean => length >= 2 && length <= WORD_TYPO_LENGTH_MAX;

function byFrequency(words: readonly string[], weights: WordWeights): LookupWords {
  const rare: string[] = [];
  const general: string[] = [];
  for (const word of words) (weights.isGeneral(word) ? general : rare).push(word);
  return { rare, general, hasFrequent: general.some((word) => weights.isFrequent(word)) };
}

// Many words end in the letters of a short form: 'macro', 'visa'.
function withoutLegalEnd(compact: string): string[] {
  const lengthMin = compact.length >= SHORT_LEGAL_END_LENGTH_MIN ? 2 : 3;
  return [...LEGAL_FORMS]
    .filter((form) => form.length >= lengthMin && compact.endsWith(form) && compact !== form)
    .map((form) => compact.slice(0, -form.length));
}

const spellingsOf = (word: string): readonly string[] => [word, ...typosOf(word)];

/**
 * The texts at one typo from a compact form or a word: a letter missing, added or wrong, or two
 * neighbours swapped. Each once, without the text itself.
 */
export function typosOf(compact: string): string[] {
  const typos: string[] = [];
  if (compact.length < 2 || compact.length > TYPO_LENGTH_MAX) return typos;
  const letters = PLAIN_LETTERS.test(compact) ? ALPHABET : '';
  for (let i = 0; i <= compact.length; i += 1) {
    const before = compact.slice(0, i);
    const own = compact.charAt(i);
    const next = compact.charAt(i + 1);
    const after = compact.slice(i + 1);
    // Of two equal neighbours, only the second is left out, and a letter is added only after its equals.
    if (own !== next) typos.push(before + after);
    if (own !== next && next !== '') typos.push(before + next + own + compact.slice(i + 2));
    for (const letter of letters) {
      if (letter === own) continue;
      if (own !== '') typos.push(before + letter + after);
      typos.push(before + letter + own + after);
    }
  }
  return typos;
}

/** The host, those of its network, and every host above it, down to the registered domain. */
export function hostProbes(site: WebsiteForms): string[] {
  const hosts: string[] = [...hostsOfNetwork(site.host)];
  if (site.registrable === null || site.registrable === site.host) return hosts;
  let host = site.host;
  while (host !== site.registrable && host.includes('.')) {
    host = host.slice(host.indexOf('.') + 1);
    hosts.push(host);
  }
  return hosts;
}
