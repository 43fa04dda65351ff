/** One row of a mapped file. */
export interface Row {
  /** The cell of a column; undefined if the row has no such column. */
  get(column: string): unknown;
  /** Every cell, for reports. */
  readonly cells: Readonly<Record<string, unknown>>;
}

/** A row of named cells. */
export function namedRow(cells: Readonly<Record<string, unknown>>): Row {
  return { cells, get: (column) => (Object.hasOwn(cells, column) ? cells[column] : undefined) };
}

/** A JSON object; columns are paths through it, such as `record.name`. */
export function jsonRow(cells: Readonly<Record<string, unknown>>): Row {
  return { cells, get: (column) => at(cells, column.split('.')) };
}

/** A row with one more column. */
export function withColumn(row: Row, name: string, value: unknown): Row {
  return { cells: row.cells, get: (column) => (column === name ? value : row.get(column)) };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function at(value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return at((value as Readonly<Record<string, unknown>>)[name], rest);
}
