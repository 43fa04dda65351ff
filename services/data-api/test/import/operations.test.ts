import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordId } from '../../src/import/index.ts';
import {
  fund,
  type ImportWorld,
  nonZero,
  openImportWorld,
  round,
  startup,
  sumsAgree,
} from './support.ts';

let world: ImportWorld;
beforeAll(async () => {
  world = await openImportWorld();
});
afterAll(() => world.close());

const stored = async (key: string) => {
  const [row] = await world.rows<Record<string, unknown>>(
    'SELECT * FROM venture.startup WHERE id = $1',
    [recordId('startup', 'test', key)],
  );
  return row;
};

describe('upsert', () => {
  test('makes a record with every field; its Id follows from type, source and key', async () => {
    const report = await world.importLines([
      startup('whole', {
        occurredAt: '2024-05-01T10:00:00+02:00',
        Website: ' Https://WWW.Whole.Example/About ',
        Description: 'Whole.\u0000',
        LogoUrl: 'whole.example/logo.png',
        Founded: 2011,
        TotalRaised: 1_000_000.5,
        Tags: ['Fintech', ' Fintech ', 'Deep  Tech'],
        Addresses: [
          { Street: '1 Main St', PostalCode: '94107', City: 'Oslo', Country: 'Norway' },
          { City: 'Bergen', Country: 'Norway' },
          { City: ' ' },
        ],
        MembersCount: 42,
        NextFundingStage: 'series-b',
        PrimarySource: 'Fund website',
        OperatingStatus: 'Active',
        SourceUrl: 'https://source.example/whole',
      }),
    ]);
    expect(nonZero(report.total)).toEqual({ read: 1, inserted: 1 });
    expect(await stored('whole')).toMatchObject({
      name: 'Company whole',
      website: 'https://www.whole.example/About',
      domain: 'whole.example',
      description: 'Whole.',
      logo_url: 'http://whole.example/logo.png',
      founded: 2011,
      total_raised_reported: '1000001',
      tags: ['Fintech', 'Deep Tech'],
      addresses: [
        { Street: '1 Main St', PostalCode: '94107', City: 'Oslo', Country: 'Norway' },
        { City: 'Bergen', Country: 'Norway' },
      ],
      cities: ['Oslo', 'Bergen'],
      location: 'Oslo',
      members_count: 42,
      next_funding_stage_stated: 5,
      primary_source: 'FundWebsite',
      operating_status_stated: 'Active',
      operating_status_source: 'editor',
      source: 'test',
      source_key: 'whole',
      source_url: 'https://source.example/whole',
      occurred_at: new Date('2024-05-01T08:00:00Z'),
      revision: '1',
      deleted_at: null,
    });
  });

  test('the same again writes nothing: no revision, no new row version', async () => {
    const line = startup('again', { Tags: ['A'], City: 'Rome', Founded: 1999 });
    await world.importLines([line]);
    const [before] = await world.rows('SELECT xmin, revision FROM venture.startup WHERE id = $1', [
      recordId('startup', 'test', 'again'),
    ]);
    const report = await world.importLines([line]);
    expect(nonZero(report.total)).toEqual({ read: 1, unchanged: 1 });
    const [after] = await world.rows('SELECT xmin, revision FROM venture.startup WHERE id = $1', [
      recordId('startup', 'test', 'again'),
    ]);
    expect(after).toEqual(before);
  });

  test('a field left out becomes unknown', async () => {
    await world.importLines([startup('less', { Founded: 2000, Tags: ['A'], TotalRaised: 5 })]);
    const report = await world.importLines([startup('less', { Tags: ['B'] })]);
    expect(nonZero(report.total)).toEqual({ read: 1, updated: 1 });
    expect(await stored('less')).toMatchObject({
      founded: null,
      tags: ['B'],
      total_raised_reported: null,
      revision: '2',
    });
  });

  test('a source may use one key for records of two types', async () => {
    const report = await world.importLines([startup('shared'), fund('shared')]);
    expect(nonZero(report.byType.get('startup'))).toEqual({ read: 1, inserted: 1 });
    expect(nonZero(report.byType.get('fund'))).toEqual({ read: 1, inserted: 1 });
    expect(recordId('startup', 'test', 'shared')).not.toBe(recordId('fund', 'test', 'shared'));
    expect(recordId('startup', 'a', 'b')).toBe('4e1b4cbe-3674-58e7-a02b-12eb98d5a8c2');
  });
});

