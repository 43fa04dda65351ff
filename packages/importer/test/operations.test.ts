// Tests docs/spec/import.md 14.2.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { recordId } from '../src/index.ts';
import {
  fund,
  nonZero,
  observation,
  openImportFixture,
  startup,
  storedStartup,
  totalsOf,
} from './support.ts';

const fixture = await closedAfterAll(openImportFixture());

test('an observation of an address that no index can contain is rejected', async () => {
  const observed = (length: number) => {
    // Without repetitions that PostgreSQL would compress.
    const name = Array.from({ length }, (_, n) =>
      String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
    );
    return observation({ Kind: 'social', Url: `https://x.example/${name.join('')}` });
  };
  // 10 bytes of the host and the slash, and three of each character.
  const report = await fixture.importLines(
    [startup('acme'), observed(863), observed(864), observed(1900)],
    { continueOnRejected: true },
  );
  expect(totalsOf(report)).toBe('read 4, inserted 2, rejected 2');
  const reason = 'Url must have at most 2,600 bytes of UTF-8 in host and path';
  const rejected = await fixture.sideFile('lines.rejected.ndjson');
  expect(rejected.map(({ reason }) => reason)).toEqual([reason, reason]);
});

test('tags of more text than a full-text document can contain are stored', async () => {
  let seed = 1;
  const word = () =>
    Array.from({ length: 99 }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return String.fromCodePoint(0x4e00 + (seed % 20_000));
    }).join('');
  const Tags = Array.from({ length: 1000 }, () => `${word()}-${word()}`);
  const long = (more: Readonly<Record<string, unknown>> = {}) => startup('long', { Tags, ...more });
  expect(await fixture.totals([startup('ok'), long()])).toBe('read 2, inserted 2');
  expect(await fixture.totals([long({ Founded: 2001, Name: 'Other' })])).toBe('read 1, updated 1');
  expect(await fixture.rows('SELECT max(cardinality(tags)) FROM venture.startup')).toEqual([
    { max: 1000 },
  ]);
});

test('a website whose host no index can contain becomes unknown', async () => {
  const labels = Array.from({ length: 150 }, (_, n) =>
    Array.from({ length: 10 }, (_, at) =>
      String.fromCodePoint(0x4e00 + ((n * 977 + at * 7919 + n * at * 31) % 20_000)),
    ).join(''),
  );
  const Website = `http://${labels.join('.')}.com`;
  const report = await fixture.importLines([startup('idn', { Website }), startup('idn-ok')]);
  expect(totalsOf(report)).toBe('read 2, inserted 2');
  expect(await storedStartup(fixture, 'idn')).toMatchObject({ website: null, domain: null });
  expect(await fixture.sideFile('lines.repaired.ndjson')).toMatchObject([
    { line: 1, field: 'Website', done: 'not a valid URL' },
  ]);
});

