import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import {
  fund,
  investor,
  investorsOf,
  openImportFixture,
  person,
  round,
  startup,
  totalsOf,
} from './support.ts';

const fixture = await closedAfterAll(openImportFixture());

describe('investors of a round', () => {
  test('listed on its line follow the list; those stated by a line of their own stay', async () => {
    await fixture.importLines([startup('s'), fund('a'), fund('b'), fund('c'), person('p')]);
    const listing = (Investors: unknown) => round('r', 's', { Date: '2020-01-01', Investors });
    const a = { type: 'fund', key: 'a' };
    const b = { type: 'fund', key: 'b' };
    await fixture.importLines([
      listing([a, { ...b, Lead: true }, { type: 'person', key: 'p' }, a]),
    ]);
    await fixture.importLines([investor('r', 'c', { key: 'c1', Lead: true }), investor('r', 'b')]);
    expect(await investorsOf(fixture, 'r')).toEqual([
      { key: 'a', lead: false, alive: true },
      { key: 'b', lead: false, alive: true },
      { key: 'c', lead: true, alive: true },
      { key: 'p', lead: false, alive: true },
    ]);
    expect(await fixture.totals([listing([])])).toBe('read 1, updated 1');
    expect(
      (await investorsOf(fixture, 'r')).filter(({ alive }) => alive).map(({ key }) => key),
    ).toEqual(['b', 'c']);
    expect(await fixture.totals([listing([])])).toBe('read 1, unchanged 1');
    expect(await fixture.totals([listing([a])])).toBe('read 1, updated 1');
    expect(await fixture.totals([{ op: 'patch', ...round('r', 's'), Series: 'seed' }])).toBe(
      'read 1, updated 1',
    );
    expect(
      (await investorsOf(fixture, 'r')).filter(({ alive }) => alive).map(({ key }) => key),
    ).toEqual(['a', 'b', 'c']);
  });

  test('a stale round does not touch its list', async () => {
    await fixture.importLines([startup('ss'), fund('sf')]);
    await fixture.importLines([
      round('sr', 'ss', { occurredAt: '2024-01-02', Investors: [{ type: 'fund', key: 'sf' }] }),
    ]);
    expect(await fixture.totals([round('sr', 'ss', { occurredAt: '2024-01-01' })])).toBe(
      'read 1, stale 1',
    );
    expect(await investorsOf(fixture, 'sr')).toMatchObject([{ alive: true }]);
  });

  test('withdrawn by a line of their own do not come back by a list', async () => {
    const a = { type: 'fund', key: 'wa' };
    await fixture.importLines([startup('ws'), fund('wa'), fund('wb')]);
    for (const [key, listedAt, withdrawnAt] of [
      ['wd', '2020-01-01', '2020-06-01'],
      ['wu', undefined, undefined],
    ]) {
      const list = round(`${key}`, 'ws', { occurredAt: listedAt, Investors: [a] });
      const withdrawn = investor(`${key}`, 'wa', { op: 'delete', occurredAt: withdrawnAt });
      await fixture.importLines([list]);
      expect(await fixture.totals([withdrawn])).toBe('read 1, deleted 1');
      for (const line of [list, withdrawn]) {
        expect(await fixture.totals([line])).toBe('read 1, unchanged 1');
      }
      expect(await investorsOf(fixture, `${key}`)).toMatchObject([{ alive: false }]);
    }
  });

  test('keep the date they had when a list without one moves them', async () => {
    const list = (occurredAt: string | undefined, ...keys: readonly string[]) =>
      round('wl', 'ws', { occurredAt, Investors: keys.map((key) => ({ type: 'fund', key })) });
    await fixture.importLines([list('2021-01-01', 'wa', 'wb')]);
    await fixture.importLines([list(undefined, 'wb')]);
    expect(await fixture.totals([investor('wl', 'wa', { occurredAt: '2020-01-01' })])).toBe(
      'read 1, stale 1',
    );
  });

  test('may be listed and withdrawn or changed in one import', async () => {
    const list = round('wn', 'ws', {
      occurredAt: '2024-02-01',
      Investors: ['wa', 'wb'].map((key) => ({ type: 'fund', key })),
    });
    const lines = [
      list,
      investor('wn', 'wa', { op: 'delete' }),
      investor('wn', 'wb', { op: 'patch', Lead: true }),
    ];
    expect(await fixture.totals(lines)).toBe('read 3, inserted 1, updated 1, deleted 1');
    expect(await investorsOf(fixture, 'wn')).toEqual([
      { key: 'wa', lead: false, alive: false },
      { key: 'wb', lead: true, alive: true },
    ]);
    expect(await fixture.totals(lines)).toBe('read 3, unchanged 3');
    // A stale list adds no participants.
    const stale = round('wn', 'ws', {
      occurredAt: '2024-01-01',
      Investors: [{ type: 'fund', key: 'a' }],
    });
    const rejected = await fixture.importLines([stale, investor('wn', 'a', { op: 'delete' })]);
    expect(totalsOf(rejected)).toBe('read 2, rejected 1, unapplied 1');
    expect(await fixture.sideFile('lines.rejected.ndjson')).toMatchObject([
      {
        reason:
          'investor of Round {"key":"wn"} and Investor {"type":"fund","key":"a"} does not exist, ' +
          'so it cannot be deleted',
      },
    ]);
  });

  describe.each([
    { op: 'patch', more: { Lead: true }, left: { lead: true, alive: true } },
    { op: 'delete', more: {}, left: { lead: false, alive: false } },
  ])('whose list waits for what a later line makes may be changed: $op', ({ op, more, left }) => {
    const listed = (...keys: readonly string[]) => keys.map((key) => ({ type: 'fund', key }));
    test.each([
      {
        what: 'new fund',
        stored: (key: string) => [startup(key), round(key, key)],
        made: fund,
        // The second list takes back only what no line of type investor states.
        lists: (key: string) => [listed('a', 'b', key), listed('b', key)],
      },
      {
        what: 'new startup',
        stored: (key: string) => [startup(`old ${key}`), round(key, `old ${key}`)],
        made: startup,
        lists: () => [listed('a', 'b'), listed('b')],
      },
      {
        what: 'second line of a new round',
        stored: (key: string) => [startup(key)],
        made: fund,
        lists: (key: string) => [listed('b'), listed('a', 'b', key), listed('b', key)],
      },
    ])('$what', async ({ what, stored, made, lists }) => {
      const counts = new Set<string>();
      for (const order of ['first', 'last']) {
        const key = `${op} ${what} ${order}`;
        await fixture.importLines(stored(key));
        const rounds = lists(key).map((Investors) => round(key, key, { Investors }));
        const change = investor(key, 'a', { op, ...more });
        const lines = [...rounds.slice(0, -1), change, ...rounds.slice(-1)];
        counts.add(
          await fixture.totals(order === 'first' ? [made(key), ...lines] : [...lines, made(key)]),
        );
        const [a, b] = await investorsOf(fixture, key);
        expect([a, b]).toEqual([
          { key: 'a', ...left },
          { key: 'b', lead: false, alive: true },
        ]);
      }
      expect([...counts]).toEqual([expect.not.stringMatching(/rejected/u)]);
    });
  });

  test('make the fund hold the company', async () => {
    expect(
      await fixture.rows(
        `SELECT h.stated, h.rounds_count FROM venture.holding h
         JOIN venture.fund f ON f.id = h.fund_id WHERE f.source_key = 'c'`,
      ),
    ).toEqual([{ stated: false, rounds_count: 1 }]);
  });

  test('a round without a stated stage has the one that its series names', async () => {
    await fixture.importLines([
      startup('st'),
      round('st1', 'st', { Series: 'SERIES b' }),
      round('st2', 'st', { Series: 'Serie B bis' }),
      round('st3', 'st', { Series: 'seed', Stage: null }),
      round('st4', 'st', { Series: 'seed', Stage: 'Angel' }),
    ]);
    expect(
      await fixture.rows(
        `SELECT source_key, series, stage FROM venture.funding_round
         WHERE source_key LIKE 'st_' ORDER BY source_key`,
      ),
    ).toEqual([
      { source_key: 'st1', series: 'SERIES b', stage: 5 },
      { source_key: 'st2', series: 'Serie B bis', stage: null },
      { source_key: 'st3', series: 'seed', stage: 3 },
      { source_key: 'st4', series: 'seed', stage: 2 },
    ]);
  });

  test('a patch of the series changes the stage that it names, and no stated one', async () => {
    const stages = async () =>
      (
        await fixture.rows(
          `SELECT stage FROM venture.funding_round WHERE source_key LIKE 'kept_' ORDER BY source_key`,
        )
      ).map(({ stage }) => stage);
    const patched = async (...fields: readonly object[]) => {
      const lines = ['kept1', 'kept2'].map((key) => ({ ...round(key, 'kept'), op: 'patch' }));
      await fixture.importLines(lines.map((line, index) => ({ ...line, ...fields[index] })));
      return stages();
    };
    await fixture.importLines([
      startup('kept'),
      round('kept1', 'kept', { Series: 'Series A', Stage: 'Seed' }),
      round('kept2', 'kept', { Series: 'Series A' }),
    ]);
    expect(await stages()).toEqual([3, 4]);
    const Series = 'Series B';
    expect(await patched({ Series }, { Series })).toEqual([3, 5]);
    expect(await patched({ Stage: null }, { Stage: 'Angel' })).toEqual([5, 2]);
    expect(await patched({ Series: null }, { Series: 'Series C' })).toEqual([null, 2]);
    expect(await patched({ Amount: 5 }, { Stage: null })).toEqual([null, 6]);
  });
});
