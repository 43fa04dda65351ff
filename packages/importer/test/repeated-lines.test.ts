// Tests docs/spec/import.md 14.4.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { deduplicateLines, skipAppliedSequences } from '../src/checks/repeated-lines.ts';
import type { ImportLine } from '../src/index.ts';
import { validateLine } from '../src/schema/line-validator.ts';
import { encodeLine } from '../src/staging/encode-line.ts';
import { StageTables } from '../src/staging/stage-tables.ts';
import { Stager } from '../src/staging/stager.ts';
import {
  fund,
  nonZero,
  openImportFixture,
  round,
  startup,
  storedStartup,
  sumsAgree,
  totalsOf,
} from './support.ts';

const fixture = await closedAfterAll(openImportFixture());

describe('occurredAt', () => {
  const dated = (key: string, occurredAt: string, Founded: number) =>
    startup(key, { occurredAt, Founded });

  test('a line older than the last applied is stale, one as old is compared', async () => {
    await fixture.importLines([dated('old', '2024-03-01', 2000)]);
    const report = await fixture.importLines([
      dated('old', '2024-02-29T23:59:59.999Z', 1999),
      dated('old', '2024-03-01T00:00:00Z', 2000),
      dated('old', '2024-03-01T00:00:00Z', 2001),
    ]);
    expect(totalsOf(report)).toBe('read 3, updated 1, unchanged 1, stale 1');
    expect(await storedStartup(fixture, 'old')).toMatchObject({ founded: 2001 });
  });

  test('a newer line that says nothing new still dates the record', async () => {
    await fixture.importLines([dated('fresh', '2024-01-01', 2000)]);
    await fixture.importLines([dated('fresh', '2024-06-01', 2000)]);
    expect(await storedStartup(fixture, 'fresh')).toMatchObject({
      occurred_at: new Date('2024-06-01T00:00:00Z'),
      revision: '1',
    });
    expect(await fixture.totals([dated('fresh', '2024-03-01', 1998)])).toBe('read 1, stale 1');
  });

  test('a whole history comes again without effect', async () => {
    const history = [
      dated('story', '2024-01-01', 2000),
      dated('story', '2024-02-01', 2001),
      { op: 'delete', type: 'startup', source: 'test', key: 'story', occurredAt: '2024-03-01' },
      dated('story', '2024-04-01', 2003),
    ];
    expect(await fixture.totals(history)).toBe('read 4, inserted 2, updated 1, deleted 1');
    const before = await storedStartup(fixture, 'story');
    expect(await fixture.totals(history)).toBe('read 4, unchanged 1, stale 3');
    expect(await storedStartup(fixture, 'story')).toEqual(before);
  });

  test('undated lines of one record apply in order, and come again without effect', async () => {
    const lines = ['A', 'B', 'A', 'B'].map((Name) => startup('abab', { Name }));
    expect(await fixture.totals(lines)).toBe('read 4, inserted 1, updated 3');
    expect(await storedStartup(fixture, 'abab')).toMatchObject({ name: 'B', revision: '4' });
    expect(await fixture.totals(lines)).toBe('read 4, unchanged 4');
    expect(await storedStartup(fixture, 'abab')).toMatchObject({ name: 'B', revision: '4' });
    await fixture.importLines([startup('abab', { Name: 'C' })]);
    expect(await fixture.totals(lines)).toBe('read 4, updated 4');
  });

  test('undated lines of a holding come again without effect after a round of its fund', async () => {
    const pair = { Fund: { key: 'again' }, Startup: { key: 'again' } };
    const holding = (Status: string) => ({ type: 'holding', source: 'test', ...pair, Status });
    const lines = [startup('again'), fund('again'), holding('Held'), holding('Exited')];
    const stored = async () =>
      (await fixture.rows('SELECT rounds_count, revision, updated_at FROM venture.holding'))[0];
    expect(await fixture.totals(lines)).toBe('read 4, inserted 3, updated 1');
    const before = await stored();
    expect(before).toMatchObject({ rounds_count: 0, revision: '2' });
    await fixture.importLines([
      round('again', 'again', { Investors: [{ type: 'fund', key: 'again' }] }),
    ]);
    const after = await stored();
    expect(after).toMatchObject({ rounds_count: 1, revision: '2' });
    expect(after?.updated_at).not.toEqual(before?.updated_at);
    expect(await fixture.totals(lines)).toBe('read 4, unchanged 4');
    expect(
      await fixture.rows(`SELECT FROM venture.signal_outbox o JOIN venture.signal_type t
        ON t.code = o.type WHERE t.name = 'portfolio.exit_recorded'`),
    ).toHaveLength(1);
  });

  test('lines of one date come again without effect, also with an older one between', async () => {
    const lines = [
      dated('between', '2024-01-03', 2000),
      dated('between', '2024-01-01', 1999),
      dated('between', '2024-01-03', 2001),
    ];
    expect(await fixture.totals(lines)).toBe('read 3, inserted 1, updated 1, stale 1');
    expect(await fixture.totals(lines)).toBe('read 3, unchanged 3');
    expect(await storedStartup(fixture, 'between')).toMatchObject({ founded: 2001, revision: '2' });
  });

  test('a line that repeats the one before word for word is a duplicate', async () => {
    const line = startup('twice', { Founded: 2000 });
    const report = await fixture.importLines([line, line, startup('twice'), line]);
    expect(totalsOf(report)).toBe('read 4, inserted 1, updated 2, duplicate 1');
    expect(sumsAgree(report)).toBe(true);
  });
});

const LINES_OF_RECORD = 5;

/** Lines without a date, five a record, each record's apart from each other. */
function undated(prefix: string, lines: number): readonly object[] {
  const records = lines / LINES_OF_RECORD;
  return Array.from({ length: lines }, (_, n) =>
    startup(`${prefix}${n % records}`, { Name: `Name ${n}` }),
  );
}

/**
 * Rows that finding the repetitions among lines reads that were all applied before. In one
 * transaction, because dropping a table discards its counts that the session has not reported yet.
 */
async function rowsRead(lines: readonly object[]): Promise<number> {
  const client = await fixture.pool.connect();
  try {
    await client.query('BEGIN');
    const tables = await StageTables.open(client);
    const stager = new Stager(tables);
    for (const [index, each] of lines.entries()) {
      const n = index + 1;
      const context = { n, line: n, raw: () => '{}', note: () => undefined };
      stager.add(encodeLine(validateLine(each as ImportLine), context));
    }
    await stager.flush();
    await tables.index();
    expect(await deduplicateLines(tables, 'startup')).toBe(true);
    await skipAppliedSequences(tables, 'startup');
    expect(await tables.any(`${tables.name('startup')} WHERE outcome IS NULL`)).toBe(false);
    const { rows } = await client.query<{ read: string }>(
      `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS read
       FROM pg_stat_xact_user_tables`,
    );
    return Number(rows[0]?.read);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

test('the work of importing undated lines again grows as their number does', async () => {
  const work = async (prefix: string, count: number) => {
    const lines = undated(prefix, count);
    const first = await fixture.importLines(lines);
    expect(nonZero(first.total)).toEqual({
      read: count,
      inserted: count / LINES_OF_RECORD,
      updated: count - count / LINES_OF_RECORD,
    });
    return rowsRead(lines);
  };
  const once = await work('a', 2000);
  const twice = await work('b', 4000);
  // Where every line is sought among all others, it is four times as much.
  expect(twice / once).toBeLessThan(2.5);
});
