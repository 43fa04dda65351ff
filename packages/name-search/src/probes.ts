import type { WebsiteForms } from '@vcds/venture-model';
import type { NameForms } from './name-forms.ts';
import { LEGAL_FORMS } from './name-forms.ts';
import { isGeneral, weightDespiteTypo } from './word-weights.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
// A longer name or word shares enough trigrams with its misspellings.
const TYPO_LENGTH_MAX = 24;
const WORD_TYPO_LENGTH_MAX = 16;
/** The most words of a query that are processed. */
const WORDS_MAX = 8;
/** The most words of a query that names are looked up by. */
const LOOKUP_WORDS = 2;

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
  probes.delete('');
  return [...probes];
}

/** The most discriminative words of the query, in descending order of weight. */
export function discriminativeWords(query: NameForms): string[] {
  const rows = query.words.slice(0, Math.min(query.coreCount, WORDS_MAX)).map((word) => {
    return { word, weight: weightDespiteTypo(word) };
  });
  rows.sort((a, b) => b.weight - a.weight || b.word.length - a.word.length);
  return rows
    .filter(({ weight }) => weight * 2 > (rows[0]?.weight ?? 0))
    .slice(0, LOOKUP_WORDS)
    .map(({ word }) => word);
}

/** The words at one typo from the given ones: rare in names, and general. */
export function typosOfWords(words: readonly string[]): { rare: string[]; general: string[] } {
  const typos = new Set(
    words
      .filter(({ length }) => length <= WORD_TYPO_LENGTH_MAX)
      .flatMap((word) => [...typosOf(word)]),
  );
  return {
    rare: [...typos].filter((word) => !isGeneral(word)),
    general: [...typos].filter(isGeneral),
  };
}

function withoutLegalEnd(compact: string): string[] {
  return [...LEGAL_FORMS]
    .filter((form) => form.length > 2 && compact.endsWith(form) && compact !== form)
    .map((form) => compact.slice(0, -form.length));
}

/** Every text at one typo from a compact form or a word, with duplicates. */
export function* typosOf(compact: string): Generator<string> {
  if (compact.length < 2 || compact.length > TYPO_LENGTH_MAX) return;
  const letters = /^[a-z0-9]*$/u.test(compact) ? ALPHABET : '';
  for (let i = 0; i <= compact.length; i += 1) {
    const before = compact.slice(0, i);
    const after = compact.slice(i + 1);
    yield before + after;
    if (i + 1 < compact.length) {
      yield before + compact.charAt(i + 1) + compact.charAt(i) + compact.slice(i + 2);
    }
    for (const letter of letters) {
      yield before + letter + after;
      yield before + letter + compact.slice(i);
    }
  }
}

/** The host and every host above it, down to the registered domain. */
export function hostProbes(site: WebsiteForms): string[] {
  const hosts = [site.host];
  if (site.registrable === null || site.registrable === site.host) return hosts;
  let host = site.host;
  while (host !== site.registrable && host.includes('.')) {
    host = host.slice(host.indexOf('.') + 1);
    hosts.push(host);
  }
  return hosts;
}
