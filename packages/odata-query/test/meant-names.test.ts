/** The parts of suggestions for names: each text, and the name that it stands for. */
import { describe, expect, test } from '@jest/globals';
import { editDistance } from '@vcds/odata-query';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { closedValueMeant } from '../src/suggest/closed-value-meant.ts';
import { namesMeant, namesOf } from '../src/suggest/names-meant.ts';
import { foldedName, nearest, singularName } from '../src/suggest/nearest.ts';

const LIMIT = 64;
const NONE = undefined;
const long = (length: number) => 'a'.repeat(length);

test.each<[string, string, bound: number, distance: number]>([
  ['', '', 0, 0],
  ['a', '', 0, 1],
  ['a', '', 1, 1],
  ['ab', '', 1, 2],
  ['abc', '', 5, 3],
  ['ab', 'ba', 1, 1],
  ['ab', 'ba', 0, 1],
  ['xab', 'xba', 2, 1],
  ['abx', 'bax', 2, 1],
  ['abc', 'bca', 5, 2],
  ['aab', 'aba', 5, 1],
  ['abcd', 'badc', 5, 2],
  ['abab', 'baba', 5, 2],
  ['abcd', 'wxyz', 2, 3],
  ['abcd', 'wxyz', 3, 4],
  ['abcd', 'wxyz', 4, 4],
  [long(500), long(500), 1, 0],
  [long(501), long(501), 1, 2],
  [long(501), long(500), 1, 2],
  [long(500), long(501), 3, 4],
  [long(499), long(500), 3, 1],
])('the distance of %j and %j within %d is %d', (a, b, bound, distance) => {
  expect(editDistance(a, b, bound)).toBe(distance);
});

test('the distance within a bound is the one of a whole table', () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }),
    fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'e'), maxLength: 24 }),
  );
  fc.assert(
    fc.property(text, text, fc.nat({ max: 6 }), (a, b, bound) => {
      expect(editDistance(a, b, bound)).toBe(Math.min(distanceByTable(a, b), bound + 1));
    }),
    runs(500),
  );
});

/** Optimal string alignment, every cell of the table. */
function distanceByTable(a: string, b: string): number {
  const cells = new Map<string, number>();
  const at = (i: number, j: number): number => cells.get(`${i} ${j}`) ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= a.length; i += 1) {
    for (let j = 0; j <= b.length; j += 1) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const steps = [
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      ];
      cells.set(`${i} ${j}`, i === 0 && j === 0 ? 0 : Math.min(...steps));
    }
  }
  return at(a.length, b.length);
}

describe('the name that a text stands for', () => {
  const NAMES = ['Name', 'Countries', 'City', 'Class', 'TotalRaised', 'X'];

  test.each([
    ['Naem', 'Name'],
    ['N', NONE],
    ['Nx', 'X'],
    ['Y', NONE],
    ['Cit', 'City'],
    ['Ci', NONE],
    ['Totals', NONE],
    ['Total', 'TotalRaised'],
    ['Rai', 'TotalRaised'],
    ['Ra', NONE],
    ['Cuontrise', 'Countries'],
    ['xNamx', NONE],
    [' ', NONE],
    ['', NONE],
    [`Name${' '.repeat(LIMIT - 4)}`, 'Name'],
    [`Name${' '.repeat(LIMIT - 3)}`, NONE],
  ])('of names, %j: %j', (text, name) => {
    expect(nearest(text, NAMES)).toBe(name);
  });

  test.each([
    [long(LIMIT), long(LIMIT)],
    [long(LIMIT + 1), NONE],
    ['\u3300'.repeat(20), NONE],
  ])('at the limit of length, %j: %j', (text, name) => {
    expect(nearest(text, [text])).toBe(name);
  });

  test.each([
    ['Members', ['MembersCountBucket', 'MembersCount'], 'MembersCount'],
    ['Members', ['MembersCount', 'MembersCountBucket'], 'MembersCount'],
    ['Members', ['MembersCount', 'MembersGrowth'], NONE],
    ['Members', [], NONE],
    ['Tax', ['Tab', 'Tag'], NONE],
    ['Tax', ['Tab', 'TAB'], 'Tab'],
    ['Tax', ['Tab', 'Tag', 'Tax'], 'Tax'],
    ['Tax', ['Tab', 'Tag', 'Tab'], NONE],
    ['Tab', ['T-a-b'], 'T-a-b'],
    ['abcdef', ['abcxyz'], NONE],
    ['abcdef', ['abcdxy'], 'abcdxy'],
    ['abcdefghijklm', ['abcdefghiwxyz'], NONE],
  ])('%j, of %j: %j', (text, names, name) => {
    expect(nearest(text, names)).toBe(name);
  });

  test.each([
    ['Countries', 'country'],
    ['ties', 'tie'],
    ['dries', 'dry'],
    ['Class', 'class'],
    ['cats', 'cat'],
    ['bus', 'bus'],
    ['iesx', 'iesx'],
    ['ÉTÉS', 'ete'],
  ])('the singular of %j is %j', (text, singular) => {
    expect(singularName(text)).toBe(singular);
  });

  test('case, accents, spaces, hyphens, dots, slashes and underscores are ignored', () => {
    expect(foldedName('São_Paulo-A.B/C–D E')).toBe('saopauloabcde');
  });

  const KNOWN = [
    { name: 'Tag', synonyms: ['Industry', 'Sectors'] },
    { name: 'Sector' },
    { name: 'Category', synonyms: ['Industries', 'Tag'] },
  ];
  test.each([
    ['tag', ['Tag']],
    ['industry', ['Tag', 'Category']],
    ['INDUSTRIES', ['Tag', 'Category']],
    ['sector', ['Sector']],
    ['sectors', ['Tag']],
    ['Categry', ['Category']],
    ['nothing', []],
    ['', []],
    ['---', []],
    [`tag${' '.repeat(LIMIT - 3)}`, ['Tag']],
    [`tag${' '.repeat(LIMIT - 2)}`, []],
  ])('with synonyms, %j: %j', (text, names) => {
    expect(namesMeant(text, KNOWN)).toEqual(names);
  });

  test.each([
    ['tag', ['Tag', 'Category']],
    ['Tga', []],
    ['', []],
    [`tag${' '.repeat(LIMIT - 2)}`, []],
  ])('without typing mistakes, %j: %j', (text, names) => {
    expect(namesOf(text, KNOWN)).toEqual(names);
  });

  test('a name without letters is no name', () => {
    expect(namesOf('-', [{ name: '_' }])).toEqual([]);
  });

  const CLOSED = [
    {
      value: 1,
      name: 'VentureFund',
      slug: 'venture-fund',
      label: 'VC fund',
      synonyms: ['Ventures'],
    },
    { value: 2, name: 'FamilyOffice', slug: 'family-office', label: 'Family' },
    { value: 3, name: 'Bank', slug: 'credit-house', label: 'Lender' },
  ];
  test.each([
    ['vc fund', 'VC fund'],
    ['venture', 'VC fund'],
    ['venture_fund', 'VC fund'],
    ['VentrueFund', 'VC fund'],
    ['family-ofice', 'Family'],
    ['Famly', 'Family'],
    ['bnak', 'Lender'],
    ['credit hose', 'Lender'],
    ['Broker', NONE],
    ['3', NONE],
  ])('of closed values, %j: %j', (text, label) => {
    expect(closedValueMeant(text, CLOSED)).toBe(label);
  });
});