describe('patch', () => {
  test('touches only the fields given, and null clears one', async () => {
    await world.importLines([startup('patched', { Founded: 2001, Tags: ['A'], City: 'Rome' })]);
    const report = await world.importLines([
      { op: 'patch', type: 'startup', source: 'test', key: 'patched', Founded: null, Name: 'New' },
    ]);
    expect(nonZero(report.total)).toEqual({ read: 1, updated: 1 });
    expect(await stored('patched')).toMatchObject({
      name: 'New',
      founded: null,
      tags: ['A'],
      cities: ['Rome'],
    });
  });

  test('of City, Region or Country changes that of the first address alone', async () => {
    const patch = async (fields: Readonly<Record<string, unknown>>) => {
      await world.importLines([
        { op: 'patch', type: 'startup', source: 'test', key: 'moved', ...fields },
      ]);
      return (await stored('moved'))?.addresses;
    };
    const branch = { City: 'Rome', Country: 'Italy' };
    await world.importLines([
      startup('moved', {
        Addresses: [{ Street: '1 Quay', City: 'Oslo', Region: 'Oslo', Country: 'Norway' }, branch],
      }),
    ]);
    expect(await patch({ City: 'bergen ', Region: null })).toEqual([
      { Street: '1 Quay', City: 'Bergen', Country: 'Norway' },
      branch,
    ]);
    expect(await stored('moved')).toMatchObject({
      location: 'Bergen',
      countries: ['Norway', 'Italy'],
    });
    expect(await patch({ Addresses: [{ City: 'Lima' }, branch] })).toEqual([
      { City: 'Lima' },
      branch,
    ]);
    expect(await patch({ City: null })).toEqual([branch]);
    expect(await patch({ Addresses: null })).toEqual([]);
    expect(await patch({ Country: 'Peru' })).toEqual([{ Country: 'Peru' }]);
  });

  test('or upsert that says twice where a company is has to choose', async () => {
    const where = { Addresses: [{ Street: 'x' }], Country: 'Norway' };
    const report = await world.importLines([
      startup('twofold', where),
      startup('twofold', { ...where, Country: null }),
      { op: 'patch', type: 'startup', source: 'test', key: 'twofold', Addresses: null, City: 'x' },
    ]);
    expect(nonZero(report.total)).toEqual({ read: 3, rejected: 2, unapplied: 1 });
    expect(await world.sideFile('lines.rejected.ndjson')).toMatchObject([
      { line: 1, reason: 'Country is short for one address: Addresses has it already' },
      { line: 3, reason: 'City is short for one address: Addresses has it already' },
    ]);
  });

  test('that gives nothing new is unchanged', async () => {
    await world.importLines([startup('same', { Founded: 2001 })]);
    const patch = { op: 'patch', type: 'startup', source: 'test', key: 'same' };
    const report = await world.importLines([patch, { ...patch, Founded: 2001 }]);
    expect(nonZero(report.total)).toEqual({ read: 2, unchanged: 2 });
  });

  test('of a record nobody has is rejected, but not of one an earlier line makes', async () => {
    const patch = (key: string) => ({
      op: 'patch',
      type: 'startup',
      source: 'test',
      key,
      Founded: 1,
    });
    const lines = [
      { ...patch('late'), Founded: 2002 },
      startup('late'),
      { ...patch('late'), Founded: 2003 },
    ];
    const refused = await world.importLines(lines);
    expect(refused.state).toBe('refused');
    expect(nonZero(refused.total)).toEqual({ read: 3, rejected: 1, unapplied: 2 });
    expect(await stored('late')).toBeUndefined();
    expect(await world.sideFile('lines.rejected.ndjson')).toMatchObject([
      { line: 1, type: 'startup', reason: 'there is no startup "late" of "test" to patch' },
    ]);
    const applied = await world.importLines(lines, { continueOnRejected: true });
    expect(nonZero(applied.total)).toEqual({ read: 3, inserted: 1, updated: 1, rejected: 1 });
    expect(await stored('late')).toMatchObject({ founded: 2003 });
  });
});

