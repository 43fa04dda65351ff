// Tests docs/spec/import.md 14.1, 14.8.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { openedPerTest } from '@vcds/test-kit';
import pg from 'pg';
import { ImportError } from '../src/errors/import-error.ts';
import { type Progress, printReport, runImport } from '../src/index.ts';
import { runChoice } from '../src/run/run-import.ts';
import { openSession } from '../src/run/session.ts';
import {
  fund,
  openImportFixture,
  person,
  round,
  runs,
  startup,
  startupCount,
  sumsAgree,
  totalsOf,
} from './support.ts';

const fixture = openedPerTest(openImportFixture);

describe('an import with a rejected line', () => {
  const lines = [startup('1'), { ...startup('2'), Nmae: 'x' }, startup('3'), startup('1')];

  test('applies nothing and says so', async () => {
    const report = await fixture.importLines(lines);
    expect(report.state).toBe('rejected');
    expect(totalsOf(report)).toBe('read 4, duplicate 1, rejected 1, unapplied 2');
    expect(sumsAgree(report)).toBe(true);
    expect(await startupCount(fixture)).toBe(0);
    expect(await fixture.sideFile('lines.rejected.ndjson')).toEqual([
      {
        line: 2,
        type: 'startup',
        field: 'Nmae',
        reason: 'unknown field "Nmae" on startup; did you mean Name?',
        original: { ...startup('2'), Nmae: 'x' },
      },
    ]);
    expect(await runs(fixture)).toMatchObject([
      { file: 'lines', state: 'rejected', lines_read: '4', rejected: '1', duplicates: '1' },
    ]);
    expect(printReport(report)).toMatch(
      /unapplied\nstartup +4 +0[\s\S]*Rejected after .* 1 line is invalid/u,
    );
  });

  test('prints each cause with its lines first, and apart what follows from them', async () => {
    const bad = (key: string) => ({ ...startup(key), Founded: `x${key}` });
    const report = await fixture.importLines([
      ...['1', '2', '3'].map(bad),
      { ...startup('4'), Nmae: 'x\u001b[2J' },
      ...['1', '2', '3'].map((key) => round(`r${key}`, key)),
      round('r9', 'nowhere'),
      ...['5', '6'].map((key) => startup(key, { Country: 'Atlantis', City: 'x' })),
      startup('7', { Country: 'Utopia', City: 'X' }),
    ]);
    expect(printReport(report).split('\n').slice(4, 9)).toEqual([
      expect.stringMatching(
        /^3 startup lines rejected: Founded must be .* "x1" \(first on line 1 of lines\)$/u,
      ),
      expect.stringMatching(
        /^1 startup line rejected: unknown field "Nmae" .* \(line 4 of lines\)$/u,
      ),
      expect.stringMatching(
        /^1 round line rejected: Startup .*"nowhere".* is neither in .* lines\)$/u,
      ),
      '3 lines rejected because a record of a rejected line is missing',
      '2 texts that name no country, kept: "Atlantis" (2), "Utopia" (1)',
    ]);
  });

  test('applies the rest with continueOnRejected', async () => {
    const report = await fixture.importLines(lines, { continueOnRejected: true });
    expect(totalsOf(report)).toBe('read 4, inserted 2, duplicate 1, rejected 1');
    expect(await startupCount(fixture)).toBe(2);
    expect(report.files).toEqual([
      {
        name: 'lines',
        read: 4,
        rejectedFile: join(fixture.folder, 'lines.rejected.ndjson'),
        repairedFile: undefined,
      },
    ]);
    expect(await runs(fixture)).toMatchObject([{ state: 'applied', inserted: '2', rejected: '1' }]);
  });

  test('leaves no file of rejected lines once they are put right', async () => {
    await fixture.importLines(lines);
    await fixture.importLines([startup('1')]);
    expect(await readdir(fixture.folder)).toEqual([]);
  });
});

