/** Is there a record to patch or delete, and a rate for every amount? */
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import { layout, opCodes } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { reject } from './references.ts';
import { creates, recordTable, sameRecord } from './sql.ts';

/** Rejects patches and deletions of records that neither the database nor an earlier line has. */
export async function checkRecordsExist(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<void> {
  const table = tables.name(type);
  const shape = layout(type);
  const changes = `l.op IN (${opCodes.patch}, ${opCodes.delete}) AND l.fate IS NULL`;
  const { rows } = await client.query(`SELECT FROM ${table} l WHERE ${changes} LIMIT 1`);
  if (rows.length === 0) return;
  await reject(
    client,
    tables,
    type,
    'no-record',
    null,
    `SELECT l.n FROM ${table} l
     LEFT JOIN (
       SELECT id, min(n) AS n FROM ${table} l WHERE ${creates('l')} AND l.fate IS NULL GROUP BY id
     ) f ON f.id = l.id
     WHERE ${changes} AND (f.n IS NULL OR f.n > l.n)
       AND NOT EXISTS (SELECT FROM ${recordTable(type)} t WHERE ${sameRecord(shape, 'l', 't')})`,
  );
}

/** Rejects amounts that no rate turns into dollars. */
export async function checkRates(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<void> {
  const shape = layout(type);
  const money = shape.parts.find(({ row }) => row.kind === 'money');
  if (money === undefined) return;
  const table = tables.name(type);
  const foreign = `l.fate IS NULL AND l.money IS NOT NULL AND l.currency <> 'USD'`;
  const { rows } = await client.query(`SELECT FROM ${table} l WHERE ${foreign} LIMIT 1`);
  if (rows.length === 0) return;
  const rated = (day: string) =>
    `SELECT FROM venture.usd_rate r WHERE r.currency = l.currency${day}`;
  await reject(
    client,
    tables,
    type,
    'unknown-currency',
    'Currency',
    `SELECT l.n FROM ${table} l WHERE ${foreign} AND NOT EXISTS (${rated('')})`,
  );
  const day = moneyDay(type, money.row.dated);
  const stored = `LEFT JOIN ${recordTable(type)} t ON ${sameRecord(shape, 'l', 't')}`;
  await reject(
    client,
    tables,
    type,
    'undated-amount',
    money.field,
    `SELECT l.n FROM ${table} l ${stored} WHERE ${foreign} AND ${day} IS NULL`,
  );
  await reject(
    client,
    tables,
    type,
    'no-rate',
    'Currency',
    `SELECT l.n FROM ${table} l ${stored}
     WHERE ${foreign} AND NOT EXISTS (${rated(` AND r.date <= ${day}`)})`,
  );
}

/** The day whose rate turns a line's amount into dollars; `t` is the stored record, if any. */
export function moneyDay(type: RecordType, dated: 'date' | 'occurred_at' | undefined): string {
  const occurred = `(coalesce(l.occurred_at, t.occurred_at) AT TIME ZONE 'UTC')::date`;
  if (dated !== 'date') return occurred;
  const bit = layout(type).parts.find(({ columns }) => columns[0] === 'date')?.bit ?? 0;
  return `coalesce(CASE WHEN l.given & ${bit} <> 0 THEN l.date ELSE t.date END, ${occurred})`;
}