describe('delete', () => {
  const gone = { op: 'delete', type: 'startup', source: 'test', key: 'gone' };

  test('leaves a tombstone, and a later upsert revives it', async () => {
    await world.importLines([startup('gone', { Founded: 1990 })]);
    expect(nonZero((await world.importLines([gone])).total)).toEqual({ read: 1, deleted: 1 });
    const [{ deleted_at: deletedAt } = {}] = [await stored('gone')];
    expect(deletedAt).toBeInstanceOf(Date);
    expect(nonZero((await world.importLines([gone])).total)).toEqual({ read: 1, unchanged: 1 });
    expect(await stored('gone')).toMatchObject({ deleted_at: deletedAt, revision: '2' });
    const revived = await world.importLines([startup('gone', { Founded: 1990 })]);
    expect(nonZero(revived.total)).toEqual({ read: 1, inserted: 1 });
    expect(await stored('gone')).toMatchObject({ deleted_at: null, revision: '3', founded: 1990 });
  });

  test('ends what patches may change, until the record is back', async () => {
    const patch = { ...gone, op: 'patch', key: 'buried', Founded: 1991 };
    const bury = { ...gone, key: 'buried' };
    await world.importLines([startup('buried', { occurredAt: '2024-01-01' })]);
    const lines = [bury, patch, { ...patch, occurredAt: '2023-01-01' }, startup('buried'), patch];
    const within = await world.importLines(lines, { continueOnRejected: true });
    expect(nonZero(within.total)).toEqual({
      read: 5,
      inserted: 1,
      updated: 1,
      deleted: 1,
      stale: 1,
      rejected: 1,
    });
    expect(await world.sideFile('lines.rejected.ndjson')).toMatchObject([
      { line: 2, reason: 'there is no startup "buried" of "test" to patch' },
    ]);
    // A file that patches and deletes may come again.
    for (const outcome of [{ updated: 1, deleted: 1 }, { unchanged: 2 }]) {
      const twice = await world.importLines([{ ...patch, Founded: 1992 }, bury]);
      expect(nonZero(twice.total)).toEqual({ read: 2, ...outcome });
    }
    const after = await world.importLines([patch, { ...patch, occurredAt: '2023-01-01' }]);
    expect(nonZero(after.total)).toEqual({ read: 2, rejected: 1, unapplied: 1 });
    expect(await stored('buried')).toMatchObject({ founded: 1992, deleted_at: expect.any(Date) });
  });

  test('of a record nobody has is rejected', async () => {
    const report = await world.importLines([{ ...gone, key: 'never' }]);
    expect(report.state).toBe('refused');
    expect(await world.sideFile('lines.rejected.ndjson')).toMatchObject([
      { line: 1, reason: 'there is no startup "never" of "test" to delete' },
    ]);
  });
});

