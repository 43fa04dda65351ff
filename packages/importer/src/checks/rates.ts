/** Is there a rate for every amount, and which one? */
import type pg from 'pg';
import type { FieldRow, RecordType } from '../records/kinds.ts';
import { type Layout, layout, OP_CODES, type Part } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { reject } from './references.ts';
import { inTurn, recordTable, sameRecord } from './sql.ts';

/**
 * Rejects lines that leave an amount which no rate turns into dollars.
 *
 * @returns how many.
 */
export async function checkRates(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<number> {
  const shape = layout(type);
  const money = shape.parts.find(({ row }) => row.kind === 'money');
  if (money === undefined) return 0;
  const foreign = `l.money IS NOT NULL AND l.currency <> 'USD' AND l.op <> ${OP_CODES.patch}`;
  const patches = `l.op = ${OP_CODES.patch} AND l.given & ${moneyBits(shape, money)} <> 0`;
  const { rows } = await client.query(
    `SELECT FROM ${tables.name(type)} l
     WHERE l.fate IS NULL AND (${foreign} OR ${patches}) LIMIT 1`,
  );
  if (rows.length === 0) return 0;
  return reject(
    client,
    tables,
    type,
    `SELECT f.n,
       CASE WHEN r.since IS NULL THEN 'unknown-currency' WHEN f.day IS NULL THEN 'undated-amount'
            ELSE 'no-rate' END AS reason,
       CASE WHEN r.since IS NOT NULL AND f.day IS NULL THEN '${money.field}'
            ELSE 'Currency' END AS field
     FROM (
       SELECT l.n, l.currency, ${moneyDay(shape, money)} AS day
       FROM ${tables.name(type)} l
       LEFT JOIN ${recordTable(type)} t ON ${sameRecord(shape, 'l', 't')}
       WHERE l.fate IS NULL AND ${foreign}
       UNION ALL ${patched(tables, shape, money, patches)}
     ) f
     LEFT JOIN (SELECT currency, min(date) AS since FROM venture.usd_rate GROUP BY currency) r
       USING (currency)
     WHERE r.since IS NULL OR f.day IS NULL OR f.day < r.since`,
  );
}

/** The bits of the fields that dollars follow: the amount with its currency, and its own day. */
export function moneyBits(shape: Layout, money: Part): number {
  return money.bit + (datePart(shape, money)?.bit ?? 0);
}

/** The day whose rate turns a line's amount into dollars; `t` is the stored record, if any. */
export function moneyDay(shape: Layout, money: Part): string {
  const occurred = `(coalesce(l.occurred_at, t.occurred_at) AT TIME ZONE 'UTC')::date`;
  const date = datePart(shape, money);
  if (date === undefined) return occurred;
  return `coalesce(CASE WHEN l.given & ${date.bit} <> 0 THEN l.date ELSE t.date END, ${occurred})`;
}

/** The columns that keep an amount as the source wrote it. */
export function originalOf({ field, row }: Part): NonNullable<FieldRow['original']> {
  if (row.original === undefined) throw new TypeError(`${field} has no columns for its original.`);
  return row.original;
}

const datePart = (shape: Layout, { row }: Part): Part | undefined =>
  shape.parts.find(({ columns }) => row.dated === 'date' && columns[0] === 'date');

/**
 * What patches of an amount or its day come to: each of amount, currency and date is that of the
 * last line that gave it, else the stored one.
 */
function patched(tables: StageTables, shape: Layout, money: Part, patches: string): string {
  const original = originalOf(money);
  const date = datePart(shape, money);
  const ids = `SELECT l.id FROM ${tables.name(shape.type)} l WHERE l.fate IS NULL AND ${patches}`;
  const columns = ['l.given', 'l.money', 'l.currency', ...(date === undefined ? [] : ['l.date'])];
  const last = (bit: number, also = 'true') =>
    `max(n) FILTER (WHERE given & ${bit} <> 0 AND NOT stale AND ${also}) OVER upto`;
  const either = (line: string, staged: string, stored: string) =>
    `CASE WHEN ${line}.n IS NULL THEN ${stored} ELSE ${staged} END`;
  const amount = either('a', 'a.money', `t.${original.amount}`);
  const currency = either('c', 'c.currency', `t.${original.currency}`);
  return `
    SELECT n, currency, day FROM (
      WITH turn AS MATERIALIZED (${inTurn(tables, shape.type, ids, columns)}),
      settled AS (
        SELECT *, ${last(money.bit)} AS amount_n,
          ${last(money.bit, '(money IS NULL OR currency IS NOT NULL)')} AS currency_n,
          ${date === undefined ? 'NULL::bigint' : last(date.bit)} AS date_n
        FROM turn WINDOW upto AS (PARTITION BY id ORDER BY n)
      )
      SELECT l.n, ${amount} AS amount, coalesce(${currency}, 'USD') AS currency,
        coalesce(${date === undefined ? 'NULL' : either('d', 'd.date', 't.date')}, l.day) AS day
      FROM settled l
      LEFT JOIN turn a ON a.n = l.amount_n
      LEFT JOIN turn c ON c.n = l.currency_n
      LEFT JOIN turn d ON d.n = l.date_n
      LEFT JOIN ${recordTable(shape.type)} t ON t.id = l.id
      WHERE ${patches} AND NOT l.stale
    ) p WHERE amount IS NOT NULL AND currency <> 'USD'`;
}
