/** The parts of suggestions for values: each text, and the value that it stands for. */
import { describe, expect, test } from '@jest/globals';
import { dateMeant } from '../src/suggest/date-meant.ts';
import { numberMeant } from '../src/suggest/number-meant.ts';
import { listElements, operandAt, unquoted } from '../src/suggest/operand.ts';
import { operandMeant, withHint } from '../src/suggest/repair-operand.ts';
import { meansNull, valueMeant } from '../src/suggest/value-meant.ts';
import { TABLE } from './example-table.ts';

const TODAY = '2026-03-31';
const UUID = '5f0c4f0e-6c1b-5d8a-9d3e-0b8f6f4f3c11';

/** The rows of `text → value | text → value`, on several lines; `-` is no value. */
const pairs = (table: string): [text: string, value: string | undefined][] =>
  table
    .trim()
    .split(/ *[|\n] */)
    .map((pair) => pair.split(' → '))
    .map(([text = '', value]) => [text, value === '-' ? undefined : value]);

const fieldOf = (name: string) => {
  const field = TABLE.get(name);
  if (field === undefined) throw new RangeError(name);
  return field;
};

describe('the day that a text stands for', () => {
  test.each([
    ...pairs(`
      today → ${TODAY} | NOW → ${TODAY} | now() → ${TODAY} | getdate() → ${TODAY} | 'today' → ${TODAY}
      current_date → ${TODAY} | current date → ${TODAY} | ()now → - | to'day → - | now()x → -
      tomorrow → 2026-04-01 | yesterday → 2026-03-30 | now - 7d → 2026-03-24 | today-1 day → 2026-03-30
      -2 days → 2026-03-29 | 1 day ago → 2026-03-30 | 2 weeks ago → 2026-03-17 | 3months ago → 2025-12-31
      2 years ago → 2024-03-31 | 2 fortnights ago → - | x1 day ago → - | 1 day agox → -
      2012 → 2012-01-01 | 2012-9 → 2012-09-01 | 2012/09 → 2012-09-01 | 2012.9.3 → 2012-09-03
      20120903 → 2012-09-03 | 2012 9 3 → 2012-09-03 | 2012   9  3 → 2012-09-03 | 2012x9x3 → -
      Sep 2012 → 2012-09-01 | sept. 2012 → 2012-09-01 | January 2012 → 2012-01-01 | xSep 2012x → -
      3rd Sept., 2012 → 2012-09-03 | 1st May 2012 → 2012-05-01 | 2. Jan 2012 → 2012-01-02
      Dec 31st, 2012 → 2012-12-31 | Foo 3, 2012 → - | 2nd Feb 2012 → 2012-02-02 | 4th Mar 2012 → 2012-03-04
      15 Apr 2012 → 2012-04-15 | Jun 2 2012 → 2012-06-02 | Jul. 12 2012 → 2012-07-12 | 1 aug 2012 → 2012-08-01
      1 oct 2012 → 2012-10-01 | 1 nov 2012 → 2012-11-01 | 2012-1-2 10:00 → 2012-01-02
      2012-01-02T10:00:00Z → 2012-01-02 | 2012-01-02 10:00:00.5+0100 → 2012-01-02 | 2012-01-02 10 → -
      2012-01-02 10:00-01:00 → 2012-01-02 | 2012-01-02T10:00:00Zx → - | x2012-01-02 10:00 → -
      1346630400 → 2012-09-03 | 1346630400000 → 2012-09-03 | 13466304000 → - | 2346630400 → -
      25/12/2012 → 2012-12-25 | 12/25/2012 → 2012-12-25 | 5-5-2012 → 2012-05-05 | 12/12/2012 → 2012-12-12
      12/13/2012 → 2012-12-13 | 13/12/2012 → 2012-12-13 | 3/9/2012 → - | 12/11/2012 → - | 13/13/2012 → -
      25/12-2012 → - | x25/12/2012 → - | 25/12/2012x → - | 2012-02-30 → 2012-02-29 | 2011-2-31 → 2011-02-28
      2012-04-31 → 2012-04-30 | 2012-01-31 → 2012-01-31 | 2012-01-32 → - | 2012-01-00 → - | 2012-13-01 → -
      2012-00-28 → - | 2012-13-31 → - | 0000-01-01 → - | 0001-01-01 → 0001-01-01 | 12345 → - | a2012 → -
      2012b → -`),
    ['', undefined],
    [' 2012  ', '2012-01-01'],
  ])('%j: %j', (text, day) => {
    expect(dateMeant(text, TODAY)).toBe(day);
  });

  test.each(['today', 'yesterday', '3 days ago'])('%j is none without a present day', (text) => {
    expect(dateMeant(text, undefined)).toBeUndefined();
  });

  test('a day after the year 9999 is none', () => {
    expect(dateMeant('tomorrow', '9999-12-31')).toBeUndefined();
  });
});

