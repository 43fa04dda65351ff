import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldName, nameForms } from '../src/name-forms.ts';
import { scoreName } from '../src/score-name.ts';

const score = (query: string, name: string) => scoreName(nameForms(query), nameForms(name));
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
