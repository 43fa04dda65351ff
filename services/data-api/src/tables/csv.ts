/** Answers as CSV (docs/spec/addresses.md 1.10). */
import { setImmediate as nextTurn } from 'node:timers/promises';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A column: its name, and the cell of a row. */
export interface Column {
  readonly name: string;
  readonly cell: (row: JsonObject) => unknown;
}

/** How the bodies of a call are a table. */
export interface Table {
  readonly columns: readonly Column[];
  /** Default: the items of the body. */
  readonly rows?: (body: JsonObject) => readonly JsonObject[];
  /** Members of the body that are no rows. */
  readonly headers?: (body: JsonObject) => Readonly<Record<string, string>>;
}

const LINE_END = '\r\n';
/** Rows that are written in one turn of the event loop. */
const ROWS_PER_TURN = 500;
/** RFC 4180 §2; `;` and tabs because other programs separate by them, blanks because some trim them. */
const QUOTED = /[",;\t\r\n]|^[^\S]|[^\S]$|^$/;
/** The begin of a formula in a cell, also where a spreadsheet separates cells by `;` or tabs. */
const FORMULA = /(^|[;\t\r\n])((?:[^\S\t\r\n]|["'])*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const BYTE_ORDER_MARK = '\uFEFF';

/** Columns of members with these names. */
export function members(...names: readonly string[]): readonly Column[] {
  return names.map((name) => ({ name, cell: (row) => row[name] }));
}

/** Columns of the members of an object, as `Startup.Name`; empty if there is no object. */
export function nested(name: string, columns: readonly Column[]): readonly Column[] {
  return columns.map((column) => ({
    name: `${name}.${column.name}`,
    cell: (row) => {
      const value = row[name];
      return isObject(value) ? column.cell(value) : null;
    },
  }));
}

/** A column of the texts of a list of objects. */
export function texts(name: string, member: string): Column {
  return {
    name,
    cell: (row) => {
      const list = row[name];
      return Array.isArray(list)
        ? list.map((each) => (isObject(each) ? each[member] : each))
        : null;
    },
  };
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The text of a table: UTF-8, a line with the names, and one line for each row, all with CRLF. Several values
 * of a cell are joined by `; `; null is an empty cell.
 *
 * @param isForExcel with a byte order mark, and with `'` before texts that a spreadsheet would run.
 */
export async function csvText(
  { columns, rows: rowsOf }: Table,
  body: unknown,
  isForExcel: boolean,
): Promise<string> {
  const rows = rowsOf === undefined ? (body as readonly JsonObject[]) : rowsOf(body as JsonObject);
  const written = isForExcel ? safeCell : plainCell;
  const lineOf = (cells: readonly unknown[]): string => {
    const line = cells.map(written).join(',');
    // Readers skip an empty line.
    return (line === '' ? '""' : line) + LINE_END;
  };
  const lines = [lineOf(columns.map(({ name }) => name))];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    lines.push(lineOf(columns.map(({ cell }) => cell(row))));
  }
  return (isForExcel ? BYTE_ORDER_MARK : '') + lines.join('');
}

const plainCell = (value: unknown): string => cellOf(value, (text) => text);
const safeCell = (value: unknown): string =>
  cellOf(value, (text) => text.replaceAll(FORMULA, "$1$2'"));

function cellOf(value: unknown, safe: (text: string) => string): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '' : quoted(safe(value.join('; ')));
  return quoted(safe(isObject(value) ? JSON.stringify(value) : String(value)));
}

function quoted(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
