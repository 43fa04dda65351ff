/** Reads the file of a list: separated values as RFC 4180 has them. Nothing leaves the browser here. */

export const BYTES_MAX = 10_000_000;
export const ROWS_MAX = 20_000;
const COLUMNS_MAX = 500;

/** A file that cannot be read; the message says what to do. */
export class ListError extends Error {}

export interface ListFile {
  readonly name: string;
  readonly delimiter: string;
  /** Not empty; numbered as a spreadsheet does, from 1. */
  readonly rows: readonly Row[];
  /** The number of cells of the longest row. */
  readonly width: number;
}

export interface Row {
  readonly number: number;
  readonly cells: readonly string[];
}

/** @throws ListError */
export function readList(name: string, bytes: Uint8Array): ListFile {
  if (bytes.length > BYTES_MAX)
    throw new ListError(
      'The file is larger than 10 MB. Keep only the columns to match, or split it.',
    );
  // The beginnings of .xlsx and of .xls
  if (['504b0304', 'd0cf11e0'].includes(hexOf(bytes.subarray(0, 4))))
    throw new ListError('This is a workbook. Save the sheet as CSV and choose that file.');
  const text = decoded(bytes);
  if (text.includes('\0'))
    throw new ListError('This is no text file. Save the list as CSV and choose that file.');
  const named = /^sep=([,;|\t])\r?\n/.exec(text);
  const delimiter = named?.[1] ?? delimiterOf(text);
  const skipped = named === null ? 0 : 1;
  const rows = rowsOf(text.slice(named?.[0].length ?? 0), delimiter)
    .map((cells, index) => ({ number: index + 1 + skipped, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (rows.length === 0) throw new ListError('The file is empty. Choose one with a row a company.');
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return { name, delimiter, rows, width };
}

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** UTF-8, UTF-16 with its mark, or what spreadsheets on Windows write otherwise. */
function decoded(bytes: Uint8Array): string {
  const mark = hexOf(bytes.subarray(0, 2));
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The one that the first row has most often outside of quotation marks. */
function delimiterOf(text: string): string {
  const counts = new Map([',', ';', '\t'].map((each) => [each, 0]));
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') break;
    else if (counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [[best] = [',']] = [...counts].sort((a, b) => b[1] - a[1]);
  return best;
}

/** The cells of each row. @throws ListError */
export function rowsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  const isEnd = (at: number) =>
    at >= text.length || text[at] === delimiter || text[at] === '\n' || text[at] === '\r';
  let cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') [cell, at] = quoted(text, at, rows.length + 1);
    const start = at;
    while (!isEnd(at)) at += 1;
    cells.push(cell + text.slice(start, at));
    const isLast = text[at] !== delimiter;
    if (isLast || cells.length > COLUMNS_MAX) {
      if (cells.length > COLUMNS_MAX)
        throw new ListError(`Row ${rows.length + 1} has more than ${COLUMNS_MAX} columns.`);
      rows.push(cells);
      cells = [];
      // The row of titles is one more.
      if (rows.length > ROWS_MAX + 1)
        throw new ListError('The list has more than 20,000 rows. Split it into several files.');
      if (text[at] === '\r' && text[at + 1] === '\n') at += 1;
    } else if (at + 1 === text.length) {
      rows.push([...cells, '']);
    }
    at += 1;
  }
  return rows;
}

/** The text of the quoted cell that begins at a place, and the place after it. */
function quoted(text: string, from: number, row: number): [string, number] {
  const parts: string[] = [];
  let at = from + 1;
  for (;;) {
    const mark = text.indexOf('"', at);
    if (mark === -1)
      throw new ListError(
        `Row ${row} has a quotation mark that is not closed. Close or remove it.`,
      );
    parts.push(text.slice(at, mark));
    if (text[mark + 1] !== '"') return [parts.join(''), mark + 1];
    parts.push('"');
    at = mark + 2;
  }
}
