import { describe, expect, test } from '@jest/globals';
import { type AmountForm, readAmount, readCurrency } from '../src/mapping/amount/read-amount.ts';
import { readDigits } from '../src/mapping/amount/read-digits.ts';
import { dateReader } from '../src/mapping/date-format.ts';
import { readList } from '../src/mapping/read-list.ts';
import { repairText } from '../src/mapping/text-repair.ts';

describe('dates', () => {
  test.each([
    ['D-MMM-YY', '1-May-07', '2007-05-01T00:00:00.000Z'],
    ['D-MMM-YY', '31-Sept-07', undefined],
    ['D-MMM-YY', '30-Sept-07', '2007-09-30T00:00:00.000Z'],
    ['M/D/YY', '5/30/14', '1914-05-30T00:00:00.000Z'],
    ['M/D/YY', '2/29/00', '2000-02-29T00:00:00.000Z'],
    ['M/D/YYYY', '4/7/2017', '2017-04-07T00:00:00.000Z'],
    ['D.M.YYYY', '7.4.2017', '2017-04-07T00:00:00.000Z'],
    ['D.M.YYYY', '7x4x2017', undefined],
    ['YYYY', '2005', '2005-01-01T00:00:00.000Z'],
    ['YYYY-MM', '2005-07', '2005-07-01T00:00:00.000Z'],
    ['M/D/YY H:mm', '5/31/07 22:19', '2007-05-31T22:19:00.000Z'],
    ['YYYY-MM-DD HH:mm:ss', '2008-02-09 05:17:45', '2008-02-09T05:17:45.000Z'],
    ['YYYY-MM-DD', '2008-13-01', undefined],
    ['ISO', '2008-02-09T05:17:45+01:00', '2008-02-09T04:17:45.000Z'],
    ['unix', '1704067200', '2024-01-01T00:00:00.000Z'],
    ['unix', 'soon', undefined],
    ['MM/DD/YYYY hh:mm a', '07/24/2020 05:34 AM', '2020-07-24T05:34:00.000Z'],
    ['M/D/YYYY h:mm a', '7/24/2020 12:05 AM', '2020-07-24T00:05:00.000Z'],
    ['M/D/YYYY h:mm a', '7/24/2020 12:05 p.m.', '2020-07-24T12:05:00.000Z'],
    ['M/D/YYYY h:mm a', '7/24/2020 11:59\u202fPM', '2020-07-24T23:59:00.000Z'],
    ['M/D/YYYY h:mm a', '7/24/2020 13:05 PM', undefined],
    ['M/D/YYYY h:mm a', '7/24/2020 0:05 AM', undefined],
    ['MMM D, YYYY [at] h:mm a', 'July 24th, 2020 at 5:34 PM', '2020-07-24T17:34:00.000Z'],
    ['MMM YYYY', 'Sept 2019', '2019-09-01T00:00:00.000Z'],
    ['MMM, YYYY', 'May, 2014', '2014-05-01T00:00:00.000Z'],
    ['D. MMM YYYY', '3. März 2021', '2021-03-03T00:00:00.000Z'],
    ['D MMM YYYY', '1er août 2021', '2021-08-01T00:00:00.000Z'],
    ['D MMM YYYY', '1 Foo 2021', undefined],
    ['excel', '1', '1900-01-01T00:00:00.000Z'],
    ['excel', '59', '1900-02-28T00:00:00.000Z'],
    ['excel', '60', undefined],
    ['excel', '61', '1900-03-01T00:00:00.000Z'],
    ['excel', '45658', '2025-01-01T00:00:00.000Z'],
    ['excel', '45658.5', '2025-01-01T12:00:00.000Z'],
    ['excel', '2958466', undefined],
    ['excel1904', '0', '1904-01-01T00:00:00.000Z'],
    ['excel1904', '44196', '2025-01-01T00:00:00.000Z'],
    ['quarter', 'Q1 2025', '2025-01-01T00:00:00.000Z'],
    ['quarter', '2025-Q4', '2025-10-01T00:00:00.000Z'],
    ['quarter', '1Q25', '2025-01-01T00:00:00.000Z'],
    ['quarter', "q3 '24", '2024-07-01T00:00:00.000Z'],
    ['quarter', 'Q5 2025', undefined],
    ['half', 'H2 2025', '2025-07-01T00:00:00.000Z'],
    ['half', '1H25', '2025-01-01T00:00:00.000Z'],
    ['half', '2025-S2', '2025-07-01T00:00:00.000Z'],
    ['half', 'H3 2025', undefined],
  ])('%s reads %s as %s', (format, text, expected) => {
    expect(dateReader(format, 2013)(text)).toBe(expected);
  });
});

