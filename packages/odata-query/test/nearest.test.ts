// Tests docs/spec/errors.md 11.7.
import { describe, expect, test } from '@jest/globals';
import { nearest } from '@vcds/odata-query';
import fc from 'fast-check';

const FIELDS = ['Id', 'Name', 'Founded', 'TotalRaised', 'MembersCount', 'MembersCountBucket'];

describe('the nearest name', () => {
  test.each([
    ['Name', 'Name'],
    ['name', 'Name'],
    ['Nmae', 'Name'],
    ['Nam', 'Name'],
    ['Namee', 'Name'],
    ['Fuonded', 'Founded'],
    ['total_raised', 'TotalRaised'],
    ['TotalRaissd', 'TotalRaised'],
    ['Raised', 'TotalRaised'],
    ['Bucket', 'MembersCountBucket'],
    ['Members', 'MembersCount'],
    ['memberscoutn', 'MembersCount'],
    ['Turnover', undefined],
    ['X', undefined],
    ['', undefined],
    ['___', undefined],
    ['constructor', undefined],
    ['N'.repeat(65), undefined],
  ])('for %j is %j', (wanted, expected) => {
    expect(nearest(wanted, FIELDS)).toBe(expected);
  });

  test('takes no notice of accents, hyphens and spaces', () => {
    expect(nearest('sao-paulo', ['São Paulo', 'Zürich'])).toBe('São Paulo');
    expect(nearest('SERIESB', ['Series A', 'Series B'])).toBe('Series B');
  });

  test('is none of equals', () => {
    expect(nearest('Tax', ['Tab', 'Tag', 'Tan'])).toBeUndefined();
    expect(nearest('Series I', ['Series A', 'Series B'])).toBeUndefined();
    expect(nearest('Count', ['RoundsCount', 'MembersCount'])).toBeUndefined();
    expect(nearest('Members', ['MembersCount', 'RoundsCount'])).toBe('MembersCount');
  });

  test('is no name that holds the text in the middle of a word', () => {
    expect(nearest('date', ['UpdatedTimeStamp'])).toBeUndefined();
    expect(nearest('date', ['UpdatedTimeStamp', 'LastFundingDate'])).toBe('LastFundingDate');
  });

  test('tolerates one wrong, missing, added or swapped letter in any name of four or more', () => {
    const names = fc.stringMatching(/^[a-z]{4,20}$/);
    fc.assert(
      fc.property(names, fc.nat(), fc.nat(3), (name, place, kind) => {
        const at = place % (name.length - 1);
        const [before, after] = [name.slice(0, at), name.slice(at + 1)];
        const swapped = `${before}${name[at + 1]}${name[at]}${name.slice(at + 2)}`;
        const mistyped = [
          `${before}#${after}`,
          before + after,
          `${before}#${name.slice(at)}`,
          swapped,
        ];
        expect(nearest(mistyped[kind] ?? '', [name])).toBe(name);
      }),
    );
  });

  test('is one of the names, or none, whatever is wanted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 6 }),
        fc.string({ unit: 'binary' }),
        (names, wanted) => {
          const found = nearest(wanted, names);
          expect(found === undefined || names.includes(found)).toBe(true);
        },
      ),
    );
  });
});
