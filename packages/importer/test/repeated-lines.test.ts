import { expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { deduplicateLines, skipAppliedSequences } from '../src/checks/repeated-lines.ts';
import type { ImportLine } from '../src/index.ts';
import { validateLine } from '../src/schema/line-validator.ts';
import { encodeLine } from '../src/staging/encode-line.ts';
import { StageTables } from '../src/staging/stage-tables.ts';
import { Stager } from '../src/staging/stager.ts';
import { nonZero, openImportFixture, startup } from './support.ts';

const fixture = await closedAfterAll(openImportFixture());

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
