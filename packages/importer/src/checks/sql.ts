/** SQL that the checks share. `l` is a staged line, `t` the record's own table. */
import { EITHER_TYPES, type RecordType } from '../records/kinds.ts';
import { type Layout, layout, OP_CODES, OUTCOMES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

/** Whether a line creates its record if that does not exist. */
export const creates = (alias: string): string =>
  `${alias}.op IN (${OP_CODES.upsert}, ${OP_CODES.mention})`;

/** Whether a staged line and a stored record have the same identity. */
export function sameRecord(shape: Layout, line: string, record: string): string {
  const staged = (column: string) => {
    if (column !== 'investor_id' && column !== 'company_id') return `${line}.${column}`;
    const types = EITHER_TYPES[column === 'investor_id' ? 'investor' : 'company'];
    return `coalesce(${types.map((type) => `${line}.${type}_id`).join(', ')})`;
  };
  return shape.identity.map((column) => `${record}.${column} = ${staged(column)}`).join(' AND ');
}

/** The position at which a line is applied. */
export const position = (alias: string): string => `(${alias}.at, ${alias}.behind, ${alias}.n)`;

/** The table of the records of a type. */
export const recordTable = (type: RecordType): string => `venture.${layout(type).table}`;

/**
 * Selects the lines of the records in `ids` with the state that applying the earlier lines results
 * in. Besides `columns` a row has n, id and op of the line; whether the database has the record
 * (`known`) and has it as deleted (`buried`); the `day` of its date; and whether the line is
 * `stale`. Mentions of existing records are left out.
 */
export function inSequence(
  tables: StageTables,
  type: RecordType,
  ids: string,
  columns: readonly string[],
): string {
  const shape = layout(type);
  const dated = `greatest(t.occurred_at, max(l.occurred_at) OVER upto)`;
  return `
    SELECT l.n, l.id, l.op, ${columns.map((column) => `${column}, `).join('')}
      t.${shape.identity[0]} IS NOT NULL AS known, t.deleted_at IS NOT NULL AS buried,
      (${dated} AT TIME ZONE 'UTC')::date AS day, (l.occurred_at < ${dated}) IS TRUE AS stale
    FROM (
      SELECT *, row_number() OVER (PARTITION BY id ORDER BY n) AS place FROM ${tables.name(type)}
      WHERE outcome IS NULL AND id IN (${ids})
    ) l LEFT JOIN ${recordTable(type)} t ON ${sameRecord(shape, 'l', 't')}
    WHERE l.op <> ${OP_CODES.mention} OR (l.place = 1 AND t.${shape.identity[0]} IS NULL)
    WINDOW upto AS (PARTITION BY l.id ORDER BY l.n)`;
}

/**
 * Rejects lines; `select` returns each once, with n, reason and field.
 *
 * @returns the number of rejected lines.
 */
export async function reject(
  tables: StageTables,
  type: RecordType,
  select: string,
): Promise<number> {
  const { rowCount } = await tables.client.query(
    `WITH faulty AS MATERIALIZED (${select}), rejected AS (
       UPDATE ${tables.name(type)} s SET outcome = ${OUTCOMES.rejected} FROM faulty f
       WHERE s.outcome IS NULL AND s.n = f.n RETURNING f.n, f.reason, f.field
     )
     INSERT INTO ${tables.name('rejection')} (type, n, reason, field)
     SELECT '${type}', n, reason, field FROM rejected`,
  );
  return rowCount ?? 0;
}
