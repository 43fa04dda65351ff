/** Are the columns that a mapping reads in the file? */
import { nearest } from '@vcds/odata-query';
import type { NamedColumn } from './inspect-mapping.ts';
import type { Mapping } from './mapping.ts';
import { hint, type MappingFault, mappingError } from './mapping-fault.ts';
import { jsonRow } from './row.ts';

/**
 * Compares the header of a table with the columns that the mapping reads.
 * @throws ImportError naming each that is missing, or stands there twice, with its places.
 */
export function checkHeader(
  header: readonly string[],
  columns: readonly NamedColumn[],
  mapping: Mapping,
): void {
  const known = new Set(header);
  const twice = new Set(header.filter((name, at) => header.indexOf(name) !== at));
  refuse(mapping, columns, (column) => {
    if (twice.has(column)) return `the file has two columns "${column}"`;
    if (known.has(column) || mapping.optional?.includes(column)) return undefined;
    return `the file has no column "${column}"${hint(column, header)}`;
  });
}

/** So many rows tell which paths a file of JSON has. */
export const headRowsMax = 1000;
/** Names of members that are offered for a path that matches nothing. */
const PATHS_MAX = 1000;

/** The first rows of a file of JSON lines: which paths of the mapping they have. */
export class PathCheck {
  readonly #mapping: Mapping;
  readonly #columns: readonly NamedColumn[];
  readonly #missing: Set<string>;
  readonly #seen = new Set<string>();
  #rows = 0;

  constructor(columns: readonly NamedColumn[], mapping: Mapping) {
    this.#mapping = mapping;
    this.#columns = columns;
    this.#missing = new Set(columns.map(({ column }) => column));
    for (const column of mapping.optional ?? []) this.#missing.delete(column);
  }

  /** Whether enough rows were seen to tell. */
  get isDone(): boolean {
    return this.#missing.size === 0 || this.#rows >= headRowsMax;
  }

  add(cells: Readonly<Record<string, unknown>>): void {
    this.#rows += 1;
    const row = jsonRow(cells);
    for (const column of this.#missing) {
      if (row.get(column) !== undefined) this.#missing.delete(column);
    }
    if (this.#missing.size > 0 && this.#seen.size < PATHS_MAX) this.#gather(cells, '');
  }

  /** @throws ImportError naming each path that no row has, with its places. */
  refuseMissing(): void {
    if (this.#rows === 0) return;
    const rows = this.#rows === 1 ? 'the only row' : `any of the first ${this.#rows} rows`;
    refuse(this.#mapping, this.#columns, (column) =>
      this.#missing.has(column)
        ? `"${column}" is not in ${rows}${this.#advice(column)}`
        : undefined,
    );
  }

  #advice(column: string): string {
    const meant = nearest(column, this.#seen);
    return meant === undefined
      ? '; list it under "optional" if it is rare'
      : `; did you mean "${meant}"?`;
  }

  #gather(value: Readonly<Record<string, unknown>>, path: string): void {
    for (const [name, member] of Object.entries(value)) {
      if (this.#seen.size >= PATHS_MAX) return;
      this.#seen.add(path + name);
      if (isObject(member) && path.split('.').length < 8) this.#gather(member, `${path + name}.`);
    }
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refuse(
  mapping: Mapping,
  columns: readonly NamedColumn[],
  faultOf: (column: string) => string | undefined,
): void {
  const faults = columns.flatMap(({ column, at }): MappingFault[] => {
    const message = faultOf(column);
    return message === undefined ? [] : [{ at, message }];
  });
  if (faults.length > 0) throw mappingError(mapping.name, faults);
}