describe('an import that comes again', () => {
  const named = (key: string, Name: string, more = {}) => startup(key, { Name, ...more });
  const revisions = () =>
    fixture.rows('SELECT source_key AS key, revision::int FROM venture.startup ORDER BY 1');

  test('after it died takes up where it was', async () => {
    const lines = [named('a', 'A'), named('a', 'B', { Tags: ['Fintech'] }), named('a', 'C')];
    await fixture.rows(`ALTER TABLE venture.startup ADD CONSTRAINT no_bad CHECK (name <> 'bad')`);
    await expect(fixture.importLines([...lines, named('a', 'bad')])).rejects.toThrow(/no_bad/u);
    await fixture.rows('ALTER TABLE venture.startup DROP CONSTRAINT no_bad');
    expect(await revisions()).toEqual([{ key: 'a', revision: 3 }]);
    lines.push(named('a', 'D'));
    expect(await fixture.totals(lines)).toBe('read 4, updated 1, unchanged 3');
    expect(await fixture.totals(lines)).toBe('read 4, unchanged 4');
    expect(await revisions()).toEqual([{ key: 'a', revision: 4 }]);
  });

  test('changes nothing though its records were rewritten to another spelling', async () => {
    const quiet = { OperatingStatus: 'ProbablyClosed', OperatingStatusSource: 'inferred' };
    const lines = [
      named('a', 'A', quiet),
      named('a', 'B', { ...quiet, Tags: ['Fintech'] }),
      round('r', 'a', { Date: new Date().toISOString().slice(0, 10) }),
    ];
    await fixture.importLines(lines);
    const chosen = { kind: 'tag', spelling: 'FinTech', country: undefined } as const;
    const { signal } = new AbortController();
    expect(await runChoice(fixture.urlOf('vcds_importer'), chosen, signal)).toHaveLength(1);
    const before = await revisions();
    expect(await fixture.totals(lines)).toBe('read 3, unchanged 3');
    expect(await revisions()).toEqual(before);
  });
});