describe('mention', () => {
  test('makes an unknown record and leaves a known one as it is', async () => {
    const mention = { ...startup('named'), op: 'mention', Founded: 2020 };
    const first = await world.importLines([mention, { ...mention, Founded: 2021 }]);
    expect(nonZero(first.total)).toEqual({ read: 2, inserted: 1, unchanged: 1 });
    expect(await stored('named')).toMatchObject({ founded: 2020 });
    const again = await world.importLines([{ ...mention, Founded: 1980 }]);
    expect(nonZero(again.total)).toEqual({ read: 1, unchanged: 1 });
    expect(await stored('named')).toMatchObject({ founded: 2020 });
  });

  test('does not revive', async () => {
    await world.importLines([startup('dead')]);
    await world.importLines([{ op: 'delete', type: 'startup', source: 'test', key: 'dead' }]);
    const report = await world.importLines([{ ...startup('dead'), op: 'mention' }]);
    expect(nonZero(report.total)).toEqual({ read: 1, unchanged: 1 });
  });
});

describe('occurredAt', () => {
  const dated = (key: string, occurredAt: string, Founded: number) =>
    startup(key, { occurredAt, Founded });

  test('a line older than the last applied is stale, one as old is compared', async () => {
    await world.importLines([dated('old', '2024-03-01', 2000)]);
    const report = await world.importLines([
      dated('old', '2024-02-29T23:59:59.999Z', 1999),
      dated('old', '2024-03-01T00:00:00Z', 2000),
      dated('old', '2024-03-01T00:00:00Z', 2001),
    ]);
    expect(nonZero(report.total)).toEqual({ read: 3, stale: 1, unchanged: 1, updated: 1 });
    expect(await stored('old')).toMatchObject({ founded: 2001 });
  });

  test('a newer line that says nothing new still dates the record', async () => {
    await world.importLines([dated('fresh', '2024-01-01', 2000)]);
    await world.importLines([dated('fresh', '2024-06-01', 2000)]);
    expect(await stored('fresh')).toMatchObject({
      occurred_at: new Date('2024-06-01T00:00:00Z'),
      revision: '1',
    });
    const late = await world.importLines([dated('fresh', '2024-03-01', 1998)]);
    expect(nonZero(late.total)).toEqual({ read: 1, stale: 1 });
  });

  test('a whole history comes again without effect', async () => {
    const history = [
      dated('story', '2024-01-01', 2000),
      dated('story', '2024-02-01', 2001),
      { op: 'delete', type: 'startup', source: 'test', key: 'story', occurredAt: '2024-03-01' },
      dated('story', '2024-04-01', 2003),
    ];
    const first = await world.importLines(history);
    expect(nonZero(first.total)).toEqual({ read: 4, inserted: 2, updated: 1, deleted: 1 });
    const before = await stored('story');
    const again = await world.importLines(history);
    expect(nonZero(again.total)).toEqual({ read: 4, stale: 3, unchanged: 1 });
    expect(await stored('story')).toEqual(before);
  });

  test('undated lines of one record apply in order, and come again without effect', async () => {
    const lines = ['A', 'B', 'A', 'B'].map((Name) => startup('abab', { Name }));
    const first = await world.importLines(lines);
    expect(nonZero(first.total)).toEqual({ read: 4, inserted: 1, updated: 3 });
    expect(await stored('abab')).toMatchObject({ name: 'B', revision: '4' });
    const again = await world.importLines(lines);
    expect(nonZero(again.total)).toEqual({ read: 4, unchanged: 4 });
    expect(await stored('abab')).toMatchObject({ name: 'B', revision: '4' });
    await world.importLines([startup('abab', { Name: 'C' })]);
    const since = await world.importLines(lines);
    expect(nonZero(since.total)).toEqual({ read: 4, updated: 4 });
  });

  test('lines of one date come again without effect, also with an older one between', async () => {
    const lines = [
      dated('between', '2024-01-03', 2000),
      dated('between', '2024-01-01', 1999),
      dated('between', '2024-01-03', 2001),
    ];
    const first = await world.importLines(lines);
    expect(nonZero(first.total)).toEqual({ read: 3, inserted: 1, stale: 1, updated: 1 });
    const again = await world.importLines(lines);
    expect(nonZero(again.total)).toEqual({ read: 3, unchanged: 3 });
    expect(await stored('between')).toMatchObject({ founded: 2001, revision: '2' });
  });

  test('a line that repeats the one before word for word is a duplicate', async () => {
    const line = startup('twice', { Founded: 2000 });
    const report = await world.importLines([line, line, startup('twice'), line]);
    expect(nonZero(report.total)).toEqual({ read: 4, inserted: 1, updated: 2, duplicate: 1 });
    expect(sumsAgree(report)).toBe(true);
  });
});

