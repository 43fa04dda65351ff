// Tests docs/spec/search.md 7.3.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldName, nameForms } from '../src/name-forms.ts';
import {
  compactProbes,
  likelyWords,
  lookupWords,
  spellingsOfBoth,
  spellingsOfOthers,
  typosOfWords,
} from '../src/probes.ts';
import { scoreName } from '../src/score-name.ts';
import { WordWeights } from '../src/word-weights.ts';

const score = (query: string, name: string, weights = new WordWeights()) =>
  scoreName(nameForms(query), nameForms(name), weights);
const word = fc.constantFrom(
  ...['blue', 'river', 'Capital', 'Ventures', 'Inc.', 'GmbH', 'x', '42', 'Ökö', '中文', '&', 'the'],
  ...['stripe.com', 'U.S.', 'riverbank', 'rivre', '😀'],
);
const name = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));

test('a score is between 0 and 1, and 1 for the same folded name only', () => {
  fc.assert(
    fc.property(name, name, (query, other) => {
      const value = score(query, other);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(1);
      expect(value === 1).toBe(foldName(query) === foldName(other));
    }),
  );
});

test('a smaller difference scores higher', () => {
  const name = 'Blue River Capital';
  const scores = [
    'Blue River Capital',
    'Blue-River Capital',
    'Blue River Capital Ltd',
    'BlueRiver Capital',
    'Blue River Capitl',
    'Blue River',
    'Blue Rivr Capital',
    'Blue Capital',
    'Blue',
    'Capital',
    'Green Mountain Bank',
  ].map((query) => score(query, name));
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(scores.at(-1)).toBe(0);
});

test('a vowel sign is part of its word: names that differ by one are not taken for equal', () => {
  for (const [query, other] of [
    ['दिल', 'दल'],
    ['कामिल', 'कमल'],
    ['தமழ்', 'தமிழ்'],
    ['กำไฟ', 'กาแฟ'],
    ['ភាសា', 'ភសា'],
  ] as const) {
    expect(nameForms(query).words).toEqual([foldName(query)]);
    expect([query, score(query, other) < 0.85]).toEqual([query, true]);
  }
});

test('a common generic word alone gives a low score', () => {
  expect(score('Oak Capital Partners', 'Elm Capital Partners')).toBeLessThan(0.5);
  expect(score('Nordic Ventures', 'Southern Ventures')).toBeLessThan(0.5);
});

test('a typing error in a generic word costs less than one in a distinctive word', () => {
  expect(score('Sequoia Captal', 'Sequoia Capital')).toBeGreaterThan(
    score('Sequia Capital', 'Sequoia Capital'),
  );
});

test('a typing error costs more in a short name than in a long one', () => {
  expect(score('Abd', 'Abc')).toBeLessThan(score('Abdomen', 'Abcomen'));
});

test('a longer prefix of a name scores higher', () => {
  const whole = 'Moonlighters';
  const scores = [3, 5, 7, 9, 11].map((length) => score(whole.slice(0, length), whole));
  expect(scores).toEqual(scores.toSorted((a, b) => a - b));
});

test('a public suffix at the end counts as little as a legal form', () => {
  expect(score('booking.com', 'Booking')).toBe(score('Booking Inc', 'Booking'));
});

test('a word weighs less, the more names have it', () => {
  const weights = new WordWeights([
    { word: 'quasar', share: 0.001 },
    { word: 'pulsar', share: 0.1 },
    { word: 'pulsar', share: 0.02 },
    { word: 'capital', share: 0.001 },
  ]);
  const [rare = 0, few = 0, many = 0] = ['nebula', 'quasar', 'pulsar'].map((w) => weights.of(w));
  expect(rare).toBe(1);
  expect(few).toBeLessThan(rare);
  expect(many).toBeLessThan(few);
  expect(weights.of('capital')).toBe(new WordWeights().of('capital'));
  const lists = ['nebula', 'quasar', 'pulsar'].map((word) => lookupWords(nameForms(word), weights));
  expect(lists.map(({ hasFrequent }) => hasFrequent)).toEqual([false, false, true]);
  expect(weights.despiteTypo('plusar')).toBe(many);
  expect(score('Acme Pulsar', 'Acme', weights)).toBeGreaterThan(
    score('Acme Quasar', 'Acme', weights),
  );
});

test('a name with another last word is similar, one with another first word is not', () => {
  const other = ['Devices', 'Logic', 'Commerce', 'Wireless', 'Semiconductor'];
  for (const last of other) {
    expect(score(`Tarsa ${last}`, 'Tarsa Therapeutics')).toBeGreaterThanOrEqual(0.5);
    expect(score(`Tarsa ${last}`, `Borsa ${last}`)).toBeLessThan(0.5);
  }
});

