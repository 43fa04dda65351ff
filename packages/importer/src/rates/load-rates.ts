import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isDay } from '@vcds/odata-query';
import { parse } from 'csv-parse';
import type pg from 'pg';
import { inTransaction } from '../apply/transaction.ts';
import { ImportError } from '../errors/import-error.ts';

/** Yearly averages of the main currencies, for databases that have no rates yet. */
export const DEFAULT_RATES_FILE = fileURLToPath(new URL('../../rates/usd.csv', import.meta.url));
const COLUMNS = ['currency', 'date', 'rate', 'origin'] as const;
const BATCH_ROWS = 5000;
const ROW_BYTES_MAX = 10_000;

type RateRow = Readonly<Record<(typeof COLUMNS)[number], string>>;

/**
 * Imports exchange rates to the dollar (CSV: currency, date, rate, origin). A rate replaces an
 * earlier one of the same currency and date. A file with an invalid row changes nothing. Amounts
 * that were converted earlier stay as they are.
 *
 * @returns the number of rates in the file.
 * @throws ImportError naming the first invalid row.
 */
export async function loadRates(client: pg.ClientBase, file: string): Promise<number> {
  return inTransaction(client, async () => {
    let read = 0;
    let batch: RateRow[] = [];
    const rows = parse({
      bom: true,
      columns: headerOf,
      trim: true,
      max_record_size: ROW_BYTES_MAX,
    });
    // The loop receives errors of reading the file from the parser.
    pipeline(createReadStream(file), rows, () => undefined);
    for await (const row of rows) {
      batch.push(checked(file, ++read, row));
      if (batch.length === BATCH_ROWS) {
        await keep(client, batch);
        batch = [];
      }
    }
    await keep(client, batch);
    return read;
  }).catch((error: unknown) => {
    throw isReadError(error)
      ? new ImportError('rates', `The rates in ${file} cannot be read: ${error.message}`)
      : error;
  });
}

/** Whether it is an error of the file system (ENOENT) or the CSV (CSV_…), not the database. */
function isReadError(error: unknown): error is { readonly message: string } {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^(E[A-Z]+|CSV_.*)$/u.test(code);
}

/** Imports the file of the product if there are no rates. */
export async function ensureRates(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query('SELECT FROM venture.usd_rate LIMIT 1');
  if (rows.length === 0) await loadRates(client, DEFAULT_RATES_FILE);
}

function headerOf(header: string[]): string[] {
  const missing = COLUMNS.find((name) => !header.includes(name));
  if (missing === undefined) return header;
  throw new ImportError('rates', `The rates lack the column ${missing} (${COLUMNS.join(', ')}).`);
}

function checked(file: string, number: number, row: RateRow): RateRow {
  const { currency, date, rate, origin } = row;
  const fault =
    (!/^[A-Z]{3}$/u.test(currency) && `currency ${currency}`) ||
    (!isDay(date) && `date ${date}`) ||
    (!(/^\d+(\.\d+)?(e-?\d+)?$/u.test(rate) && Number(rate) > 0) && `rate ${rate}`) ||
    (origin === '' && 'the empty origin');
  if (fault === false) return row;
  throw new ImportError(
    'rates',
    `Row ${number} of ${file} is not a valid exchange rate: invalid ${fault}.`,
  );
}

async function keep(client: pg.ClientBase, batch: readonly RateRow[]): Promise<void> {
  if (batch.length === 0) return;
  await client.query(
    `INSERT INTO venture.usd_rate (currency, date, rate, origin)
     SELECT DISTINCT ON (r.currency, r.date) r.currency, r.date, r.rate, r.origin
     FROM unnest($1::text[], $2::date[], $3::numeric[], $4::text[])
       WITH ORDINALITY AS r(currency, date, rate, origin, place)
     ORDER BY r.currency, r.date, r.place DESC
     ON CONFLICT (currency, date) DO UPDATE SET rate = excluded.rate, origin = excluded.origin`,
    COLUMNS.map((name) => batch.map((row) => row[name])),
  );
}
