import type { WebsiteForms } from '@vcds/venture-model';
import { LEGAL_FORMS } from './legal-forms.ts';
import type { NameForms } from './name-forms.ts';
import { isGeneral, weightDespiteSlip } from './word-weights.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';
// Longer names and words share enough trigrams with a misspelling of themselves.
const SLIP_LENGTH_MAX = 24;
const WORD_SLIP_LENGTH_MAX = 16;
/** Words of a query that are looked at one by one. */
const WORDS_MAX = 8;
/** Words of a query that names are looked up by. */
const TELLING_WORDS = 2;

/** The compact forms a record may have when the query is its name but for a word. */
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

/** The most telling words of the query, most telling first. */
export function tellingWords(query: NameForms): string[] {
  const rows = query.words.slice(0, Math.min(query.coreCount, WORDS_MAX)).map((word) => {
    return { word, weight: weightDespiteSlip(word) };
  });
  rows.sort((a, b) => b.weight - a.weight || b.word.length - a.word.length);
  return rows
    .filter(({ weight }) => weight * 2 > (rows[0]?.weight ?? 0))
    .slice(0, TELLING_WORDS)
    .map(({ word }) => word);
}

/** Words one slip away from the ones given: those that few names hold, and those that many do. */
export function slipsOfWords(words: readonly string[]): { rare: string[]; general: string[] } {
  const slips = new Set(
    words
      .filter(({ length }) => length <= WORD_SLIP_LENGTH_MAX)
      .flatMap((word) => [...slipsOf(word)]),
  );
  return {
    rare: [...slips].filter((word) => !isGeneral(word)),
    general: [...slips].filter(isGeneral),
  };
}

function withoutLegalEnd(compact: string): string[] {
  return [...LEGAL_FORMS]
    .filter((form) => form.length > 2 && compact.endsWith(form) && compact !== form)
    .map((form) => compact.slice(0, -form.length));
}

/** Every text one slip away from a compact form or a word; some come twice. */
export function* slipsOf(compact: string): Generator<string> {
  if (compact.length < 2 || compact.length > SLIP_LENGTH_MAX) return;
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