test('a prefix with spaces in the same places scores higher', () => {
  expect(score('Social T', 'Social Tables')).toBeGreaterThan(score('Social T', 'Socialtables'));
});

test('names of plain letters are folded and split like names with signs', () => {
  const plain = fc.string({ unit: 'grapheme-ascii', maxLength: 30 });
  const letters = fc.string({ unit: fc.constantFrom(...'ab 1') });
  fc.assert(
    fc.property(plain, letters, (text, words) => {
      expect(foldName(text)).toBe(foldName(`${text}\u2122`));
      expect(nameForms(words).words).toEqual(nameForms(`${words}!`).words);
    }),
  );
});

test('two mistyped words are looked up together if all their typos can be listed', () => {
  const [some = [], others = []] = spellingsOfBoth(['river', 'bank']) ?? [];
  expect(some).toEqual(expect.arrayContaining(['river', 'rivr', 'rivver', 'rivre', 'rover']));
  expect(others).toEqual(expect.arrayContaining(['bank', 'bnak']));
  expect(others).not.toContain('river');
  for (const words of [['river'], ['river', 'фонд'], ['river', 'x'.repeat(17)]]) {
    expect(spellingsOfBoth(words)).toBeNull();
  }
});

test('words of names are looked up if a query can mean them with more than one typo', () => {
  const likely = (query: string, ofNames: readonly string[]) => {
    const name = nameForms(query);
    return likelyWords(name, name.words, ofNames, new WordWeights());
  };
  // Two typos of a long word, the beginning of a word, and a trade mark after a typo.
  expect(likely('thudnerclaper', ['thunderclapper']).rare).toEqual(['thunderclapper']);
  expect(likely('quart', ['quartermaster']).rare).toEqual(['quartermaster']);
  expect(likely('quart', ['capital', 'ventures', 'qar']).rare).toEqual([]);
  expect(likely('avocatoria', ['avocadoriatm']).rare).toEqual(['avocadoriatm']);
  // One typo is looked up before, and two typos of a short word score nothing.
  expect(likely('avocatoria', ['avocadoria', 'avocatoria']).rare).toEqual([]);
  expect(likely('rivre', ['roove']).rare).toEqual([]);
  expect(likely('capita', ['capital']).general).toEqual(['capital']);
});

test('the typos of words do not contain the words, which are looked up before', () => {
  const typos = typosOfWords(['river', 'rover'], new WordWeights()).rare;
  expect(typos).toEqual(expect.arrayContaining(['rivr', 'riverr', 'rovre']));
  for (const word of ['river', 'rover']) expect(typos).not.toContain(word);
});

test('the other words of a query are looked up with their typos, at most three', () => {
  const others = spellingsOfOthers(nameForms('river bank of the delta shore Ltd'), ['river']);
  expect(others).toEqual(expect.arrayContaining(['bank', 'bnak', 'of', 'the', 'teh']));
  for (const word of ['river', 'delta', 'shore', 'ltd']) expect(others).not.toContain(word);
  expect(spellingsOfOthers(nameForms('river'), ['river'])).toEqual([]);
});

test('letters of a legal form end a long name, and those of a short form no short name', () => {
  expect(compactProbes(nameForms('harborstonegroupab'))).toContain('harborstonegroup');
  expect(compactProbes(nameForms('macroltd'))).toContain('macro');
  expect(compactProbes(nameForms('visa'))).toEqual(['visa']);
});

test('an ampersand written as a word between capitals is the same name', () => {
  expect(compactProbes(nameForms('W&W'))).toContain('wandw');
  expect(compactProbes(nameForms('WandW'))).toContain('ww');
  expect(score('WandW', 'W&W')).toBeGreaterThan(0.9);
  expect(score('W&W', 'WandW')).toBeGreaterThan(0.9);
  expect(score('Wanda', 'W&A')).toBeLessThan(0.5);
});

test('initials with dashes match the same initials only', () => {
  expect(score('A-B-C Company', 'ABC Company')).toBeGreaterThan(0.9);
  expect(score('A-B-D Company', 'ABC Company')).toBeLessThan(0.5);
  expect(score('A-B-D Company', 'Lumen Oil Company')).toBeLessThan(0.5);
});

test.each([
  ['AIRDAS USA,LLC', 'Airdas USA'],
  ['LIBGAS,LTD', 'Libgas'],
  ['GF LOGISTICS.INC', 'GF Logistics'],
  ['Lumen Oil Comp', 'Lumen Oil Company'],
  ...['X', '&', '+', '🍕', 'Ø', 'É', '7', '3M', '1&1'].map((name) => [name, name] as const),
])('%s names %s', (q, name) => {
  expect(score(q, name)).toBeGreaterThanOrEqual(0.9);
});
