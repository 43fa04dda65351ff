import { describe, expect, test } from '@jest/globals';
import { escapeLike, type FilterValue, filter } from '@vcds/client';
import { parseFilter } from '@vcds/odata-query';
import fc from 'fast-check';

describe('filter', () => {
  test.each<[FilterValue, string]>([
    ["O'Neil", "'O''Neil'"],
    [1.5, '1.5'],
    [-1e30, '-1e+30'],
    [10n, '10'],
    [true, 'true'],
    [null, 'null'],
    [new Date('2026-01-02T03:04:05.678Z'), '2026-01-02T03:04:05.678Z'],
    [['a', "b'c"], "('a','b''c')"],
    [filter`A eq ${1} or B eq ${2}`, '(A eq 1 or B eq 2)'],
  ])('writes %p as %s', (value, literal) => {
    expect(String(filter`X eq ${value} and Y`)).toBe(`X eq ${literal} and Y`);
  });

  const unusable: readonly unknown[] = [
    ...[undefined, Number.NaN, {}, [['nested']], new Date('x'), '\ud800', () => 1],
  ];
  test.each(unusable.map((value) => [value]))('rejects %p', (value) => {
    expect(() => filter`X eq ${value as FilterValue}`).toThrow(TypeError);
  });

  test('rejects a value in quotes', () => {
    expect(() => filter`Name eq '${'Acme'}'`).toThrow('Do not put quotes');
    expect(() => filter`Name eq 'it''s' and X eq ${'Acme'}`).not.toThrow();
  });

  test('contains any text as one literal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(parseFilter(String(filter`Name eq ${text}`))).toMatchObject({
          operator: 'eq',
          value: { type: 'string', text },
        });
      }),
    );
  });

  test('has patterns that match a text literally', () => {
    expect(escapeLike('100%_*\\')).toBe('100\\%\\_\\*\\\\');
  });
});
