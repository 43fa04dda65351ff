/** Checks that every amount can be stored in dollars: by an exchange rate, below the maximum. */
import type { FieldRow, RecordType } from '../records/kinds.ts';
import { moneyMax } from '../schema/line-schemas.ts';
import { type Layout, layout, OP_CODES, type Part } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { inSequence, reject, storedRecord } from './sql.ts';

/**
 * Rejects lines that result in an amount without a rate to the dollar, or in more dollars than
 * {@link moneyMax}, which JSON clients read exactly.
 *
 * @returns the number of rejected lines.
 */
export async function checkRates(tables: StageTables, type: RecordType): Promise<number> {
  const shape = layout(type);
  const money = shape.parts.find(({ row }) => row.kind === 'money');
  if (money === undefined) return 0;
  const foreign = `l.money IS NOT NULL AND l.currency <> 'USD' AND l.op <> ${OP_CODES.patch}`;
  const patches = `l.op = ${OP_CODES.patch} AND l.given & ${moneyBits(shape, money)} <> 0`;
  const lines = `${tables.name(type)} l WHERE l.outcome IS NULL AND`;
  if (!(await tables.any(`${lines} (${foreign} OR ${patches})`))) return 0;
  return reject(
    tables,
    type,
    `SELECT f.n,
       CASE WHEN r.since IS NULL THEN 'unknown-currency' WHEN f.day IS NULL THEN 'undated-amount'
            WHEN f.day < r.since THEN 'no-rate' ELSE '${tooMuch(money)}' END AS reason,
       CASE WHEN r.since IS NULL OR f.day < r.since THEN 'Currency' ELSE '${money.field}'
            END AS field
     FROM (
       ${stated(tables, shape, money, foreign)}
       UNION ALL ${patched(tables, shape, money, patches)}
     ) f
     LEFT JOIN (
       SELECT currency, min(date) AS since, max(rate) AS highest FROM venture.usd_rate
       GROUP BY currency) r USING (currency)
     WHERE r.since IS NULL OR f.day IS NULL OR f.day < r.since OR ${exceedsMax('f', 'r.highest')}`,
  );
}

const tooMuch = ({ field }: Part): string =>
  `${field} is more than ${moneyMax.toLocaleString('en')} US dollars`;

/** Looks up the rate of the day only for amounts that exceed the maximum at the highest rate. */
const exceedsMax = (line: string, highest: string): string =>
  `${line}.amount * ${highest} > ${moneyMax} AND ${moneyMax} < (
     SELECT round(${line}.amount * d.rate) FROM venture.usd_rate d
     WHERE d.currency = ${line}.currency AND d.date <= ${line}.day ORDER BY d.date DESC LIMIT 1)`;

/** The bits of the fields that the dollars depend on: the amount with its currency, its day. */
export function moneyBits(shape: Layout, money: Part): number {
  return money.bit + (datePart(shape, money)?.bit ?? 0);
}

/** The day whose rate converts a line's amount to dollars; `t` is the stored record, if any. */
export function moneyDay(shape: Layout, money: Part): string {
  const occurred = `(coalesce(l.occurred_at, t.occurred_at) AT TIME ZONE 'UTC')::date`;
  const date = datePart(shape, money);
  if (date === undefined) return occurred;
  return `coalesce(CASE WHEN l.given & ${date.bit} <> 0 THEN l.date ELSE t.date END, ${occurred})`;
}

/** The columns that store the amount of the source. */
export function originalOf({ field, row }: Part): NonNullable<FieldRow['original']> {
  if (row.original === undefined)
    throw new TypeError(`${field} has no columns for the original amount.`);
  return row.original;
}

const datePart = (shape: Layout, { row }: Part): Part | undefined =>
  shape.parts.find(({ columns }) => row.dated === 'date' && columns[0] === 'date');

/**
 * The amounts of lines that state a whole record. Most have a day of their own. The others have that
 * of the last line with a date, otherwise that of the stored record. Mentions of existing records,
 * which change nothing, are left out.
 */
function stated(tables: StageTables, shape: Layout, money: Part, foreign: string): string {
  const table = tables.name(shape.type);
  const date = datePart(shape, money) === undefined ? 'NULL::date' : 'l.date';
  const own = `coalesce(${date}, (l.occurred_at AT TIME ZONE 'UTC')::date)`;
  const isAlone = `l.op = ${OP_CODES.upsert} AND ${own} IS NOT NULL`;
  const ids = `SELECT l.id FROM ${table} l
    WHERE l.outcome IS NULL AND ${foreign} AND NOT (${isAlone})`;
  const columns = ['l.money', 'l.currency', 'l.occurred_at', `${date} AS date`];
  return `
    SELECT l.n, l.money AS amount, l.currency, ${own} AS day FROM ${table} l
    WHERE l.outcome IS NULL AND ${foreign} AND ${isAlone}
    UNION ALL
    SELECT l.n, l.money, l.currency, coalesce(l.date, l.day)
    FROM (${inSequence(tables, shape.type, ids, columns)}) l
    WHERE ${foreign} AND NOT (${isAlone})`;
}

/**
 * The amounts that patches of an amount or its day result in: amount, currency and date each come
 * from the last line that has them, otherwise from the stored record.
 */
function patched(tables: StageTables, shape: Layout, money: Part, patches: string): string {
  const original = originalOf(money);
  const date = datePart(shape, money);
  const ids = `SELECT l.id FROM ${tables.name(shape.type)} l WHERE l.outcome IS NULL AND ${patches}`;
  const columns = ['l.given', 'l.money', 'l.currency', ...(date === undefined ? [] : ['l.date'])];
  const last = (bit: number, also = 'true') =>
    `max(n) FILTER (WHERE given & ${bit} <> 0 AND NOT stale AND ${also}) OVER upto`;
  const either = (line: string, staged: string, stored: string) =>
    `CASE WHEN ${line}.n IS NULL THEN ${stored} ELSE ${staged} END`;
  const amount = either('a', 'a.money', `t.${original.amount}`);
  const currency = either('c', 'c.currency', `t.${original.currency}`);
  return `
    SELECT n, amount, currency, day FROM (
      WITH line AS MATERIALIZED (${inSequence(tables, shape.type, ids, columns)}),
      latest AS (
        SELECT *, ${last(money.bit)} AS amount_n,
          ${last(money.bit, '(money IS NULL OR currency IS NOT NULL)')} AS currency_n,
          ${date === undefined ? 'NULL::bigint' : last(date.bit)} AS date_n
        FROM line WINDOW upto AS (PARTITION BY id ORDER BY n)
      )
      SELECT l.n, ${amount} AS amount, coalesce(${currency}, 'USD') AS currency,
        coalesce(${date === undefined ? 'NULL' : either('d', 'd.date', 't.date')}, l.day) AS day
      FROM latest l
      LEFT JOIN line a ON a.n = l.amount_n
      LEFT JOIN line c ON c.n = l.currency_n
      LEFT JOIN line d ON d.n = l.date_n
      LEFT JOIN ${storedRecord(tables, shape.type)}
      WHERE ${patches} AND NOT l.stale
    ) p WHERE amount IS NOT NULL AND currency <> 'USD'`;
}
