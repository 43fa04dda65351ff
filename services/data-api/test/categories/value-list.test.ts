import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseValueList } from '../../src/request/value-list.ts';

const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;

const text = fc.string({ unit: 'binary', minLength: 1 }).filter((each) => !each.includes('\0'));

test('a quoted value is parsed unchanged, with or without spaces around it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, fc.nat(2), fc.nat(2)), {
        minLength: 1,
        maxLength: 20,
      }),
      (items) => {
        const text = items
          .map(([value, before, after]) => ' '.repeat(before) + quoted(value) + ' '.repeat(after))
          .join(',');
        expect(parseValueList('industry', text)).toEqual(items.map(([value]) => value));
      },
    ),
    { numRuns: 500 },
  );
});

test('any text is parsed or rejected as a bad parameter, in linear time', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', ',', ' ', 'a') }), (text) => {
      try {
        const values = parseValueList('industry', text);
        expect(values.every((value) => value !== '')).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad_parameter', details: { parameter: 'industry' } });
      }
    }),
    { numRuns: 2_000 },
  );
  const before = process.cpuUsage();
  for (const text of ['"'.repeat(32_000), ' '.repeat(32_000), 'a '.repeat(16_000)]) {
    try {
      parseValueList('industry', text);
    } catch {
      // Rejected.
    }
  }
  // Linear time takes some milliseconds, quadratic time many seconds.
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(2_000);
});

test('a quote inside an unquoted value is part of it', () => {
  expect(parseValueList('industry', 'say "hi", 5" discs')).toEqual(['say "hi"', '5" discs']);
});

test('a value of 500 characters is parsed, a longer one is rejected, quoted or not', () => {
  const value = 'x'.repeat(500);
  expect(parseValueList('city', `Berlin,${value}`)).toEqual(['Berlin', value]);
  for (const text of [`Berlin,${value}x`, `"${value}x"`, `${value}x`.repeat(240)]) {
    expect(() => parseValueList('city', text)).toThrow('at most 500 characters');
  }
});
