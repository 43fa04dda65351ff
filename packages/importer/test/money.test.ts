import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { recordId } from '../src/index.ts';
import { fund, openImportFixture, round, startup, storedStartup, totalsOf } from './support.ts';

const fixture = await closedAfterAll(openImportFixture());

describe('money', () => {
  test('is kept as written and in dollars at the rate of its day', async () => {
    await fixture.importLines([
      startup('money'),
      round('eur', 'money', { Date: '2010-06-01', Amount: 1_000_000, Currency: 'EUR' }),
      round('usd', 'money', { Date: '2010-06-01', Amount: 1234.5 }),
      {
        type: 'valuation',
        source: 'test',
        key: 'v',
        Startup: { key: 'money' },
        Amount: 5e9,
        Currency: 'JPY',
        Date: '2013-12-31',
      },
    ]);
    expect(
      await fixture.rows(
        `SELECT source_key, amount, original_amount, original_currency FROM venture.funding_round
         WHERE startup_id = $1 ORDER BY source_key`,
        [recordId('startup', 'test', 'money')],
      ),
    ).toEqual([
      {
        source_key: 'eur',
        amount: '1326100',
        original_amount: '1000000',
        original_currency: 'EUR',
      },
      { source_key: 'usd', amount: '1235', original_amount: '1234.5', original_currency: 'USD' },
    ]);
    expect(await storedStartup(fixture, 'money')).toMatchObject({
      total_raised: '1327335',
      latest_post_valuation: '51231000',
    });
  });

  const moneyOf = async (key: string) => {
    const [row] = await fixture.rows<Readonly<Record<string, string | null>>>(
      `SELECT amount, original_amount, original_currency FROM venture.funding_round
       WHERE source_key = $1`,
      [key],
    );
    return row === undefined ? [] : Object.values(row);
  };

  test('follows a patch of its date, its amount or its currency', async () => {
    const key = { type: 'round', source: 'test', key: 'moving' };
    const patch = async (fields: Readonly<Record<string, unknown>>) => {
      await fixture.importLines([{ op: 'patch', ...key, ...fields }]);
      return moneyOf('moving');
    };
    await fixture.importLines([
      startup('mover'),
      { ...key, Startup: { key: 'mover' }, Date: '2010-01-01', Amount: 100, Currency: 'EUR' },
    ]);
    expect(await moneyOf('moving')).toEqual(['133', '100', 'EUR']);
    expect(await patch({ Date: '2022-01-01' })).toEqual(['105', '100', 'EUR']);
    expect(await patch({ Amount: 200, Currency: 'GBP' })).toEqual(['247', '200', 'GBP']);
    expect(await patch({ Amount: 300 })).toEqual(['371', '300', 'GBP']);
    expect(await patch({ Amount: 300, Currency: null })).toEqual(['300', '300', 'USD']);
    expect(await patch({ Amount: null })).toEqual([null, null, null]);
    expect(await patch({ Amount: 7 })).toEqual(['7', '7', 'USD']);
  });

  test('stays as it was converted until a line gives it or its day', async () => {
    const undated = round('undated-eur', 'mover', {
      occurredAt: '2010-06-01',
      Amount: 1_000_000,
      Currency: 'EUR',
    });
    await fixture.importLines([undated]);
    const patch = { op: 'patch', type: 'round', source: 'test', key: 'undated-eur' };
    await fixture.importLines([{ ...patch, Confirmed: false, occurredAt: '2021-06-01' }]);
    expect(await moneyOf('undated-eur')).toEqual(['1326100', '1000000', 'EUR']);
    await fixture.importLines([{ ...patch, Date: null }]);
    expect(await moneyOf('undated-eur')).toEqual(['1183000', '1000000', 'EUR']);
  });

  test('that a patch would leave without a rate or a day rejects the patch', async () => {
    const eur = (key: string, more: Readonly<Record<string, unknown>>) =>
      round(key, 'mover', { Amount: 1_000_000, Currency: 'EUR', ...more });
    const patch = (key: string, fields: Readonly<Record<string, unknown>>) => ({
      op: 'patch',
      type: 'round',
      source: 'test',
      key,
      ...fields,
    });
    await fixture.importLines([eur('kept', { Date: '2010-06-01' })]);
    const report = await fixture.importLines(
      [
        patch('kept', { Date: '1985-01-01' }),
        patch('kept', { Date: null }),
        // Made and patched in one import: what rests on a rejected line is rejected with it.
        round('made', 'mover'),
        patch('made', { Amount: 5, Currency: 'XYZ', occurredAt: '2011-01-01' }),
        patch('made', { Amount: 6 }),
        patch('made', { Amount: 8, Currency: 'EUR' }),
        patch('made', { Amount: 10, Currency: 'EUR', Date: '2021-01-01' }),
      ],
      { continueOnRejected: true },
    );
    expect(totalsOf(report)).toBe('read 7, inserted 1, updated 1, rejected 5');
    expect(await moneyOf('kept')).toEqual(['1326100', '1000000', 'EUR']);
    expect(await moneyOf('made')).toEqual(['12', '10', 'EUR']);
    const rejected = await fixture.sideFile('lines.rejected.ndjson');
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [1, 'there is no exchange rate for its currency on or before that day'],
      [2, 'Amount is not in US dollars and has no date to convert it at'],
      [4, 'there are no exchange rates for currency "XYZ"'],
      [5, 'there are no exchange rates for its currency'],
      [6, 'Amount is not in US dollars and has no date to convert it at'],
    ]);
    const dated = { ...patch('kept', { Amount: 7, Currency: 'GBP' }), occurredAt: '2022-01-01' };
    expect(await fixture.totals([dated])).toBe('read 1, updated 1');
    const stale = { ...patch('kept', { Date: '1985-01-01' }), occurredAt: '2020-01-01' };
    expect(await fixture.totals([stale])).toBe('read 1, stale 1');
  });

  test('raised in all is kept as written too', async () => {
    const key = { op: 'patch', type: 'startup', source: 'test', key: 'raiser' };
    const total = async (line: Readonly<Record<string, unknown>>) => {
      await fixture.importLines([line]);
      const row = await storedStartup(fixture, 'raiser');
      return [row?.total_raised, row?.total_raised_original, row?.total_raised_currency];
    };
    const eur = { TotalRaised: 1_000_000, Currency: 'EUR', occurredAt: '2010-06-01' };
    expect(await total(startup('raiser', eur))).toEqual(['1326100', '1000000', 'EUR']);
    const later = { ...key, Founded: 2001, occurredAt: '2021-06-01' };
    expect(await total(later)).toEqual(['1326100', '1000000', 'EUR']);
    expect(await total({ ...key, TotalRaised: 10 })).toEqual(['12', '10', 'EUR']);
    expect(await total({ ...key, TotalRaised: null })).toEqual([null, null, null]);
  });

  test('without a rate or a day is rejected', async () => {
    const report = await fixture.importLines(
      [
        startup('poor', { TotalRaised: 5, Currency: 'EUR' }),
        startup('rated', { TotalRaised: 5, Currency: 'EUR', occurredAt: '2013-05-05' }),
        round('x', 'rated', { Date: '2010-01-01', Amount: 1, Currency: 'XYZ' }),
        round('early', 'rated', { Date: '1960-01-01', Amount: 1, Currency: 'GBP' }),
        round('undated', 'rated', { Amount: 1, Currency: 'GBP' }),
        round('occurred', 'rated', { Amount: 1, Currency: 'GBP', occurredAt: '2013-01-01' }),
        round('no amount', 'rated', { Currency: 'XYZ' }),
      ],
      { continueOnRejected: true },
    );
    expect(totalsOf(report)).toBe('read 7, inserted 3, rejected 4');
    expect((await fixture.sideFile('lines.rejected.ndjson')).map(({ reason }) => reason)).toEqual([
      'TotalRaised is not in US dollars and has no date to convert it at',
      'there are no exchange rates for currency "XYZ"',
      'there is no exchange rate for currency "GBP" on or before that day',
      'Amount is not in US dollars and has no date to convert it at',
    ]);
    expect(await storedStartup(fixture, 'rated')).toMatchObject({ total_raised_reported: '7' });
  });

  test('of more dollars than JSON clients read exactly is rejected', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    const gbp = { Currency: 'GBP', Date: '2007-06-01' };
    const path = join(fixture.folder, 'high.csv');
    await writeFile(path, 'origin,currency,date,rate\nx,BTC,2020-01-01,90000\n');
    const report = await fixture.importLines(
      [
        startup('rich', { TotalRaised: most, Currency: 'BTC', occurredAt: '2021-01-01' }),
        startup('exact', { TotalRaised: most }),
        round('most', 'exact', { Amount: 4_499_000_000_000_000, ...gbp }),
        round('more', 'exact', { Amount: 4_502_000_000_000_000, ...gbp }),
        { op: 'patch', type: 'round', source: 'test', key: 'most', Amount: most },
        { op: 'patch', type: 'round', source: 'test', key: 'most', Amount: 5 },
      ],
      { continueOnRejected: true, ratesFile: path },
    );
    expect(totalsOf(report)).toBe('read 6, inserted 2, updated 1, rejected 3');
    const rejected = await fixture.sideFile('lines.rejected.ndjson');
    expect(rejected.map(({ line, field, reason }) => [line, field, reason])).toEqual([
      [1, 'TotalRaised', 'TotalRaised is more than 9,007,199,254,740,991 US dollars'],
      [4, 'Amount', 'Amount is more than 9,007,199,254,740,991 US dollars'],
      [5, 'Amount', 'Amount is more than 9,007,199,254,740,991 US dollars'],
    ]);
    expect(await moneyOf('most')).toEqual(['10', '5', 'GBP']);
  });

  test('in sums of rounds is at most what JSON clients read exactly', async () => {
    const Amount = Number.MAX_SAFE_INTEGER;
    const Investors = [{ type: 'fund', key: 'summed' }];
    const rounds = Array.from({ length: 1030 }, (_, n) =>
      round(`summed ${n}`, 'summed', { Amount, Date: '2020-01-01', Investors }),
    );
    expect(await fixture.totals([startup('summed'), fund('summed'), ...rounds])).toBe(
      'read 1,032, inserted 1,032',
    );
    expect(await storedStartup(fixture, 'summed')).toMatchObject({ total_raised: `${Amount}` });
    await fixture.importLines([startup('unknown sum'), round('unknown amount', 'unknown sum')]);
    expect(await storedStartup(fixture, 'unknown sum')).toMatchObject({ total_raised: null });
    expect(
      await fixture.rows(
        `SELECT amounts_sum FROM venture.holding JOIN venture.startup s ON s.id = startup_id
         WHERE s.source_key = 'summed'`,
      ),
    ).toEqual([{ amounts_sum: `${Amount}` }]);
  });

  test('without a date is converted at that of an earlier line of the file', async () => {
    const eur = (TotalRaised: number, more: Readonly<Record<string, unknown>> = {}) =>
      startup('follows', { TotalRaised, Currency: 'EUR', ...more });
    const lines = [eur(10, { occurredAt: '2010-06-01' }), eur(100)];
    expect(await fixture.totals(lines)).toBe('read 2, inserted 1, updated 1');
    expect(await storedStartup(fixture, 'follows')).toMatchObject({ total_raised: '133' });
    expect(await fixture.totals(lines)).toBe('read 2, unchanged 2');
  });

  test('of a mention of an existing record needs no rate', async () => {
    const mention = (key: string) => ({
      op: 'mention',
      ...startup(key, { TotalRaised: 5, Currency: 'XYZ' }),
    });
    await fixture.importLines([startup('mentioned')]);
    expect(await fixture.totals([mention('mentioned')])).toBe('read 1, unchanged 1');
    const created = [startup('created'), mention('created')];
    expect(await fixture.totals(created)).toBe('read 2, inserted 1, unchanged 1');
    expect(await fixture.totals([mention('unknown')])).toBe('read 1, rejected 1');
  });
});