describe('an import', () => {
  test('reads several files and a program as one, which may refer to each other', async () => {
    const ndjson = (lines: readonly object[]) =>
      lines.map((line) => JSON.stringify(line)).join('\r\n');
    const first = join(fixture.folder, 'rounds.ndjson');
    const second = join(fixture.folder, 'startups.ndjson');
    await writeFile(
      first,
      `\ufeff${ndjson([round('r', 's'), { ...round('x', 's'), Date: 'soon' }])}\n\n`,
    );
    await writeFile(second, ndjson([startup('s'), startup('t')]));
    async function* made() {
      yield JSON.stringify(fund('f'));
      yield { type: 'holding' as const, source: 'test', Fund: { key: 'f' }, Startup: { key: 's' } };
    }
    const report = await runImport({
      connectionString: fixture.url,
      files: [first, second],
      stream: { name: 'made', lines: made() },
      rejectedFolder: fixture.folder,
      continueOnRejected: true,
    });
    expect(report.files.map(({ name, read }) => [name, read])).toEqual([
      [first, 2],
      [second, 2],
      ['made', 2],
    ]);
    expect(totalsOf(report)).toBe('read 6, inserted 5, rejected 1');
    expect(await fixture.sideFile('rounds.ndjson.rejected.ndjson')).toEqual([
      {
        line: 2,
        type: 'round',
        field: 'Date',
        reason: 'Date must be a day YYYY-MM-DD, not "soon"',
        original: JSON.stringify({ ...round('x', 's'), Date: 'soon' }),
      },
    ]);
  });

  test('waits for its turn, and reports every step', async () => {
    const blocker = new pg.Client(fixture.url);
    await blocker.connect();
    await blocker.query('SELECT pg_advisory_lock($1, $2)', [0x76636473, 0x696d7074]);
    const steps: Progress['step'][] = [];
    const importing = fixture.importLines([startup('1')], {
      onProgress: ({ step }) => {
        if (steps.at(-1) !== step) steps.push(step);
        if (step === 'waiting') void blocker.end();
      },
    });
    await importing;
    expect(steps).toEqual(['waiting', 'staging', 'checking', 'applying', 'finishing']);
  });

  test('stops waiting for the lock when it is aborted', async () => {
    const blocker = new pg.Client(fixture.url);
    await blocker.connect();
    await blocker.query('SELECT pg_advisory_lock($1, $2)', [0x76636473, 0x696d7074]);
    const stopping = new AbortController();
    const importing = fixture.importLines([startup('1')], {
      signal: stopping.signal,
      onProgress: () => stopping.abort(new ImportError('stopped', 'enough')),
    });
    await expect(importing).rejects.toThrow('enough');
    await blocker.end();
    expect(await runs(fixture)).toEqual([]);
  });

  test('has no timeouts, whatever those of its role are', async () => {
    const timeouts = await fixture.rows<{ name: string }>(
      `SELECT name FROM pg_settings
       WHERE context = 'user' AND name ~ '^(statement|lock|transaction|idle\\w*)_timeout$'`,
    );
    const names = timeouts.map(({ name }) => name);
    expect(names).toContain('idle_session_timeout');
    const database = new URL(fixture.url).pathname.slice(1);
    for (const name of names) {
      await fixture.rows(`ALTER ROLE vcds_importer IN DATABASE "${database}" SET ${name} = '1h'`);
    }
    const session = await openSession(fixture.urlOf('vcds_importer'));
    const { rows } = await session
      .query('SELECT name, setting FROM pg_settings WHERE name = ANY ($1)', [names])
      .finally(() => session.end());
    expect(rows).toHaveLength(names.length);
    expect(rows.filter(({ setting }) => setting !== '0')).toEqual([]);
  });

  test('rejects what a program makes that JSON cannot say', async () => {
    const report = await fixture.importLines([
      startup('a', { Founded: 1n }),
      startup('b', { Tags: [[1n]] }),
      [1n],
    ]);
    expect(totalsOf(report)).toBe('read 3, rejected 3');
    expect(await fixture.sideFile('lines.rejected.ndjson')).toHaveLength(3);
  });

  test('ends between two transactions when it is aborted', async () => {
    const stopping = new AbortController();
    const lines = Array.from({ length: 20_000 }, (_, n) => startup(`${n}`));
    const importing = fixture.importLines(lines, {
      signal: stopping.signal,
      workers: 1,
      onProgress: ({ step, lines: done }) => {
        if (step === 'applying' && done > 0) stopping.abort(new ImportError('stopped', 'enough'));
      },
    });
    await expect(importing).rejects.toThrow('enough');
    expect((await startupCount(fixture)) % 5000).toBe(0);
    const rest = await fixture.importLines(lines);
    expect(rest.total.inserted + rest.total.unchanged).toBe(20_000);
    expect(await startupCount(fixture)).toBe(20_000);
  });

  test('of nothing, of a file that does not exist, or into no database is an error', async () => {
    await expect(runImport({ connectionString: fixture.url })).rejects.toThrow(
      new ImportError('file', 'There is nothing to import. Nothing was applied.'),
    );
    await expect(fixture.importFile('/nowhere.ndjson')).rejects.toThrow(
      /nowhere\.ndjson does not exist/u,
    );
    await expect(
      fixture.importLines([startup('1')], { connectionString: 'postgres://127.0.0.1:1/none' }),
    ).rejects.toThrow(/Cannot connect to the database/u);
    await expect(
      fixture.importLines([{}], { rejectedFolder: join(fixture.folder, 'absent') }),
    ).rejects.toThrow(/^Cannot write .*--rejected DIR/u);
  });

  test.each([
    ['completes an earlier one', 1],
    ['is a first load', 300],
  ])('accepts that an operator created a dropped index again if it %s', async (_when, lines) => {
    const definition = `SELECT pg_get_indexdef('venture.person_name'::regclass) AS definition`;
    const before = await fixture.rows(definition);
    await fixture.rows(
      `INSERT INTO venture.dropped_index (name, table_name, definition)
       SELECT 'person_name', 'venture.person', definition FROM (${definition}) d`,
    );
    const persons = Array.from({ length: lines }, (_, n) => person(`${n}`));
    const report = await fixture.importLines(persons, { firstLoadLinesMin: 300 });
    expect(report.total.inserted).toBe(lines);
    expect(await fixture.rows('SELECT FROM venture.dropped_index')).toEqual([]);
    expect(await fixture.rows(definition)).toEqual(before);
  });

  test('cleans up what a killed one left, and has it among the failed', async () => {
    await fixture.rows('CREATE UNLOGGED TABLE venture_import.rdeadbeef_startup (n bigint)');
    await fixture.rows('ALTER TABLE venture_import.rdeadbeef_startup OWNER TO vcds_importer');
    await fixture.rows(`INSERT INTO venture.import_run (file, state) VALUES ('old', 'applying')`);
    await fixture.importLines([startup('1')]);
    expect(
      await fixture.rows(`SELECT FROM pg_tables WHERE schemaname = 'venture_import'`),
    ).toHaveLength(0);
    expect(await runs(fixture)).toMatchObject([
      { file: 'old', state: 'failed', finished_at: null },
      { state: 'applied' },
    ]);
  });
});
