// Tests docs/spec/resources.md 4.11.
// Tests docs/spec/import.md 14.6.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openedPerTest } from '@vcds/test-kit';
import { importRates } from '../src/run/run-import.ts';
import { openImportFixture, round, startup, totalsOf } from './support.ts';

const fixture = openedPerTest(openImportFixture);

describe('rates', () => {
  const write = async (rows: string) => {
    const path = join(fixture.folder, 'rates.csv');
    await writeFile(path, `origin,currency,date,rate\n${rows}`);
    return path;
  };

  test('extend and replace those known; the last of a file stands', async () => {
    await fixture.importLines([startup('1')]);
    const path = await write('x,EUR,2010-01-01,9\nx,XYZ,2020-05-05,2\nmine,XYZ,2020-05-05,3.5\n');
    expect(await importRates(fixture.url, path)).toBe(3);
    expect(
      await fixture.rows(
        `SELECT currency, rate, origin FROM venture.usd_rate
         WHERE origin IN ('x', 'mine') ORDER BY currency`,
      ),
    ).toEqual([
      { currency: 'EUR', rate: '9', origin: 'x' },
      { currency: 'XYZ', rate: '3.5', origin: 'mine' },
    ]);
    const report = await fixture.importLines(
      [startup('2'), round('r', '2', { Date: '2021-01-01', Amount: 10, Currency: 'XYZ' })],
      { ratesFile: path },
    );
    expect(totalsOf(report)).toBe('read 2, inserted 2');
    expect(await fixture.rows('SELECT amount FROM venture.funding_round')).toEqual([
      { amount: '35' },
    ]);
  });

  test.each([
    ['x,EURO,2010-01-01,9', 'currency EURO'],
    ['x,EUR,2010-02-30,9', 'date 2010-02-30'],
    ['x,EUR,2010-01-01,0', 'rate 0'],
    [',EUR,2010-01-01,1', 'the empty origin'],
  ])('a file with the row %s is rejected as a whole', async (row, fault) => {
    const path = await write(`x,ABC,2020-01-01,1\n${row}\n`);
    await expect(importRates(fixture.url, path)).rejects.toThrow(
      `Row 2 of ${path} is not a valid exchange rate: invalid ${fault}.`,
    );
    expect(await fixture.rows(`SELECT FROM venture.usd_rate`)).toHaveLength(0);
  });

  test('that cannot be read are rejected', async () => {
    await expect(importRates(fixture.url, '/nowhere.csv')).rejects.toThrow(/cannot be read/u);
    const path = join(fixture.folder, 'other.csv');
    await writeFile(path, 'currency,date\nEUR,2010-01-01\n');
    await expect(importRates(fixture.url, path)).rejects.toThrow('The rates lack the column rate');
  });
});
