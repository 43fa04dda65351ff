/** Is there a record to patch or delete? */
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import { layout, opCodes } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { reject } from './references.ts';
import { creates, recordTable, sameRecord } from './sql.ts';

/**
 * Rejects patches and deletions of records that neither the database nor an earlier line has.
 *
 * @returns how many.
 */
export async function checkRecordsExist(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<number> {
  const table = tables.name(type);
  const shape = layout(type);
  const changes = `l.op IN (${opCodes.patch}, ${opCodes.delete}) AND l.fate IS NULL`;
  const { rows } = await client.query(`SELECT FROM ${table} l WHERE ${changes} LIMIT 1`);
  if (rows.length === 0) return 0;
  return reject(
    client,
    tables,
    type,
    `SELECT l.n, 'no-record' AS reason, NULL AS field FROM ${table} l
     LEFT JOIN (
       SELECT id, min(n) AS n FROM ${table} l WHERE ${creates('l')} AND l.fate IS NULL GROUP BY id
     ) f ON f.id = l.id
     WHERE ${changes} AND (f.n IS NULL OR f.n > l.n)
       AND NOT EXISTS (SELECT FROM ${recordTable(type)} t WHERE ${sameRecord(shape, 'l', 't')})`,
  );
}
