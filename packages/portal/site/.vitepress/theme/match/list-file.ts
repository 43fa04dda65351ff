/** Reads the file of a list. Nothing leaves the browser here. */
import Papa from 'papaparse';

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
  const skipped = named === null ? 0 : 1;
  const table = text.slice(named?.[0].length ?? 0);
  const guessed = Papa.parse(table, {
    preview: 10,
    skipEmptyLines: true,
    delimitersToGuess: [',', ';', '\t'],
  });
  const delimiter = named?.[1] ?? guessed.meta.delimiter;
  const rows = rowsOf(table, delimiter)
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

/** The cells of each row. @throws ListError */
export function rowsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  // The row of titles is one more, and a row beyond the bound must be seen.
  const { data, errors, meta } = Papa.parse<string[]>(text, { delimiter, preview: ROWS_MAX + 2 });
  const fault = errors.find(({ type }) => type === 'Quotes');
  if (fault !== undefined)
    throw new ListError(
      `Row ${(fault.row ?? 0) + 1} has a quotation mark that is not closed. Close or remove it.`,
    );
  // Behind the end of the last line.
  const rows = /[\r\n]$/.test(text) && !meta.truncated ? data.slice(0, -1) : data;
  if (rows.length > ROWS_MAX + 1)
    throw new ListError('The list has more than 20,000 rows. Split it into several files.');
  const wide = rows.findIndex((cells) => cells.length > COLUMNS_MAX);
  if (wide >= 0) throw new ListError(`Row ${wide + 1} has more than ${COLUMNS_MAX} columns.`);
  return rows;
}