describe('numbers', () => {
  test.each([
    ['$180B', 180e9],
    ['$572M', 572e6],
    ['1,250,000.50', 1250000.5],
    ['US$1.15m', 1150000],
    ['3 million', 3e6],
    ['US$ 2.5 bn', 2.5e9],
    ['2.6E+12', 2.6e12],
    ['100', 100],
    ['1,25', undefined],
    ['1.234', undefined],
    ['12.345', undefined],
    ['0.234', 0.234],
    ['1.2345', 1.2345],
    ['1,234', 1234],
    ['10,050M', 10_050e6],
    ['0,750M', undefined],
    ['$0,750', undefined],
    ['075,000', undefined],
    ['9'.repeat(400), undefined],
    ['5/18/27', undefined],
    ['$', undefined],
    ['5 apples', undefined],
    ['1constructor', undefined],
  ])('the amount %s is %s', (text, expected) => {
    expect(amountOf(text)).toBe(expected);
  });

  test('a group of thousands does not begin with 0, with a decimal comma too', () => {
    const read = ['0.123', '0.750M', '0,75', '7.500M'].map((text) =>
      amountOf(text, { decimal: ',' }),
    );
    expect(read).toEqual([undefined, undefined, 0.75, 7500e6]);
  });

  test.each([
    ['-1.5', -1.5],
    ['.5', 0.5],
    ['1,001', 1001],
    ['7 000', 7000],
    ['1,00', undefined],
    ['1e400', undefined],
    ['0x10', undefined],
    ['', undefined],
  ])('the number %s is %s', (text, expected) => {
    const read = readDigits(text);
    expect(typeof read === 'number' ? read : undefined).toBe(expected);
  });

  test.each([
    [',', '€2,5 Mio', 2.5e6, 'EUR'],
    [',', '€ 2,5 Mio.', 2.5e6, 'EUR'],
    [',', '1,2 Mrd. €', 1.2e9, 'EUR'],
    [',', '3 Md€', 3e9, 'EUR'],
    [',', '2,5 millions', 2.5e6, null],
    [',', "2,5 millions d'euros", 2.5e6, 'EUR'],
    [',', '1.250.000,50 EUR', 1250000.5, 'EUR'],
    [',', '3 mil millones', 3e9, null],
    [',', '500 Tsd. CHF', 500e3, 'CHF'],
    [',', '12 млн руб.', 12e6, 'RUB'],
    ['.', '2.5M EUR', 2.5e6, 'EUR'],
    ['.', 'EUR 2.5M', 2.5e6, 'EUR'],
    ['.', 'USD 2.5M', 2.5e6, 'USD'],
    ['.', '2.5M€', 2.5e6, 'EUR'],
    ['.', 'kEUR 500', 500e3, 'EUR'],
    ['.', 'US$m 1.15', 1150000, 'USD'],
    ['.', '€1.2bn', 1.2e9, 'EUR'],
    ['.', 'SEK 12 mn', 12e6, 'SEK'],
    ['.', '₹1 crore', 1e7, 'INR'],
    ['.', 'INR 2.5 Cr', 2.5e7, 'INR'],
    ['.', '50 lakh', 5e6, null],
    ['.', '1 lakh crore', 1e12, null],
    ['.', '₹12,34,567', 1234567, 'INR'],
    ['.', "CHF 7'000'000", 7e6, 'CHF'],
    ['.', '7’000’000.50', 7000000.5, null],
    ['.', '7 000 000', 7e6, null],
    ['.', '7\u00a0000\u00a0000 $', 7e6, 'USD'],
    ['.', '7\u202f000\u202f000', 7e6, null],
    ['.', '7\u2009000\u2009000 €', 7e6, 'EUR'],
    ['.', '$1.5 tn', 1.5e12, 'USD'],
    ['.', '3亿元', 3e8, 'CNY'],
    ['.', '1.5 億円', 1.5e8, 'JPY'],
    ['either', '2,5 Mio', 2.5e6, null],
    ['either', '2.5 Mio', 2.5e6, null],
    ['either', '1.250.000,5', 1250000.5, null],
    ['either', '1,250,000', 1250000, null],
  ] as const)('with the decimal mark %s, %s is %s in %s', (decimal, text, value, currency) => {
    expect([amountOf(text, { decimal }), readCurrency(text)]).toEqual([value, currency]);
  });

  test.each([
    ['7 000 00'],
    ['7 0'],
    ['7  000'],
    ["1'00"],
    ['2,5 Mio'],
    ['€1-5m'],
    ['T€ 500'],
    ['500 TEUR'],
    ['3 mil'],
    ['$5 €'],
    ['5 M M'],
    ['~5M'],
    ['5M+'],
    ['1.5.5'],
  ])('%s is never an amount', (text) => {
    expect(amountOf(text)).toBe(undefined);
  });

  test('one mark before three digits is ambiguous if either may be the decimal one', () => {
    expect(['1,234', '1.234'].map((text) => readDigits(text, 'either'))).toEqual([
      'ambiguous',
      'ambiguous',
    ]);
  });

  test('a range is the number that the mapping chooses', () => {
    const read = (text: string) =>
      (['low', 'middle', 'high'] as const).map((range) => amountOf(text, { range }));
    expect(read('€1-5m')).toEqual([1e6, 3e6, 5e6]);
    expect(read('$500K – $1M')).toEqual([500e3, 750e3, 1e6]);
    expect(read('1 to 5 million')).toEqual([1e6, 3e6, 5e6]);
    expect(read('5-1m')).toEqual([undefined, undefined, undefined]);
    expect(read('€1m-$5m')).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    ['€', 'EUR'],
    ['US$', 'USD'],
    ['$', 'USD'],
    ['usd', 'USD'],
    ['RMB', 'CNY'],
    ['EURO', 'EUR'],
    ['5', null],
    ['¥5', undefined],
    ['5 kr', undefined],
    ['GBX', undefined],
    ['5 apples', undefined],
  ])('the currency of %s is %s', (text, expected) => {
    expect(readCurrency(text)).toBe(expected);
  });
});