describe('money', () => {
  test('is kept as written and in dollars at the rate of its day', async () => {
    await world.importLines([
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
      await world.rows(
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
    expect(await stored('money')).toMatchObject({
      total_raised: '1327335',
      latest_post_valuation: '51231000',
    });
  });

  const moneyOf = async (key: string) => {
    const [row] = await world.rows<Readonly<Record<string, string | null>>>(
      `SELECT amount, original_amount, original_currency FROM venture.funding_round
       WHERE source_key = $1`,
      [key],
    );
    return row === undefined ? [] : Object.values(row);
  };

  test('follows a patch of its date, its amount or its currency', async () => {
    const key = { type: 'round', source: 'test', key: 'moving' };
    const patch = async (fields: Readonly<Record<string, unknown>>) => {
      await world.importLines([{ op: 'patch', ...key, ...fields }]);
      return moneyOf('moving');
    };
    await world.importLines([
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
    await world.importLines([undated]);
    const patch = { op: 'patch', type: 'round', source: 'test', key: 'undated-eur' };
    await world.importLines([{ ...patch, Confirmed: false, occurredAt: '2021-06-01' }]);
    expect(await moneyOf('undated-eur')).toEqual(['1326100', '1000000', 'EUR']);
    await world.importLines([{ ...patch, Date: null }]);
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
    await world.importLines([eur('kept', { Date: '2010-06-01' })]);
    const report = await world.importLines(
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
    expect(nonZero(report.total)).toEqual({ read: 7, inserted: 1, updated: 1, rejected: 5 });
    expect(await moneyOf('kept')).toEqual(['1326100', '1000000', 'EUR']);
    expect(await moneyOf('made')).toEqual(['12', '10', 'EUR']);
    const rejected = await world.sideFile('lines.rejected.ndjson');
    expect(rejected.map(({ line, reason }) => [line, reason])).toEqual([
      [1, 'there is no rate for its currency on that day or before'],
      [2, 'Amount is not in US dollars and has no date to convert it at'],
      [4, 'there are no rates for the currency "XYZ"'],
      [5, 'there are no rates for its currency'],
      [6, 'Amount is not in US dollars and has no date to convert it at'],
    ]);
    const dated = { ...patch('kept', { Amount: 7, Currency: 'GBP' }), occurredAt: '2022-01-01' };
    expect(nonZero((await world.importLines([dated])).total)).toEqual({ read: 1, updated: 1 });
    const stale = { ...patch('kept', { Date: '1985-01-01' }), occurredAt: '2020-01-01' };
    expect(nonZero((await world.importLines([stale])).total)).toEqual({ read: 1, stale: 1 });
  });

  test('raised in all is kept as written too', async () => {
    const key = { op: 'patch', type: 'startup', source: 'test', key: 'raiser' };
    const total = async (line: Readonly<Record<string, unknown>>) => {
      await world.importLines([line]);
      const row = await stored('raiser');
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
    const report = await world.importLines(
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
    expect(nonZero(report.total)).toEqual({ read: 7, inserted: 3, rejected: 4 });
    expect((await world.sideFile('lines.rejected.ndjson')).map(({ reason }) => reason)).toEqual([
      'TotalRaised is not in US dollars and has no date to convert it at',
      'there are no rates for the currency "XYZ"',
      'there is no rate for the currency "GBP" on that day or before',
      'Amount is not in US dollars and has no date to convert it at',
    ]);
    expect(await stored('rated')).toMatchObject({ total_raised_reported: '7' });
  });
});
