// Tests docs/spec/categories.md 8.5.
// Tests docs/spec/limits.md 12.1.
import { describe, expect, test } from '@jest/globals';
import { bindFilter, type FieldSpec, fieldTable, parseFilter } from '@vcds/odata-query';
import { runs } from '@vcds/test-kit';
import { readDay, readInstant } from '@vcds/venture-model';
import fc from 'fast-check';
import { ParameterReader } from '../../src/serve/request/parameter-reader.ts';
import { parseValueList } from '../../src/serve/request/value-list.ts';
import { parseSignalsQuery, SIGNALS_PARAMETERS } from '../../src/signals/query.ts';

const SHARED_CASES = { filterable: true, sortable: true } as const;
const FIELDS: FieldSpec[] = [
  { name: 'Seen', type: 'instant', ...SHARED_CASES },
  { name: 'Day', type: 'date', ...SHARED_CASES },
];
const table = fieldTable(FIELDS);

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The value that a filter compares a field with. */
const filtered = (field: string, text: string) =>
  orUndefined(() => {
    const bound = bindFilter(parseFilter(`${field} ge '${text}'`), table);
    return 'value' in bound ? String(bound.value) : undefined;
  });

/** The instant that the change feed starts from, in microseconds. */
const followed = (text: string) =>
  orUndefined(() => {
    const reader = new ParameterReader(new Map([['since', text]]), SIGNALS_PARAMETERS);
    return parseSignalsQuery(reader, '2026-01-01').detected.sinceUs;
  });

const cut = (utc: string): string => {
  const [second = '', fraction = ''] = utc.slice(0, -1).split('.');
  return `${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
};

const microseconds = (utc: string): bigint => {
  const fraction = utc.slice(0, -1).split('.')[1] ?? '';
  return BigInt(Date.parse(`${utc.slice(0, 19)}Z`)) * 1_000n + BigInt(fraction.padEnd(6, '0'));
};

const two = (max: number) => fc.nat(max).map((number) => String(number).padStart(2, '0'));
const year = fc.constantFrom('0000', '0001', '1900', '2000', '2023', '2024', '9999');
const month = fc.constantFrom('00', '01', '02', '04', '12', '13');
const day = fc.constantFrom('00', '01', '28', '29', '30', '31', '32');
const days = fc.tuple(year, month, day).map((parts) => parts.join('-'));
const decimals = fc.stringMatching(/^[.,]\d{1,13}$/);
const seconds = fc.tuple(
  two(61),
  fc.constant('').chain((none) => fc.oneof(fc.constant(none), decimals)),
);
const times = fc
  .tuple(two(24), two(60), fc.option(seconds, { nil: undefined }))
  .map(
    ([hour, minute, rest]) => `${hour}:${minute}${rest === undefined ? '' : `:${rest.join('')}`}`,
  );
const zones = fc.oneof(
  fc.constantFrom('', 'Z', 'z', '+14:00', '-14:00', '+14:01', '+18:00', '-0130', '+05'),
  fc.stringMatching(/^[+-]\d\d:?\d\d$/),
);
const texts = fc.oneof(
  days,
  fc.tuple(days, fc.constantFrom('T', 't', ' '), times, zones).map((parts) => parts.join('')),
);

/** Spellings in exports of other programs, which only the importer accepts. */
const OF_EXPORTS = /^ |,|[+-]\d\d(?:\d\d)?$|\.\d{7,}/;

describe('a text for an instant', () => {
  test('means one instant in a filter, in the change feed and in an import', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const utc = filtered('Seen', text);
        const since = followed(text);
        expect(since === undefined).toBe(utc === undefined);
        // A filter and the feed take another microsecond of the same millisecond for a finer text.
        const finer = /\.\d{6}\d*[1-9]/.test(text) ? 1n : 0n;
        const later = (since ?? 0n) - microseconds(utc ?? '1970-01-01T00:00:00Z');
        expect(later >= 0n && later <= finer).toBe(true);
        const imported = readInstant(text);
        if (utc !== undefined) expect(imported).toBe(cut(utc));
        else if (imported !== undefined) expect(text.slice(10)).toMatch(OF_EXPORTS);
      }),
      { ...runs(900), examples: [['2016-12-31T23:59:60Z'], ['0001-01-01T00:00+14:00']] },
    );
  });

  test('means one day in a filter and in an import', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const filteredDay = filtered('Day', text);
        if (filteredDay !== undefined) expect(readDay(text)).toBe(filteredDay);
        if (text.length === 10) expect(readDay(text)).toBe(filteredDay);
      }),
    );
  });
});

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
    runs(500),
  );
});

test('any text is parsed or rejected as a bad parameter', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', ',', ' ', 'a') }), (text) => {
      try {
        const values = parseValueList('industry', text);
        expect(values.every((value) => value !== '')).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad_parameter', details: { parameter: 'industry' } });
      }
    }),
    runs(900),
  );
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
