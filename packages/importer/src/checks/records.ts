/** Checks that the records that lines patch or delete exist. */
import type { RecordType } from '../records/kinds.ts';
import { OP_CODES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { creates, inSequence, reject } from './sql.ts';

/**
 * Rejects patches and deletions of records that neither the database nor an earlier line has, and
 * patches of deleted ones. Stale patches pass, and so do those whose record a later line deletes
 * again: a file that patches and then deletes may be imported twice.
 *
 * @returns the number of rejected lines.
 */
export async function checkRecordsExist(tables: StageTables, type: RecordType): Promise<number> {
  const table = tables.name(type);
  const changes = `l.op IN (${OP_CODES.patch}, ${OP_CODES.delete})`;
  if (!(await tables.any(`${table} l WHERE ${changes} AND l.outcome IS NULL`))) return 0;
  const ids = `SELECT l.id FROM ${table} l WHERE ${changes} AND l.outcome IS NULL`;
  const fresh = (op: number) => `max(n) FILTER (WHERE op = ${op} AND NOT stale)`;
  const deleted = `coalesce(l.dropped > coalesce(l.revived, 0), l.revived IS NULL AND l.buried)`;
  const listed =
    type === 'investor' && tables.has('round')
      ? participations(tables, `SELECT l.round_id FROM ${table} l WHERE ${changes}`)
      : undefined;
  return reject(
    tables,
    type,
    `SELECT l.n, 'no-record' AS reason, NULL AS field
     FROM (
       SELECT *, max(n) FILTER (WHERE ${creates('l')}) OVER earlier AS made,
         ${fresh(OP_CODES.upsert)} OVER earlier AS revived,
         ${fresh(OP_CODES.delete)} OVER earlier AS dropped,
         ${fresh(OP_CODES.delete)} OVER (PARTITION BY id) AS dropped_last
       FROM (${inSequence(tables, type, ids, listed?.columns ?? [])}) l
       WINDOW earlier AS (
         PARTITION BY id ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
     ) l ${listed?.join ?? ''}
     WHERE ${changes} AND (NOT l.known AND l.made IS NULL AND ${listed?.none ?? 'true'}
       OR l.op = ${OP_CODES.patch} AND NOT l.stale AND ${deleted}
         AND (l.dropped_last > l.n) IS NOT TRUE AND ${listed?.noneRevived ?? 'true'})`,
  );
}

/** The investors that earlier lines of the import list with these rounds: these are records too. */
function participations(tables: StageTables, rounds: string) {
  const place = ['at', 'behind'].map((column) => `l.${column}`);
  const lines = inSequence(tables, 'round', rounds, place);
  return {
    columns: [...place, 'l.round_id', 'l.fund_id', 'l.person_id', 't.source_key AS stated_by'],
    join: `
     LEFT JOIN (
       SELECT r.id AS round_id, coalesce(i.fund_id, i.person_id) AS investor_id,
         min(ARRAY[r.at, r.behind, r.n]) AS place
       FROM (${lines}) r JOIN ${tables.name('listed')} i USING (n)
       WHERE NOT r.stale GROUP BY 1, 2
     ) i ON i.round_id = l.round_id AND i.investor_id = coalesce(l.fund_id, l.person_id)
       AND i.place < ARRAY[l.at, l.behind, l.n]`,
    none: 'i.place IS NULL',
    // A list does not restore a participation that a line of type investor stated.
    noneRevived: '(i.place IS NULL OR l.stated_by IS NOT NULL)',
  };
}
