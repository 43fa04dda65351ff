/** Reads the rows of a table by the names of their columns, and finds rows that do not fit. */
import { ImportError } from '../errors/import-error.ts';
import { CsvError, type CsvRow, readCsv } from '../sources/read-csv.ts';
import type { SourceItem } from '../sources/source-item.ts';
import { decode } from './decode.ts';
import type { RowMapper } from './map-row.ts';
import type { Mapping } from './mapping.ts';
import { namedRow } from './row.ts';
import { fittedCells, type TableShape } from './table-shape.ts';

/** The lines that one row may span by default. */
const ROW_LINES_MAX_DEFAULT = 50;
/** A row that spans more lines is reported. */
const REPORTED_ABOVE = 5;

/** @throws ImportError if the file does not have the format of the mapping. */
export async function* rowsOf(
  bytes: AsyncIterable<Buffer>,
  mapping: Mapping,
): AsyncGenerator<CsvRow> {
  try {
    yield* readCsv(decode(bytes, mapping), mapping.csv ?? {});
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const what = `The file does not have the format of ${mapping.name}`;
    throw new ImportError('file', `${what}: ${error.message}.`);
  }
}

/**
 * The column names in the first row.
 * @throws ImportError if it spans too many lines.
 */
export function headerOf(row: CsvRow, mapping: Mapping): readonly string[] {
  const fault = tooLong(row, undefined, mapping);
  if (fault === undefined) return row.cells.map((name) => name.trim());
  throw new ImportError(
    'file',
    `The header does not have the format of ${mapping.name}: ${fault}.`,
  );
}

/** Whether a row is an empty line. */
export const isEmptyLine = ({ cells }: CsvRow, header: readonly string[]): boolean =>
  header.length > 1 && cells.length === 1 && cells[0] === '';

/** The items of a row: none if it is empty, a fault if it does not fit the header. */
export function rowItems(
  file: number,
  shape: TableShape,
  row: CsvRow,
  mapper: RowMapper,
  mapping: Mapping,
): readonly SourceItem[] {
  const { header } = shape;
  if (isEmptyLine(row, header)) return [];
  const { cells, line, lines, longest } = row;
  const location = { file, line };
  const fault = (reason: string): readonly SourceItem[] => [
    { kind: 'fault', location, original: cells, reason },
  ];
  const long = tooLong(row, header, mapping);
  if (long !== undefined) return fault(long);
  const fitted = fittedCells(cells, shape, mapping);
  if ('reason' in fitted) return fault(otherLength(row, header, fitted.reason));
  const named = Object.fromEntries(header.map((name, index) => [name, fitted[index] ?? '']));
  const items = mapper.map(namedRow(named), location);
  if (lines <= REPORTED_ABOVE || longest === undefined) return items;
  const column = header[longest.column] ?? '';
  return [{ kind: 'long', location, lines, column, quoteLine: longest.line }, ...items];
}

function tooLong(
  row: CsvRow,
  header: readonly string[] | undefined,
  { csv }: Mapping,
): string | undefined {
  const linesMax = csv?.rowLinesMax ?? ROW_LINES_MAX_DEFAULT;
  if (row.lines <= linesMax) return undefined;
  const bound = `csv.rowLinesMax allows ${linesMax}`;
  return `the row spans ${row.lines} lines${quoteIn(row, header)}; ${bound}`;
}

function quoteIn({ longest }: CsvRow, header: readonly string[] | undefined): string {
  if (longest === undefined) return '';
  const column = header?.[longest.column] ?? `${longest.column + 1}`;
  const ends = longest.line + longest.lines - 1;
  return `: a quote opens on line ${longest.line} in column ${column} and closes on line ${ends}`;
}

function otherLength(row: CsvRow, header: readonly string[], reason: string): string {
  const { cells, lines } = row;
  const foreign = 'line ends that differ from those of the first line';
  if (lines > 1) {
    return `${reason}; it spans ${lines} lines because of an unclosed quote or ${foreign}`;
  }
  if (cells.some((cell) => cell.includes('\r'))) return `${reason}; it contains ${foreign}`;
  return cells.length < header.length
    ? `${reason}; "csv": {"shortRows": true} reads missing cells at the end as unknown`
    : reason;
}
