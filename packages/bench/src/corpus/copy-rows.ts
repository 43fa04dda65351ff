import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** A value of a column: an array is one of PostgreSQL, a `Json` is written as its text. */
export type Cell = string | number | boolean | null | readonly (string | number)[] | Json;

/** A value of a column of type jsonb. */
export class Json {
  readonly text: string;
  constructor(value: unknown) {
    this.text = JSON.stringify(value);
  }
}

const CHUNK_CHARACTERS = 1 << 18;

/** Writes rows into a table by one COPY, so that each of its statement triggers fires once. */
export async function copyRows(
  client: pg.Client,
  table: string,
  columns: string,
  rows: Iterable<readonly Cell[]>,
): Promise<void> {
  const copy = client.query(copyFrom(`COPY venture.${table} (${columns}) FROM STDIN`));
  await pipeline(Readable.from(chunks(rows)), copy);
}

function* chunks(rows: Iterable<readonly Cell[]>): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    for (let at = 0; at < row.length; at += 1) {
      chunk += at === 0 ? text(row[at] ?? null) : `\t${text(row[at] ?? null)}`;
    }
    chunk += '\n';
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

function text(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'string') return escaped(cell);
  if (cell instanceof Json) return escaped(cell.text);
  if (typeof cell === 'object') return `{${cell.map(element).join()}}`;
  return String(cell);
}

const element = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `"${escaped(value)}"`;

/** The words of a corpus have no quotes and no line ends; JSON may have a backslash. */
function escaped(value: string): string {
  return value.includes('\\') ? value.replaceAll('\\', '\\\\') : value;
}
