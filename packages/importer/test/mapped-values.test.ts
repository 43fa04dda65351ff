import { describe, expect, test } from '@jest/globals';
import { dateReader } from '../src/mapping/date-format.ts';
import { readMoney, readNumber } from '../src/mapping/read-number.ts';
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
    expect(readMoney(text)).toBe(expected);
  });

  test('a group of thousands does not begin with 0, with a decimal comma too', () => {
    const read = ['0.123', '0.750M', '0,75', '7.500M'].map((text) =>
      readMoney(text, { decimal: ',' }),
    );
    expect(read).toEqual([undefined, undefined, 0.75, 7500e6]);
  });

  test.each([
    ['-1.5', -1.5],
    ['.5', 0.5],
    ['1e400', undefined],
    ['0x10', undefined],
    ['', undefined],
  ])('the number %s is %s', (text, expected) => {
    expect(readNumber(text)).toBe(expected);
  });
});

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
