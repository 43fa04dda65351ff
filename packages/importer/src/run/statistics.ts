/** The statistics of the query planner about tables that an import fills. */
import type pg from 'pg';
import { recordTable } from '../checks/sql.ts';
import { recordTables } from '../records/index.ts';
import type { RecordType } from '../records/kinds.ts';
import type { Tally } from '../report/tally.ts';

/** The records that triggers add for those of a type. */
const ADDED: Partial<Record<RecordType, readonly RecordType[]>> = {
  round: ['investor', 'holding'],
  investor: ['holding'],
};

/**
 * Collects statistics of tables of records that are new, so that the triggers of the following
 * chunks find records by the right indexes.
 */
export async function collectFirstStatistics(client: pg.ClientBase): Promise<void> {
  await client.query('SELECT venture.collect_first_statistics()');
}

/**
 * Updates the statistics of tables that an import has increased by a fifth. The autovacuum of
 * PostgreSQL updates them after smaller changes.
 */
export async function refreshStatistics(client: pg.ClientBase, tally: Tally): Promise<void> {
  const inserted = new Map<RecordType, number>();
  for (const { type } of Object.values(recordTables)) {
    const own = tally.byType.get(type)?.inserted ?? 0;
    for (const grown of [type, ...(ADDED[type] ?? [])]) {
      inserted.set(grown, (inserted.get(grown) ?? 0) + own);
    }
  }
  for (const [type, rows] of inserted) {
    if (rows === 0) continue;
    await client.query(
      `SELECT venture.refresh_statistics(c.oid::regclass) FROM pg_class c
       WHERE c.oid = $2::regclass AND $1 > greatest(1000, 0.2 * c.reltuples)`,
      [rows, recordTable(type)],
    );
  }
}