describe('the number that a text stands for', () => {
  test.each([
    ...pairs(`
      1,000,000 → 1000000 | 1_000_000 → 1000000 | 1'000 → 1000 | 1 000 → 1000 | 1,000.5 → 1000.5
      12,34 → - | 1,00 → - | 1,0000 → - | 1,000_000 → - | 1,000,00 → - | 1234,567 → - | 1,000.5.5 → -
      1.000.000 → 1000000 | 1.000 → 1 | 1.000.00 → - | 1234.000.000 → - | 1.000.0000 → - | 10_0 → 100
      1__0 → 10 | 1_0,0 → - | 1_0 0 → - | $5m → 5000000 | US$ 5m → 5000000 | usd5 → 5 | 5 USD → 5
      5 us dollars → 5 | 5 dollar → 5 | 5$ → 5 | 5 us dollar → 5 | 5k → 5000 | 5 thousand → 5000
      5mm → 5000000 | 5mn → 5000000 | 5mio → 5000000 | 2 million → 2000000 | 2 millions → 2000000
      1.5bn → 1500000000 | 2B → 2000000000 | 2 billion → 2000000000 | 3 billions → 3000000000 | 5x → -
      .5 → 0.5 | 5. → 5 | 5.25 → 5.25 | 250+ → 250 | 5k+ → 5000 | 250++ → - | -5 → -5 | +5 → 5 | -0 → 0
      -.5k → -500 | 1e6 → 1000000 | 1.5E+3 → 1500 | -2e3 → -2000 | 1e-3 → - | 1e10 → - | x1e6 → -
      0.1k → 100 | 1.1k → 1100 | 9007199254740991 → 9007199254740990 | 9007199254740992 → -
      9${'0'.repeat(40)} → - | $ 7 → 7 | 2,5 → - | €5 → - | five → - | 5 5 → - | x5 → - | 5- → -`),
    ['', undefined],
    ['  7  ', '7'],
    [' $7 ', '7'],
  ])('%j: %j', (text, number) => {
    expect(numberMeant(text, true)).toBe(number);
  });

  test.each(pairs('2k → - | 2m → - | 2,000 → 2000 | 2 → 2'))(
    'without units, %j: %j',
    (text, number) => {
      expect(numberMeant(text, false)).toBe(number);
    },
  );
});

describe('the value of a field that a text stands for', () => {
  test.each([
    ['Name', pairs(`Milk → Milk | 42 → 42`)],
    ['Keywords', pairs(`Milk → Milk`)],
    [
      'Id',
      pairs(`{${UUID}} → ${UUID} | urn:uuid:${UUID} → ${UUID} | ${UUID.replaceAll('-', '')} → ${UUID}
      ${UUID.toUpperCase()} → ${UUID} | ${UUID}0 → - | g${UUID.slice(1)} → - | x${UUID} → -`),
    ],
    [
      'Confirmed',
      pairs(`yes → true | Y → true | t → true | on → true | 1 → true | no → false | N → false
      f → false | off → false | 0 → false | maybe → -`),
    ],
    [
      'LastFundingStage',
      pairs(`Seed → Seed | series_a → Series A | Seires A → Series A | 4 → 4 | 99 → -`),
    ],
    [
      'Founded',
      pairs(`2,010 → 2010 | 2010+ → 2010 | 2010s → 2010 | 2k → - | 2010-05-01 → 2010 | 12 → -
      today → 2026 | 0987-01-01 → 987 | s2010 → -`),
    ],
    ['MembersCount', pairs('1,000 → 1000 | 5k → 5000 | 1.5 → - | many → -')],
    ['TotalRaised', pairs('$5m → 5000000 | x → -')],
    ['Share', pairs('.5 → 0.5 | x → -')],
    ['Date', pairs(`3 Sep 2012 → 2012-09-03 | today → ${TODAY} | soon → -`)],
    ['UpdatedTimeStamp', pairs('2012/9/3 → 2012-09-03 | soon → -')],
  ] as const)('of %s', (name, rows) => {
    const field = fieldOf(name);
    expect(rows.map(([text]) => [text, valueMeant(text, field, TODAY)])).toEqual(rows);
  });

  test.each([
    ['a'.repeat(64), 'a'.repeat(64)],
    ['a'.repeat(65), undefined],
    ['  a  ', 'a'],
  ])('of %j is %j', (text, value) => {
    expect(valueMeant(text, fieldOf('Name'))).toBe(value);
  });

  test.each(['none', ' NIL ', 'undefined', 'empty', 'n/a', 'NA'])('%j means null', (text) => {
    expect([meansNull(text), meansNull(`${text}x`)]).toEqual([true, false]);
  });
});