describe('lists', () => {
  test.each([
    [`['AI', 'SaaS']`, ['AI', 'SaaS']],
    ['["AI","Food, Drink"]', ['AI', 'Food, Drink']],
    ['{AI,"Food, Drink",NULL}', ['AI', 'Food, Drink']],
    [`["L'Oréal", 'Rock ''n'' Roll', 'It\\'s', None]`, ["L'Oréal", "Rock 'n' Roll", "It's"]],
    ['AI, "Food, Drink", L\'Oréal', ['AI', 'Food, Drink', "L'Oréal"]],
    ['("a", "say \\"hi\\"")', ['a', 'say "hi"']],
    ['["caf\\u00e9"]', ['café']],
    ['[]', []],
    ['{}', []],
    ['[1, 2]', ['1', '2']],
    ['["open]', undefined],
    ['[["a"], ["b"]]', undefined],
    ['["a" "b"]', undefined],
    ['[a', undefined],
  ])('%s is %j', (text, expected) => {
    expect(readList(text)).toEqual(expected);
  });
});

/** The value of an amount; undefined if there is none. */
function amountOf(text: string, form: AmountForm = {}): number | undefined {
  const amount = readAmount(text, form);
  return typeof amount === 'object' ? amount.value : undefined;
}

describe('text repair', () => {
  const repairs = [
    { written: 'utf8', readAs: 'macroman' },
    { written: 'utf8', readAs: 'windows-1252' },
    { written: 'utf8', readAs: 'latin1' },
  ];
  test.each([
    ['P√©rez', 'Pérez'],
    ['BioM√É¬©rieux', 'BioMérieux'],
    ['Europe√¢¬Ä¬ôs', 'Europe’s'],
    ['agÃ¡mi', 'agámi'],
    ['InsideAxisâ„¢', 'InsideAxis™'],
    ['Anchor™', 'Anchor™'],
    ['MiaSolé', 'MiaSolé'],
    ['BerkÃ_na', 'BerkÃ_na'],
    ['日本', '日本'],
    ['plain', 'plain'],
  ])('%s becomes %s', (text, expected) => {
    expect(repairText(text, repairs)).toBe(expected);
    expect(repairText(expected, repairs)).toBe(expected);
  });

  test('undoes a wrong encoding other than UTF-8 once', () => {
    expect(repairText('Viv’simo', [{ written: 'macroman', readAs: 'windows-1252' }])).toBe(
      'Vivísimo',
    );
  });
});