describe('upsert', () => {
  test('makes a record with every field; its Id follows from type, source and key', async () => {
    const report = await fixture.importLines([
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
    expect(totalsOf(report)).toBe('read 1, inserted 1');
    expect(await storedStartup(fixture, 'whole')).toMatchObject({
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
    await fixture.importLines([line]);
    const [before] = await fixture.rows(
      'SELECT xmin, revision FROM venture.startup WHERE id = $1',
      [recordId('startup', 'test', 'again')],
    );
    expect(await fixture.totals([line])).toBe('read 1, unchanged 1');
    const [after] = await fixture.rows('SELECT xmin, revision FROM venture.startup WHERE id = $1', [
      recordId('startup', 'test', 'again'),
    ]);
    expect(after).toEqual(before);
  });

  test('a field left out becomes unknown', async () => {
    await fixture.importLines([startup('less', { Founded: 2000, Tags: ['A'], TotalRaised: 5 })]);
    expect(await fixture.totals([startup('less', { Tags: ['B'] })])).toBe('read 1, updated 1');
    expect(await storedStartup(fixture, 'less')).toMatchObject({
      founded: null,
      tags: ['B'],
      total_raised_reported: null,
      revision: '2',
    });
  });

  test('a source may use one key for records of two types', async () => {
    const report = await fixture.importLines([startup('shared'), fund('shared')]);
    expect(nonZero(report.byType.get('startup'))).toEqual({ read: 1, inserted: 1 });
    expect(nonZero(report.byType.get('fund'))).toEqual({ read: 1, inserted: 1 });
    expect(recordId('startup', 'test', 'shared')).not.toBe(recordId('fund', 'test', 'shared'));
    expect(recordId('startup', 'a', 'b')).toBe('4e1b4cbe-3674-58e7-a02b-12eb98d5a8c2');
  });
});

describe('patch', () => {
  test('touches only the fields given, and null clears one', async () => {
    await fixture.importLines([startup('patched', { Founded: 2001, Tags: ['A'], City: 'Rome' })]);
    const report = await fixture.importLines([
      { op: 'patch', type: 'startup', source: 'test', key: 'patched', Founded: null, Name: 'New' },
    ]);
    expect(totalsOf(report)).toBe('read 1, updated 1');
    expect(await storedStartup(fixture, 'patched')).toMatchObject({
      name: 'New',
      founded: null,
      tags: ['A'],
      cities: ['Rome'],
    });
  });

  test('of the site keeps the identifiers and adds its own; one of Identifiers replaces them', async () => {
    const profile = { Scheme: 'linkedin', Value: 'https://www.linkedin.com/company/Acme/' };
    const stored = async (line: Readonly<Record<string, unknown>>) => {
      await fixture.importLines([{ ...startup('known'), Name: undefined, op: 'patch', ...line }]);
      return (await storedStartup(fixture, 'known'))?.identifiers;
    };
    const Website = 'https://acme.example';
    const whole = { op: 'upsert', Name: 'Acme', Website };
    expect(await stored({ ...whole, Identifiers: ['twitter:@Acme', profile, 'x:acme'] })).toEqual([
      ...['domain:acme.example', 'x:acme', 'linkedin:acme'],
    ]);
    const moved = ['domain:acme.example', 'x:acme', 'linkedin:acme', 'domain:acme2.example'];
    expect(await stored({ Website: 'acme2.example' })).toEqual(moved);
    expect(await stored({ Website: 'https://acme2.example/' })).toEqual(moved);
    expect(await stored({ Website: null })).toEqual(moved);
    expect(await stored({ Name: 'Acme 2' })).toEqual(moved);
    expect(await stored({ Identifiers: ['wikidata:q1'] })).toEqual(['wikidata:Q1']);
    expect(await stored({ Identifiers: null })).toEqual([]);
    expect(await stored(whole)).toEqual(['domain:acme.example']);
  });

  test('of City, Region or Country changes that of the first address alone', async () => {
    const patch = async (fields: Readonly<Record<string, unknown>>) => {
      await fixture.importLines([
        { op: 'patch', type: 'startup', source: 'test', key: 'moved', ...fields },
      ]);
      return (await storedStartup(fixture, 'moved'))?.addresses;
    };
    const branch = { City: 'Rome', Country: 'Italy' };
    await fixture.importLines([
      startup('moved', {
        Addresses: [{ Street: '1 Quay', City: 'Oslo', Region: 'Oslo', Country: 'Norway' }, branch],
      }),
    ]);
    expect(await patch({ City: 'bergen ', Region: null })).toEqual([
      { Street: '1 Quay', City: 'Bergen', Country: 'Norway' },
      branch,
    ]);
    expect(await storedStartup(fixture, 'moved')).toMatchObject({
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
    const report = await fixture.importLines([
      startup('twofold', where),
      startup('twofold', { ...where, Country: null }),
      { op: 'patch', type: 'startup', source: 'test', key: 'twofold', Addresses: null, City: 'x' },
    ]);
    expect(totalsOf(report)).toBe('read 3, rejected 2, unapplied 1');
    expect(await fixture.sideFile('lines.rejected.ndjson')).toMatchObject([
      { line: 1, reason: 'Country cannot be combined with Addresses' },
      { line: 3, reason: 'City cannot be combined with Addresses' },
    ]);
  });

  test('that gives nothing new is unchanged', async () => {
    await fixture.importLines([startup('same', { Founded: 2001 })]);
    const patch = { op: 'patch', type: 'startup', source: 'test', key: 'same' };
    expect(await fixture.totals([patch, { ...patch, Founded: 2001 }])).toBe('read 2, unchanged 2');
  });

  test('of an unknown record is rejected, but not of one that an earlier line creates', async () => {
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
    const rejected = await fixture.importLines(lines);
    expect(rejected.state).toBe('rejected');
    expect(totalsOf(rejected)).toBe('read 3, rejected 1, unapplied 2');
    expect(await storedStartup(fixture, 'late')).toBeUndefined();
    expect(await fixture.sideFile('lines.rejected.ndjson')).toMatchObject([
      {
        line: 1,
        type: 'startup',
        reason: 'startup "late" of "test" does not exist, so it cannot be patched',
      },
    ]);
    expect(await fixture.totals(lines, { continueOnRejected: true })).toBe(
      'read 3, inserted 1, updated 1, rejected 1',
    );
    expect(await storedStartup(fixture, 'late')).toMatchObject({ founded: 2003 });
  });
});

describe('delete', () => {
  const gone = { op: 'delete', type: 'startup', source: 'test', key: 'gone' };

  test('leaves a tombstone, and a later upsert revives it', async () => {
    await fixture.importLines([startup('gone', { Founded: 1990 })]);
    expect(await fixture.totals([gone])).toBe('read 1, deleted 1');
    const [{ deleted_at: deletedAt } = {}] = [await storedStartup(fixture, 'gone')];
    expect(deletedAt).toBeInstanceOf(Date);
    expect(await fixture.totals([gone])).toBe('read 1, unchanged 1');
    expect(await storedStartup(fixture, 'gone')).toMatchObject({
      deleted_at: deletedAt,
      revision: '2',
    });
    expect(await fixture.totals([startup('gone', { Founded: 1990 })])).toBe('read 1, inserted 1');
    expect(await storedStartup(fixture, 'gone')).toMatchObject({
      deleted_at: null,
      revision: '3',
      founded: 1990,
    });
  });

  test('ends what patches may change, until the record is back', async () => {
    const patch = { ...gone, op: 'patch', key: 'buried', Founded: 1991 };
    const bury = { ...gone, key: 'buried' };
    await fixture.importLines([startup('buried', { occurredAt: '2024-01-01' })]);
    const lines = [bury, patch, { ...patch, occurredAt: '2023-01-01' }, startup('buried'), patch];
    expect(await fixture.totals(lines, { continueOnRejected: true })).toBe(
      'read 5, inserted 1, updated 1, deleted 1, stale 1, rejected 1',
    );
    expect(await fixture.sideFile('lines.rejected.ndjson')).toMatchObject([
      { line: 2, reason: 'startup "buried" of "test" does not exist, so it cannot be patched' },
    ]);
    // A file that patches and deletes may come again.
    for (const outcome of [{ updated: 1, deleted: 1 }, { unchanged: 2 }]) {
      const twice = await fixture.importLines([{ ...patch, Founded: 1992 }, bury]);
      expect(nonZero(twice.total)).toEqual({ read: 2, ...outcome });
    }
    expect(await fixture.totals([patch, { ...patch, occurredAt: '2023-01-01' }])).toBe(
      'read 2, rejected 1, unapplied 1',
    );
    expect(await storedStartup(fixture, 'buried')).toMatchObject({
      founded: 1992,
      deleted_at: expect.any(Date),
    });
  });

  test('of an unknown record is rejected', async () => {
    const report = await fixture.importLines([{ ...gone, key: 'never' }]);
    expect(report.state).toBe('rejected');
    expect(await fixture.sideFile('lines.rejected.ndjson')).toMatchObject([
      { line: 1, reason: 'startup "never" of "test" does not exist, so it cannot be deleted' },
    ]);
  });
});

describe('mention', () => {
  test('makes an unknown record and leaves a known one as it is', async () => {
    const mention = { ...startup('named'), op: 'mention', Founded: 2020 };
    expect(await fixture.totals([mention, { ...mention, Founded: 2021 }])).toBe(
      'read 2, inserted 1, unchanged 1',
    );
    expect(await storedStartup(fixture, 'named')).toMatchObject({ founded: 2020 });
    expect(await fixture.totals([{ ...mention, Founded: 1980 }])).toBe('read 1, unchanged 1');
    expect(await storedStartup(fixture, 'named')).toMatchObject({ founded: 2020 });
  });

  test('does not revive', async () => {
    await fixture.importLines([startup('dead')]);
    await fixture.importLines([{ op: 'delete', type: 'startup', source: 'test', key: 'dead' }]);
    expect(await fixture.totals([{ ...startup('dead'), op: 'mention' }])).toBe(
      'read 1, unchanged 1',
    );
  });
});
