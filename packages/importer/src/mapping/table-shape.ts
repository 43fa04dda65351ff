/** The columns of a table: their names, and how many cells its rows have. */
import { visible } from '../errors/quote.ts';
import type { NamedColumn } from './inspect-mapping.ts';
import type { Mapping } from './mapping.ts';

/** The columns of a table, and the empty cells that its rows have behind them. */
export interface TableShape {
  readonly header: readonly string[];
  /** Empty cells at the end of every row, by a delimiter too many. */
  readonly extraCells: number;
}

/**
 * The names of the columns as the mapping writes them: a name of the file also stands for one that
 * differs in composition and blanks (no-break spaces, line ends) only.
 */
export function namedAsMapped(
  header: readonly string[],
  columns: readonly NamedColumn[],
): readonly string[] {
  const given = new Set(header);
  const wanted = new Map<string, string>();
  for (const { column } of columns) if (!given.has(column)) wanted.set(evenName(column), column);
  if (wanted.size === 0) return header;
  return header.map((name) => wanted.get(evenName(name)) ?? name);
}

function evenName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\s\u200b\u2060\ufeff]+/gu, ' ')
    .trim();
}

/**
 * The shape that the first row shows: if the header or the row has more cells than the other and these
 * are empty, all rows are so.
 */
export function shapeOf(header: readonly string[], first: readonly string[]): TableShape {
  const common = Math.min(header.length, first.length);
  const isBlank = (cells: readonly string[]) =>
    cells.slice(common).every((cell) => cell.trim() === '');
  if (first.length > common && isBlank(first)) {
    return { header, extraCells: first.length - common };
  }
  if (header.length > common && common > 1 && isBlank(header)) {
    return { header: header.slice(0, common), extraCells: 0 };
  }
  return { header, extraCells: 0 };
}

/** The cells of a row under the header; the reason if their number is not that of the header. */
export function fittedCells(
  cells: readonly string[],
  { header, extraCells }: TableShape,
  { csv }: Mapping,
): readonly string[] | { readonly reason: string } {
  const wanted = header.length + extraCells;
  if (extraCells === 0 && cells.length === wanted) return cells;
  if (cells.length === wanted && cells.slice(header.length).every((cell) => cell.trim() === '')) {
    return cells.slice(0, header.length);
  }
  if (cells.length < wanted && csv?.shortRows === true) {
    return [
      ...cells.slice(0, header.length),
      ...Array(Math.max(0, header.length - cells.length)).fill(''),
    ];
  }
  const extra = extraCells === 0 ? '' : ` and ${extraCells} empty more in the first row`;
  return { reason: `the row has ${cells.length} cells, the header ${header.length}${extra}` };
}

/** The advice for a header that lacks columns: the line below it that has them, if one does. */
export function headerAdvice(
  rows: readonly { readonly cells: readonly string[]; readonly line: number }[],
  missing: readonly string[],
  skipped: number,
): string | undefined {
  const found = rows.find(({ cells }) => {
    const names = new Set(cells.map(evenName));
    return missing.every((column) => names.has(evenName(column)));
  });
  if (found === undefined) return undefined;
  return `line ${found.line} has these columns; set csv.skipLines to ${found.line - 1}, not ${skipped}`;
}

/** Names of a header in a message. */
export const shownNames = (names: readonly string[]): readonly string[] =>
  names.map((name) => visible(name.length > 60 ? `${name.slice(0, 59)}…` : name));