describe('the text in place of a value', () => {
  test.each([
    ['New York', 'New York', 0],
    ['  New York  ', 'New York', 2],
    ['a and b', 'a and b', 0],
    ['a and Name eq 1', 'a', 0],
    ['a  OR  not b', 'a', 0],
    ['a or (b eq 1)', 'a', 0],
    ['a and Group.Name notin (1)', 'a', 0],
    ['a and', 'a', 0],
    ['a and  ', 'a', 0],
    ['a and b equals 1', 'a and b equals 1', 0],
    ['a) and b', 'a', 0],
    ['(a and x eq 1) b', '(a and x eq 1) b', 0],
    ['[a and x eq 1] and x eq 1', '[a and x eq 1]', 0],
    ['(a) (b)', '(a) (b)', 0],
    ['x'.repeat(300), 'x'.repeat(300), 0],
  ])('of %j is %j', (source, text, start) => {
    expect(operandAt(source, 0)).toEqual({ text, start });
    expect(operandAt(`eq ${source}`, 2)).toEqual({ text, start: start + 3 });
  });

  test.each(['', '   ', ')', 'x'.repeat(301), `${' '.repeat(300)}${'x'.repeat(301)}`])(
    'of %j is none',
    (source) => {
      expect(operandAt(source, 0)).toBeUndefined();
    },
  );

  test.each([
    ...pairs(`
      Milk → Milk | 'Milk' → Milk | "Milk" → Milk | \`Milk\` → Milk | ‘Milk’ → Milk | “Milk” → Milk | ’Milk’ → Milk
      ”Milk” → Milk | 'Milk → Milk | "Milk → Milk | 'O''Neil' → O'Neil | 'O'Neil' → O'Neil | "O''Neil" → O''Neil
      O'Neil → O'Neil | Mi"lk → - | Mi\`lk → - | Mi“lk → - | Mi”lk → - | 'a' 'b' → - | "a" "b" → - | 'a' b' → -
      'a "b' → - | 'a“b' → - | '' → - | ' → - | ' ' → -`),
  ])('without quotes, %j is %j', (text, plain) => {
    expect(unquoted(text)).toBe(plain);
  });

  test.each([
    ["('a','b')", ['a', 'b']],
    ['[a, "b"]', ['a', 'b']],
    ['a,b', ['a', 'b']],
    ['a (b),c', ['a (b)', 'c']],
    ['a', ['a']],
    ['(a,)', undefined],
    ['(a "b,c)', undefined],
    ['()', undefined],
  ])('as a list, %j is %j', (text, elements) => {
    expect(listElements(text)).toEqual(elements);
  });

  test.each([
    ['Name', 'eq', "O'Neil", "'O''Neil'"],
    ['Name', 'like', "a*'b", "'a%''b'"],
    ['Name', 'like', 'a\\', "'a\\\\'"],
    ['Name', 'eq', '(a', undefined],
    ['Name', 'eq', '[a', undefined],
    ['Name', 'eq', '"a" "b"', undefined],
    ['Name', 'eq', 'none', "'none'"],
    ['Founded', 'eq', 'none', 'null'],
    ['Founded', 'ne', 'N/A', 'null'],
    ['Founded', 'gt', 'none', undefined],
    ['Founded', 'eq', '2,010', '2010'],
    ['Founded', 'eq', 'soon', undefined],
    ['Tag', 'in', '[a, b]', "('a','b')"],
    ['Founded', 'in', '2,010', undefined],
    ['Founded', 'in', '2010+, 2011', '(2010,2011)'],
    ['Founded', 'notin', '(2010, x)', undefined],
    ['Tag', 'notin', '(a,,b)', undefined],
    ['Date', 'ge', 'today', TODAY],
  ] as const)('for %s %s, %j is written %j', (name, operator, text, written) => {
    expect(operandMeant(text, operator, fieldOf(name), TODAY)).toBe(written);
  });
});

test.each([
  ['Unknown.', 'a', 'Unknown; did you mean a?'],
  ['Unknown;', 'a', 'Unknown; did you mean a?'],
  ['Unknown', 'a', 'Unknown; did you mean a?'],
  ['Unknown.x', 'a', 'Unknown.x; did you mean a?'],
  ['Unknown.', undefined, 'Unknown.'],
])('%j with the hint %j', (sentence, suggestion, hinted) => {
  expect(withHint(sentence, suggestion)).toBe(hinted);
});
