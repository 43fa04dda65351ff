/** Pieces of SQL shared by the checks. `l` is a staged line, `t` the record's own table. */

import type { RecordType } from '../records/kinds.ts';
import { type Layout, layout, OP_CODES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

/** Lines that make the record they are about. */
export const creates = (alias: string): string =>
  `${alias}.op IN (${OP_CODES.upsert}, ${OP_CODES.mention})`;

/** The staged line and the stored record are the same one. */
export function sameRecord(shape: Layout, line: string, record: string): string {
  return shape.identity
    .map((column) => `${record}.${column} = ${identityOf(shape, column, line)}`)
    .join(' AND ');
}

/** The staged value of an identifying column. */
export function identityOf(shape: Layout, column: string, line: string): string {
  return column === 'investor_id' && !shape.keyed
    ? `coalesce(${line}.fund_id, ${line}.person_id)`
    : `${line}.${column}`;
}

/** The place a line is applied at. */
export const position = (alias: string): string => `(${alias}.at, ${alias}.behind, ${alias}.n)`;

/** The table that holds records of a type. */
export const recordTable = (type: RecordType): string => `venture.${layout(type).table}`;

/**
 * The lines of the records that `ids` selects, as they would be applied one after the other: beside
 * `columns` their n, id and op, whether the database has the record (`known`) and has it deleted
 * (`buried`), the `day` it is dated by then, and whether the line is `stale`. Mentions that make nothing are left out.
 */
export function inTurn(
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
      WHERE fate IS NULL AND id IN (${ids})
    ) l LEFT JOIN ${recordTable(type)} t ON ${sameRecord(shape, 'l', 't')}
    WHERE l.op <> ${OP_CODES.mention} OR (l.place = 1 AND t.${shape.identity[0]} IS NULL)
    WINDOW upto AS (PARTITION BY l.id ORDER BY l.n)`;
}
