import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ImportFixture, nonZero, openImportFixture, startup } from './support.ts';

let fixture: ImportFixture;
beforeAll(async () => {
  fixture = await openImportFixture();
});
afterAll(() => fixture.close());

const LINES_OF_RECORD = 5;

/** Lines without a date, five a record, each record's apart from each other. */
function undated(prefix: string, lines: number): readonly object[] {
  const records = lines / LINES_OF_RECORD;
  return Array.from({ length: lines }, (_, n) =>
    startup(`${prefix}${n % records}`, { Name: `Name ${n}` }),
  );
}

/** Rows that all statements on the database have read; those of open sessions are not all in. */
async function rowsRead(): Promise<number> {
  for (;;) {
    // The rows that a session has read are counted before it leaves the list.
    const open = await fixture.rows(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'vcds-import'`,
    );
    if (open.length === 0) break;
  }
  const [row] = await fixture.rows<{ read: string }>(
    `SELECT tup_returned + tup_fetched AS read FROM pg_stat_database
     WHERE datname = current_database()`,
  );
  return Number(row?.read);
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
    const before = await rowsRead();
    const again = await fixture.importLines(lines);
    expect(nonZero(again.total)).toEqual({ read: count, unchanged: count });
    return (await rowsRead()) - before;
  };
  const once = await work('a', 5000);
  const twice = await work('b', 10_000);
  // Where every line is sought among all others, it is four times as much.
  expect(twice / once).toBeLessThan(2.5);
});
