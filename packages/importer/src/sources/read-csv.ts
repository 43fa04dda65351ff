/** Reads the rows of a CSV file, each with the lines of the file that it spans. */
import { pipeline, Readable } from 'node:stream';
import { type Options, parse } from 'csv-parse';
import { visible } from '../errors/quote.ts';
import { findLineEnd, LINE_END_NAMES, type LineEnd } from './line-end.ts';
import { withoutPreamble } from './preamble.ts';

/** The cell of a row that spans the most lines. */
export interface LongCell {
  /** Index of its column. */
  readonly column: number;
  /** The line at which its quote opens. */
  readonly line: number;
  readonly lines: number;
}

export interface CsvRow {
  readonly cells: readonly string[];
  /** The line of the file at which the row begins, from 1. */
  readonly line: number;
  /** How many lines it spans. */
  readonly lines: number;
  /** Undefined if no cell spans several lines. */
  readonly longest: LongCell | undefined;
}

export interface CsvFormat {
  readonly delimiter?: string;
  /** Default: that of the first line. */
  readonly lineEnd?: LineEnd;
  /** Null: none. */
  readonly quote?: string | null;
  readonly escape?: '"' | '\\';
  /** Lines before the header, or without one before the first row. */
  readonly skipLines?: number;
}

/** The reason why a table cannot be read, as the end of a sentence. */
export class CsvError extends Error {}

/** A longer row is an error. */
const ROW_BYTES_MAX = 8 * 1024 * 1024;

/**
 * Reads a table row by row. Quotes inside an unquoted cell are literal.
 * @throws CsvError for an unclosed quote, a row longer than 8 MiB, and line ends that differ from
 *   the format.
 */
export async function* readCsv(
  texts: AsyncIterable<string>,
  format: CsvFormat,
): AsyncGenerator<CsvRow> {
  const table = await withoutPreamble(texts, format.skipLines ?? 0);
  const { lineEnd, rest } = await findLineEnd(table.texts, quoteOf(format));
  checkLineEnd(format.lineEnd, lineEnd);
  const delimiter = delimiterOf(format, table.delimiter);
  const counter = new LineCounter(format.lineEnd ?? lineEnd ?? '\n', table.lines);
  const parser = parse(optionsOf({ ...format, delimiter }, counter));
  const escaped = format.escape === '\\';
  // The loop receives errors of reading and decoding from the parser.
  pipeline(Readable.from(rest), parser, () => undefined);
  try {
    for await (const cells of parser) {
      yield { cells: escaped ? cells.map(unescapeCell) : cells, ...counter.next() };
    }
  } catch (error) {
    throw csvError(error, unfinishedRow(parser), counter);
  }
}

function delimiterOf({ delimiter }: CsvFormat, stated: string | undefined): string {
  if (delimiter === undefined || stated === undefined || delimiter === stated) {
    return delimiter ?? stated ?? ',';
  }
  const quoted = JSON.stringify(stated);
  throw new CsvError(
    `its first line sep=${visible(stated)} states another delimiter; set csv.delimiter to ${quoted}, or omit it`,
  );
}

function quoteOf({ quote }: CsvFormat): string | null {
  return quote === undefined ? '"' : quote;
}

function optionsOf(format: CsvFormat, counter: LineCounter): Options {
  const { delimiter = ',' } = format;
  return {
    bom: true,
    delimiter,
    quote: quoteOf(format),
    escape: format.escape ?? '"',
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: ROW_BYTES_MAX,
    record_delimiter: counter.lineEnd,
    on_record: (cells) => {
      counter.add(cells);
      return cells;
    },
  };
}

type Span = Omit<CsvRow, 'cells'>;

/** Counts the lines of a file as its rows are read. */
class LineCounter {
  readonly lineEnd: LineEnd;
  readonly #lineFeed: string;
  #waiting: Span[] = [];
  #taken = 0;
  #line: number;

  constructor(lineEnd: LineEnd, linesBefore: number) {
    this.lineEnd = lineEnd;
    this.#line = linesBefore + 1;
    this.#lineFeed = lineEnd === '\r' ? '\r' : '\n';
  }

  /** Adds a row as soon as it is parsed, with its cells as in the file. */
  add(cells: readonly string[]): void {
    const line = this.#line;
    const longest = this.#longest(cells);
    const lines = 1 + this.#lineFeedsOf(cells);
    this.#line += lines;
    this.#waiting.push({ line, lines, longest });
  }

  /** The positions of the added rows, in their order. */
  next(): Span {
    const span = this.#waiting[this.#taken++];
    if (span === undefined) throw new Error('no row is waiting');
    if (this.#taken === this.#waiting.length) {
      this.#waiting = [];
      this.#taken = 0;
    }
    return span;
  }

  /** The longest cell of the row that begins at the current line. */
  #longest(cells: readonly string[]): LongCell | undefined {
    let line = this.#line;
    let longest: LongCell | undefined;
    for (const [column, cell] of cells.entries()) {
      const lines = 1 + this.#lineFeeds(cell);
      if (lines > Math.max(1, longest?.lines ?? 1)) longest = { column, line, lines };
      line += lines - 1;
    }
    return longest;
  }

  /** The line at which the last of these cells ends. */
  endOf(cells: readonly string[]): number {
    return this.#line + this.#lineFeedsOf(cells);
  }

  #lineFeedsOf(cells: readonly string[]): number {
    return cells.reduce((sum, cell) => sum + this.#lineFeeds(cell), 0);
  }

  #lineFeeds(cell: string): number {
    let count = 0;
    for (
      let at = cell.indexOf(this.#lineFeed);
      at !== -1;
      at = cell.indexOf(this.#lineFeed, at + 1)
    ) {
      count += 1;
    }
    return count;
  }
}

/** A line end inside quotes has a backslash too, which the parser keeps. */
function unescapeCell(cell: string): string {
  return cell.includes('\\') ? cell.replace(/\\(?=[\r\n])/gu, '') : cell;
}

function checkLineEnd(given: LineEnd | undefined, found: LineEnd | undefined): void {
  if (given === undefined || found === undefined || given === found) return;
  // A CR before LF is trimmed from the last cell.
  if (given === '\n' && found === '\r\n') return;
  const what = `its lines end with ${LINE_END_NAMES[found]}, not ${LINE_END_NAMES[given]}`;
  throw new CsvError(`${what}; set csv.lineEnd to ${JSON.stringify(found)}, or omit it`);
}

/** The finished cells of the row at which the parser stopped. */
function unfinishedRow(parser: object): readonly string[] {
  const { state } = parser as { readonly state?: { readonly record?: readonly string[] } };
  return state?.record ?? [];
}

function csvError(error: unknown, cells: readonly string[], counter: LineCounter): unknown {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  if (!(error instanceof Error && typeof code === 'string' && code.startsWith('CSV_')))
    return error;
  const position = `on line ${counter.endOf(cells)} in column ${cells.length + 1}`;
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return new CsvError(`the quote that opens ${position} is not closed`);
  if (code !== 'CSV_MAX_RECORD_SIZE') return new CsvError(error.message);
  const row = `the row of line ${counter.endOf([])} is longer than ${ROW_BYTES_MAX} bytes`;
  return new CsvError(`${row}; check for an unclosed quote ${position}`);
}
