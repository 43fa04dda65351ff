import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ImportError, type Progress, printReport, runImport } from '../src/index.ts';
import {
  fund,
  type ImportWorld,
  nonZero,
  openImportWorld,
  round,
  runs,
  startup,
  startupCount,
  sumsAgree,
} from './support.ts';

let world: ImportWorld;
beforeEach(async () => {
  world = await openImportWorld();
});
afterEach(() => world.close());

describe('an import with a rejected line', () => {
  const lines = [startup('1'), { ...startup('2'), Nmae: 'x' }, startup('3'), startup('1')];

  test('applies nothing and says so', async () => {
    const report = await world.importLines(lines);
    expect(report.state).toBe('refused');
    expect(nonZero(report.total)).toEqual({ read: 4, rejected: 1, duplicate: 1, unapplied: 2 });
    expect(sumsAgree(report)).toBe(true);
    expect(await startupCount(world)).toBe(0);
    expect(await world.sideFile('lines.rejected.ndjson')).toEqual([
      {
        line: 2,
        type: 'startup',
        field: 'Nmae',
        reason: '"Nmae" is no field of a startup; is Name meant?',
        original: { ...startup('2'), Nmae: 'x' },
      },
    ]);
    expect(await runs(world)).toMatchObject([
      { file: 'lines', state: 'refused', lines_read: '4', rejected: '1', duplicates: '1' },
    ]);
    expect(printReport(report)).toMatch(
      /unapplied\nstartup +4 +0[\s\S]*Refused after .* 1 line is rejected/u,
    );
  });

  test('applies the rest when told to go on', async () => {
    const report = await world.importLines(lines, { continueOnRejected: true });
    expect(nonZero(report.total)).toEqual({ read: 4, inserted: 2, duplicate: 1, rejected: 1 });
    expect(await startupCount(world)).toBe(2);
    expect(report.files).toEqual([
      {
        name: 'lines',
        read: 4,
        rejectedFile: join(world.folder, 'lines.rejected.ndjson'),
        repairedFile: undefined,
      },
    ]);
    expect(await runs(world)).toMatchObject([{ state: 'applied', inserted: '2', rejected: '1' }]);
  });

  test('leaves no file of rejected lines once they are put right', async () => {
    await world.importLines(lines);
    await world.importLines([startup('1')]);
    expect(await readdir(world.folder)).toEqual([]);
  });
});

describe('an import that comes again', () => {
  const named = (key: string, Name: string, more = {}) => startup(key, { Name, ...more });
  const revisions = () =>
    world.rows('SELECT source_key AS key, revision::int FROM venture.startup ORDER BY 1');

  test('after it died takes up where it was, and has lost no use of a spelling', async () => {
    const lines = [named('a', 'A'), named('a', 'B', { Tags: ['Fintech'] }), named('a', 'C')];
    await world.rows(`ALTER TABLE venture.startup ADD CONSTRAINT no_bad CHECK (name <> 'bad')`);
    await expect(world.importLines([...lines, named('a', 'bad')])).rejects.toThrow(/no_bad/u);
    await world.rows('ALTER TABLE venture.startup DROP CONSTRAINT no_bad');
    expect(await revisions()).toEqual([{ key: 'a', revision: 3 }]);
    lines.push(named('a', 'D'));
    const again = await world.importLines(lines);
    expect(nonZero(again.total)).toEqual({ read: 4, updated: 1, unchanged: 3 });
    const third = await world.importLines(lines);
    expect(nonZero(third.total)).toEqual({ read: 4, unchanged: 4 });
    expect(await revisions()).toEqual([{ key: 'a', revision: 4 }]);
    expect(await world.rows('SELECT spelling, uses::int FROM venture.term_spelling')).toEqual([
      { spelling: 'Fintech', uses: 1 },
    ]);
    expect(await world.rows('SELECT FROM venture.term_use')).toEqual([]);
  });

  test('changes nothing though its records were rewritten to another spelling', async () => {
    const quiet = { OperatingStatus: 'ProbablyClosed', OperatingStatusSource: 'inferred' };
    const lines = [
      named('a', 'A', quiet),
      named('a', 'B', { ...quiet, Tags: ['Fintech'] }),
      round('r', 'a', { Date: new Date().toISOString().slice(0, 10) }),
    ];
    const more = ['c', 'd'].map((key) => startup(key, { Tags: ['FinTech'] }));
    await world.importLines(lines);
    expect((await world.importLines(more)).relabelled).toHaveLength(1);
    const before = await revisions();
    expect(nonZero((await world.importLines(lines)).total)).toEqual({ read: 3, unchanged: 3 });
    expect(await revisions()).toEqual(before);
  });
});

