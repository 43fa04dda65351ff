// Tests docs/spec/import.md 14.2.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { recordId } from '../src/index.ts';
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

describe('references', () => {
  test('may point at what a later line makes: the line is applied behind it', async () => {
    const report = await fixture.importLines([
      { type: 'holding', source: 'test', Fund: { key: 'fw' }, Startup: { key: 'fw' } },
      investor('fw', 'fw'),
      round('fw', 'fw', { Amount: 5, Date: '2020-01-01' }),
      { op: 'patch', ...round('fw', 'fw'), Amount: 7 },
      fund('fw'),
      startup('fw'),
    ]);
    expect(totalsOf(report)).toBe('read 6, inserted 5, updated 1');
    expect(await investorsOf(fixture, 'fw')).toEqual([{ key: 'fw', lead: false, alive: true }]);
    expect(
      await fixture.rows('SELECT total_raised FROM venture.startup WHERE source_key = $1', ['fw']),
    ).toEqual([{ total_raised: '7' }]);
  });

  test('of a delete may point at what a later line makes, too', async () => {
    await fixture.importLines([fund('df')]);
    const linesOf = (key: string) => ({
      made: startup(key),
      listing: round(key, key, { Investors: [{ type: 'fund', key: 'df' }] }),
      deleting: { op: 'delete', ...investor(key, 'df') },
    });
    const [first, last] = [linesOf('made first'), linesOf('made last')];
    const counts = 'read 3, inserted 2, deleted 1';
    expect(await fixture.totals([first.made, first.listing, first.deleting])).toBe(counts);
    expect(await fixture.totals([last.listing, last.deleting, last.made])).toBe(counts);
    for (const key of ['made first', 'made last']) {
      expect(await investorsOf(fixture, key)).toEqual([{ key: 'df', lead: false, alive: false }]);
    }
    // A delete of what does not exist is rejected for this, not for what it refers to.
    const report = await fixture.importLines([{ op: 'delete', ...investor('absent', 'df') }]);
    expect(totalsOf(report)).toBe('read 1, rejected 1');
    expect((await fixture.sideFile('lines.rejected.ndjson'))[0]?.reason).toMatch(/does not exist/u);
  });

  test('that point at nothing reject the line, and what refers to it in turn', async () => {
    const report = await fixture.importLines(
      [
        startup('known'),
        fund('known'),
        round('orphan', 'absent'),
        investor('orphan', 'known'),
        {
          ...{ type: 'news', source: 'test', key: 'n', Title: 'T' },
          Startup: { key: 'known' },
          Fund: { Id: '00000000-0000-0000-0000-000000000000' },
        },
        round('listing', 'known', {
          Investors: [
            { type: 'fund', key: 'known' },
            { type: 'person', key: 'absent' },
          ],
        }),
      ],
      { continueOnRejected: true },
    );
    expect(totalsOf(report)).toBe('read 6, inserted 2, rejected 4');
    expect(
      (await fixture.sideFile('lines.rejected.ndjson')).map(({ line, field, reason }) => [
        line,
        field,
        reason,
      ]),
    ).toEqual([
      [3, 'Startup', 'Startup {"key":"absent"} is neither in the database nor in this import'],
      [
        6,
        'Investors',
        expect.stringMatching(/^Investors \[.*neither in the database nor in this import$/u),
      ],
      [4, 'Round', 'Round {"key":"orphan"} is created by line 3 of lines, which was rejected'],
      [5, 'Fund', expect.stringMatching(/^Fund \{"Id":"0{8}-.*is neither/u)],
    ]);
  });

  test('may use the source of another, and Ids', async () => {
    await fixture.importLines([{ ...startup('theirs'), source: 'other' }]);
    const report = await fixture.importLines([
      round('by source', '', { Startup: { source: 'other', key: 'theirs' } }),
      round('by id', '', { Startup: { Id: recordId('startup', 'other', 'theirs').toUpperCase() } }),
    ]);
    expect(totalsOf(report)).toBe('read 2, inserted 2');
  });
});

describe('holdings', () => {
  const holding = (more: Readonly<Record<string, unknown>> = {}) => ({
    type: 'holding',
    source: 'test',
    Fund: { key: 'hf' },
    Startup: { key: 'hs' },
    ...more,
  });
  const state = async () =>
    (
      await fixture.rows(
        `SELECT status, stated, h.deleted_at IS NULL AS alive, h.rounds_count FROM venture.holding h
         JOIN venture.fund f ON f.id = h.fund_id WHERE f.source_key = 'hf'`,
      )
    )[0];

  test('are known by their pair; one that rounds imply outlives its own statement', async () => {
    await fixture.importLines([startup('hs'), fund('hf'), holding({ Status: 'acquired' })]);
    expect(await state()).toEqual({
      status: 'Acquired',
      stated: true,
      alive: true,
      rounds_count: 0,
    });
    expect(await fixture.totals([holding({ op: 'delete' })])).toBe('read 1, deleted 1');
    expect(await state()).toMatchObject({ stated: false, alive: false });
    await fixture.importLines([round('hr', 'hs'), investor('hr', 'hf')]);
    expect(await state()).toMatchObject({ stated: false, alive: true, rounds_count: 1 });
    await fixture.importLines([holding({ Status: 'Exited' })]);
    expect(await state()).toMatchObject({ status: 'Exited', stated: true, alive: true });
    await fixture.importLines([holding({ op: 'delete' })]);
    expect(await state()).toMatchObject({ stated: false, alive: true, rounds_count: 1 });
    expect(await fixture.totals([holding({ op: 'delete' })])).toBe('read 1, unchanged 1');
  });

  const exits = async (key: string) =>
    (
      await fixture.rows('SELECT exit_statuses FROM venture.startup WHERE source_key = $1', [key])
    ).flatMap(({ exit_statuses: statuses }) => statuses);
  const signals = async (key: string) =>
    (
      await fixture.rows<{ name: string }>(
        `SELECT t.name FROM venture.signal_outbox o JOIN venture.signal_type t ON t.code = o.type
         JOIN venture.startup s ON s.id = o.object_id
         WHERE s.source_key = $1 AND t.name LIKE 'portfolio.%' ORDER BY o.serial`,
        [key],
      )
    ).map(({ name }) => name);
  const ADDED = 'portfolio.company_added';
  const EXITED = 'portfolio.exit_recorded';

  test('lose their exit when its statement is deleted: a round restores them as held', async () => {
    const left = { Fund: { key: 'left' }, Startup: { key: 'left' } };
    const withdrawn = holding({ op: 'delete', ...left });
    const invests = round('left', 'left', { Investors: [{ type: 'fund', key: 'left' }] });
    await fixture.importLines([
      startup('left'),
      fund('left'),
      holding({ ...left, Status: 'Exited' }),
    ]);
    await fixture.importLines([withdrawn]);
    await fixture.importLines([invests]);
    expect(await exits('left')).toEqual(['Held']);
    expect(await signals('left')).toEqual([ADDED, EXITED, ADDED]);
    await fixture.importLines([holding({ ...left, Status: 'Acquired' })]);
    await fixture.importLines([withdrawn]);
    expect(await exits('left')).toEqual(['Held']);
    // A writer that deletes the statement without its status.
    await fixture.importLines([
      { op: 'delete', type: 'round', source: 'test', key: 'left' },
      holding({ ...left, Status: 'Exited' }),
    ]);
    await fixture.rows(`UPDATE venture.holding SET stated = false, deleted_at = now()
      WHERE startup_id = (SELECT id FROM venture.startup WHERE source_key = 'left')`);
    await fixture.importLines([invests]);
    expect(await exits('left')).toEqual(['Held']);
    expect(await signals('left')).toEqual([ADDED, EXITED, ADDED, EXITED, EXITED, ADDED]);
  });

  test('have the day and the acquirer of an exit, which only an exit has', async () => {
    const sold = { Fund: { key: 'sold' }, Startup: { key: 'sold' } };
    const exit = { ExitDate: '2024-05-01', Acquirer: ' Globex  Group ' };
    const stored = () =>
      fixture.rows(`SELECT status, exit_date::text AS date, acquirer FROM venture.holding
        WHERE startup_id = (SELECT id FROM venture.startup WHERE source_key = 'sold')`);
    await fixture.importLines([startup('sold'), fund('sold'), holding(sold)]);
    const reason = 'ExitDate needs a Status of Exited or Acquired on the same line';
    for (const given of [{ op: 'upsert' }, { op: 'upsert', Status: 'Held' }, { op: 'patch' }]) {
      await fixture.importLines([holding({ ...sold, ...given, ...exit })]);
      expect((await fixture.sideFile('lines.rejected.ndjson'))[0]).toMatchObject({ reason });
    }
    const acquired = holding({ ...sold, ...exit, Status: 'Acquired' });
    await fixture.importLines([acquired]);
    const known = { status: 'Acquired', date: '2024-05-01', acquirer: 'Globex  Group' };
    expect(await fixture.totals([acquired])).toBe('read 1, unchanged 1');
    const left = holding({ op: 'patch', ...sold, Status: 'Exited', Acquirer: null });
    await fixture.importLines([left]);
    expect(await stored()).toEqual([{ ...known, status: 'Exited', acquirer: null }]);
    for (const last of [{ op: 'patch', Status: 'Held' }, { op: 'delete' }]) {
      await fixture.importLines([acquired, holding({ ...sold, ...last })]);
      expect(await stored()).toEqual([{ status: 'Held', date: null, acquirer: null }]);
    }
  });

  test('a patch leaves out what it does not give, and states nothing by itself', async () => {
    expect(await fixture.totals([holding({ op: 'patch', Status: 'Exited' })])).toBe(
      'read 1, updated 1',
    );
    expect(await state()).toMatchObject({ status: 'Exited', stated: false, alive: true });
    await fixture.importLines([{ op: 'delete', type: 'round', source: 'test', key: 'hr' }]);
    expect(await state()).toMatchObject({ stated: false, alive: false });
    expect(await fixture.totals([holding({ op: 'patch', Status: 'Acquired' })])).toBe(
      'read 1, rejected 1',
    );
    await fixture.importLines([round('hr', 'hs')]);
    expect(await state()).toMatchObject({ status: 'Held', alive: true, rounds_count: 1 });
  });

  test('count towards the exits of a startup while their fund is there', async () => {
    const left = { op: 'delete', type: 'fund', source: 'test', key: 'gone' };
    await fixture.importLines([
      startup('ex'),
      fund('stays'),
      fund('gone'),
      holding({ Fund: { key: 'stays' }, Startup: { key: 'ex' } }),
      holding({ Fund: { key: 'gone' }, Startup: { key: 'ex' }, Status: 'Exited' }),
    ]);
    expect(await exits('ex')).toEqual(['Exited', 'Held']);
    await fixture.importLines([left]);
    expect(await exits('ex')).toEqual(['Held']);
    await fixture.importLines([
      holding({ Fund: { key: 'gone' }, Startup: { key: 'ex' }, Status: 'Acquired' }),
    ]);
    expect(await exits('ex')).toEqual(['Held']);
    await fixture.importLines([fund('gone')]);
    expect(await exits('ex')).toEqual(['Acquired', 'Held']);
  });

  test('being added while their fund is deleted are not missed', async () => {
    await fixture.importLines([startup('late'), fund('late')]);
    const [adding, deleting] = [await fixture.pool.connect(), await fixture.pool.connect()];
    try {
      await adding.query(`BEGIN; INSERT INTO venture.holding (fund_id, startup_id, status)
        SELECT f.id, s.id, 'Exited' FROM venture.fund f, venture.startup s
        WHERE f.source_key = 'late' AND s.source_key = 'late'`);
      const { rows } = await deleting.query('SELECT pg_backend_pid() AS pid');
      let done = false;
      const deleted = deleting
        .query(`UPDATE venture.fund SET deleted_at = now() WHERE source_key = 'late'`)
        .finally(() => {
          done = true;
        });
      for (let waits = false; !waits && !done; ) {
        const answer = await adding.query('SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits', [
          rows[0].pid,
        ]);
        waits = answer.rows[0].waits;
      }
      await adding.query('COMMIT');
      await deleted;
    } finally {
      adding.release();
      deleting.release();
    }
    expect(await exits('late')).toEqual([]);
  });
});

describe('people, news and references', () => {
  test('keep what lines say of them', async () => {
    const report = await fixture.importLines([
      startup('ps'),
      fund('pf'),
      {
        ...person('pp'),
        FirstName: 'Ada',
        LastName: 'Lovelace',
        Role: 'both',
        Title: 'Countess',
        Location: ' London ',
        Countries: ['United Kingdom', 'United Kingdom'],
      },
      {
        type: 'startup_person',
        source: 'test',
        Startup: { key: 'ps' },
        Person: { key: 'pp' },
        Title: 'CEO',
        Since: '2020-02-30T00:00:00Z'.replace('30', '28'),
      },
      { type: 'fund_person', source: 'test', Fund: { key: 'pf' }, Person: { key: 'pp' } },
      {
        type: 'news',
        source: 'test',
        key: 'pn',
        Title: 'Ada joins',
        Fund: { key: 'pf' },
        Date: '2024-01-31',
        Publisher: 'The Paper',
        Url: 'paper.example/ada',
      },
      {
        type: 'reference',
        source: 'test',
        key: 'pr',
        Startup: { key: 'ps' },
        Field: 'Founded',
        Source: 'Companies House',
        RetrievedAt: '2024-01-31T12:00:00.1234+01:00',
      },
    ]);
    expect(totalsOf(report)).toBe('read 7, inserted 7');
    expect(
      await fixture.rows(`SELECT * FROM venture.person WHERE source_key = 'pp'`),
    ).toMatchObject([
      { first_name: 'Ada', role: 'both', location: 'London', countries: ['United Kingdom'] },
    ]);
    expect(
      await fixture.rows(
        `SELECT p.title, p.since::text FROM venture.startup_person p
         JOIN venture.startup s ON s.id = startup_id WHERE s.source_key = 'ps'`,
      ),
    ).toEqual([{ title: 'CEO', since: '2020-02-28' }]);
    expect(await fixture.rows(`SELECT url, date::text FROM venture.news`)).toEqual([
      { url: 'http://paper.example/ada', date: '2024-01-31' },
    ]);
    expect(await fixture.rows(`SELECT confidence, retrieved_at FROM venture.reference`)).toEqual([
      { confidence: 'confirmed', retrieved_at: new Date('2024-01-31T11:00:00.123Z') },
    ]);
  });

  test('two sources may state one relation: the first keeps it, and nothing swings', async () => {
    const line = (source: string) => ({
      type: 'fund_person',
      source,
      key: `of ${source}`,
      Fund: { source: 'test', key: 'pf' },
      Person: { source: 'test', key: 'pp' },
    });
    for (const source of ['one', 'two', 'one']) {
      expect(await fixture.totals([line(source)])).toBe('read 1, unchanged 1');
    }
  });
});
