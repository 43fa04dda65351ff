/** Is there a record to patch or delete? */
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import { OP_CODES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { reject } from './references.ts';
import { creates, inTurn } from './sql.ts';

/**
 * Rejects patches and deletions of records that neither the database nor an earlier line has, and
 * patches of deleted ones. Stale patches are left, and so are those that a later line deletes
 * again: a file that patches and then deletes may come twice.
 *
 * @returns how many.
 */
export async function checkRecordsExist(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<number> {
  const table = tables.name(type);
  const changes = `l.op IN (${OP_CODES.patch}, ${OP_CODES.delete})`;
  const { rows } = await client.query(
    `SELECT FROM ${table} l WHERE ${changes} AND l.fate IS NULL LIMIT 1`,
  );
  if (rows.length === 0) return 0;
  const ids = `SELECT l.id FROM ${table} l WHERE ${changes} AND l.fate IS NULL`;
  const fresh = (op: number) => `max(n) FILTER (WHERE op = ${op} AND NOT stale)`;
  const deleted = `coalesce(l.dropped > coalesce(l.revived, 0), l.revived IS NULL AND l.buried)`;
  const listed =
    type === 'investor' && tables.has('round')
      ? participations(tables, `SELECT l.round_id FROM ${table} l WHERE ${changes}`)
      : undefined;
  return reject(
    client,
    tables,
    type,
    `SELECT l.n, 'no-record' AS reason, NULL AS field
     FROM (
       SELECT *, max(n) FILTER (WHERE ${creates('l')}) OVER earlier AS made,
         ${fresh(OP_CODES.upsert)} OVER earlier AS revived,
         ${fresh(OP_CODES.delete)} OVER earlier AS dropped,
         ${fresh(OP_CODES.delete)} OVER (PARTITION BY id) AS dropped_last
       FROM (${inTurn(tables, type, ids, listed?.columns ?? [])}) l
       WINDOW earlier AS (
         PARTITION BY id ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
     ) l ${listed?.join ?? ''}
     WHERE ${changes} AND (NOT l.known AND l.made IS NULL AND ${listed?.none ?? 'true'}
       OR l.op = ${OP_CODES.patch} AND NOT l.stale AND ${deleted}
         AND (l.dropped_last > l.n) IS NOT TRUE AND ${listed?.noneRevived ?? 'true'})`,
  );
}

/** The investors that earlier lines of the import list with these rounds: they make records too. */
function participations(tables: StageTables, rounds: string) {
  const place = ['at', 'behind'].map((column) => `l.${column}`);
  return {
    columns: [...place, 'l.round_id', 'l.fund_id', 'l.person_id', 't.source_key AS stated_by'],
    join: `
     LEFT JOIN (
       SELECT r.id AS round_id, coalesce(i.fund_id, i.person_id) AS investor_id,
         min(ARRAY[r.at, r.behind, r.n]) AS place
       FROM (${inTurn(tables, 'round', rounds, place)}) r JOIN ${tables.name('listed')} i USING (n)
       WHERE NOT r.stale GROUP BY 1, 2
     ) i ON i.round_id = l.round_id AND i.investor_id = coalesce(l.fund_id, l.person_id)
       AND i.place < ARRAY[l.at, l.behind, l.n]`,
    none: 'i.place IS NULL',
    // What a line of its own stated does not come back by a list.
    noneRevived: '(i.place IS NULL OR l.stated_by IS NOT NULL)',
  };
}