describe('an import', () => {
  test('reads several files and a program as one, which may refer to each other', async () => {
    const ndjson = (lines: readonly object[]) =>
      lines.map((line) => JSON.stringify(line)).join('\r\n');
    const first = join(world.folder, 'rounds.ndjson');
    const second = join(world.folder, 'startups.ndjson');
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
      connectionString: world.url,
      files: [first, second],
      stream: { name: 'made', lines: made() },
      rejectedFolder: world.folder,
      continueOnRejected: true,
    });
    expect(report.files.map(({ name, read }) => [name, read])).toEqual([
      [first, 2],
      [second, 2],
      ['made', 2],
    ]);
    expect(nonZero(report.total)).toEqual({ read: 6, inserted: 5, rejected: 1 });
    expect(await world.sideFile('rounds.ndjson.rejected.ndjson')).toEqual([
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
    const blocker = new pg.Client(world.url);
    await blocker.connect();
    await blocker.query('SELECT pg_advisory_lock($1, $2)', [0x76636473, 0x696d7074]);
    const steps: Progress['step'][] = [];
    const importing = world.importLines([startup('1')], {
      onProgress: ({ step }) => {
        if (steps.at(-1) !== step) steps.push(step);
        if (step === 'waiting') void blocker.end();
      },
    });
    await importing;
    expect(steps).toEqual(['waiting', 'staging', 'checking', 'applying', 'finishing']);
  });

  test('gives up waiting for its turn when told to', async () => {
    const blocker = new pg.Client(world.url);
    await blocker.connect();
    await blocker.query('SELECT pg_advisory_lock($1, $2)', [0x76636473, 0x696d7074]);
    const stopping = new AbortController();
    const importing = world.importLines([startup('1')], {
      signal: stopping.signal,
      onProgress: () => stopping.abort(new ImportError('stopped', 'enough')),
    });
    await expect(importing).rejects.toThrow('enough');
    await blocker.end();
    expect(await runs(world)).toEqual([]);
  });

  test('rejects what a program makes that JSON cannot say', async () => {
    const report = await world.importLines([
      startup('a', { Founded: 1n }),
      startup('b', { Tags: [[1n]] }),
      [1n],
    ]);
    expect(nonZero(report.total)).toEqual({ read: 3, rejected: 3 });
    expect(await world.sideFile('lines.rejected.ndjson')).toHaveLength(3);
  });

  test('ends between two transactions when told to', async () => {
    const stopping = new AbortController();
    const lines = Array.from({ length: 20_000 }, (_, n) => startup(`${n}`));
    const importing = world.importLines(lines, {
      signal: stopping.signal,
      lanes: 1,
      onProgress: ({ step, lines: done }) => {
        if (step === 'applying' && done > 0) stopping.abort(new ImportError('stopped', 'enough'));
      },
    });
    await expect(importing).rejects.toThrow('enough');
    expect((await startupCount(world)) % 5000).toBe(0);
    const rest = await world.importLines(lines);
    expect(rest.total.inserted + rest.total.unchanged).toBe(20_000);
    expect(await startupCount(world)).toBe(20_000);
  });

  test('of nothing, of a file that is not there, or into no database is an error', async () => {
    await expect(runImport({ connectionString: world.url })).rejects.toThrow(
      new ImportError('file', 'There is nothing to import. Nothing was applied.'),
    );
    await expect(world.importFile('/nowhere.ndjson')).rejects.toThrow(
      /nowhere\.ndjson is not there/u,
    );
    await expect(
      world.importLines([startup('1')], { connectionString: 'postgres://127.0.0.1:1/none' }),
    ).rejects.toThrow(/database cannot be reached/u);
    await expect(
      world.importLines([{}], { rejectedFolder: join(world.folder, 'absent') }),
    ).rejects.toThrow(/cannot be written: .*--rejected DIR/u);
  });

  test('cleans up what a killed one left, and has it among the failed', async () => {
    await world.rows('CREATE UNLOGGED TABLE venture_import.rdeadbeef_startup (n bigint)');
    await world.rows('ALTER TABLE venture_import.rdeadbeef_startup OWNER TO vcds_importer');
    await world.rows(`INSERT INTO venture.import_run (file, state) VALUES ('old', 'applying')`);
    await world.importLines([startup('1')]);
    expect(
      await world.rows(`SELECT FROM pg_tables WHERE schemaname = 'venture_import'`),
    ).toHaveLength(0);
    expect(await runs(world)).toMatchObject([
      { file: 'old', state: 'failed', finished_at: null },
      { state: 'applied' },
    ]);
  });
});
