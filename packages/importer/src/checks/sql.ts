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

/**
 * The stored record `t` of a line `l`, to join: what the line changes. If companies are merged, that is the
 * statement of its source where there is one (docs/spec/one-company.md 25.8).
 */
export function storedRecord(tables: StageTables, type: RecordType): string {
  const shape = layout(type);
  if (!tables.isAnyMerged) return `${recordTable(type)} t ON ${sameRecord(shape, 'l', 't')}`;
  const { table, identity, parts } = shape;
  if (type === 'person' || type === 'observation')
    return `${recordTable(type)} t ON ${sameRecord(shape, 'l', 't')}`;
  const columns = new Set([
    ...identity,
    ...['source_key', 'occurred_at', 'revision', 'deleted_at'],
    ...parts.flatMap(({ columns: own, row }) => [
      ...own,
      ...(row.original === undefined ? [] : [row.original.amount, row.original.currency]),
    ]),
  ]);
  const list = [...columns].map((column) => `s.${column}`).join(', ');
  const same = sameRecord(shape, 'l', 's');
  return `LATERAL (
    SELECT ${list} FROM stated.${table} s WHERE ${same}
    UNION ALL
    SELECT ${list} FROM venture.${table} s WHERE ${same} AND NOT ${isDerived(type)}
      AND NOT EXISTS (SELECT FROM stated.${table} o WHERE ${sameRecord(shape, 'l', 'o')})
  ) t ON true`;
}

/** Whether the row `s` of a relation is derived from statements: it has no statement of its own then. */
function isDerived(type: RecordType): string {
  const member = (entity: number, column: string) =>
    `EXISTS (SELECT FROM venture.company_member m WHERE m.entity = ${entity} AND m.member_id = s.${column})`;
  if (type === 'investor')
    return 'EXISTS (SELECT FROM stated.funding_round r WHERE r.id = s.round_id)';
  if (type === 'holding') return `(${member(1, 'startup_id')} OR ${member(2, 'fund_id')})`;
  if (type === 'startup_person') return member(1, 'startup_id');
  if (type === 'fund_person') return member(2, 'fund_id');
  return 'false';
}

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
    ) l LEFT JOIN ${storedRecord(tables, type)}
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
