/** Checks that the file has the columns that a mapping reads. */
import { nearest } from '@vcds/odata-query';
import { visible } from '../errors/quote.ts';
import type { CsvRow } from '../sources/read-csv.ts';
import type { NamedColumn } from './inspect-mapping.ts';
import type { RowMapper } from './map-row.ts';
import type { Mapping } from './mapping.ts';
import { hint, type MappingError, mappingError, pointer } from './mapping-error.ts';
import { isObject, jsonRow } from './row.ts';
import { headerAdvice, shownNames } from './table-shape.ts';

/** The columns that a header lacks and the file may not lack. */
export function missingColumns(
  header: readonly string[],
  columns: readonly NamedColumn[],
  { optional }: Mapping,
): readonly NamedColumn[] {
  const known = new Set(header);
  return columns.filter(({ column }) => !known.has(column) && !optional?.includes(column));
}

/**
 * Compares the header of a table with the columns that the mapping reads.
 *
 * @param next the rows after a header that lacks columns: one of them may be the header.
 * @throws ImportError naming each missing or duplicate column with its positions.
 */
export function checkHeader(
  header: readonly string[],
  columns: readonly NamedColumn[],
  mapping: Mapping,
  next: readonly CsvRow[] = [],
): void {
  const twice = new Set(header.filter((name, at) => header.indexOf(name) !== at));
  const missing = missingColumns(header, columns, mapping);
  const shown = shownNames(header);
  const faults = columns.flatMap((named): MappingError[] => {
    const { column, at } = named;
    const name = visible(column);
    if (twice.has(column)) return [{ at, message: `the file has two columns "${name}"` }];
    if (!missing.includes(named)) return [];
    return [{ at, message: `the file has no column "${name}"${hint(name, shown)}` }];
  });
  if (faults.length === 0) return;
  const names = missing.map(({ column }) => column);
  const advice = headerAdvice(next, names, mapping.csv?.skipLines ?? 0);
  const first = { at: pointer('', 'csv', 'skipLines'), message: advice ?? '' };
  throw mappingError(mapping.name, advice === undefined ? faults : [first, ...faults]);
}

/** The paths of a JSON file are those of so many rows. */
export const HEAD_ROWS_MAX = 1000;
/** Suggestions for an unknown path come from so many member names. */
const PATHS_MAX = 1000;

/** Checks which paths of the mapping the first rows of a file of JSON lines have. */
export class PathCheck {
  readonly #mapping: Mapping;
  readonly #mapper: RowMapper;
  /** Paths that no row had. */
  readonly #pending: Set<NamedColumn>;
  /** Those of them that a row should have. */
  readonly #expected = new Set<NamedColumn>();
  readonly #seen = new Set<string>();
  #rows = 0;

  constructor(mapper: RowMapper, mapping: Mapping) {
    this.#mapping = mapping;
    this.#mapper = mapper;
    const optional = new Set(mapping.optional);
    this.#pending = new Set(mapper.columns.filter(({ column }) => !optional.has(column)));
  }

  /** Whether enough rows were added. */
  get isDone(): boolean {
    return this.#pending.size === 0 || this.#rows >= HEAD_ROWS_MAX;
  }

  add(cells: Readonly<Record<string, unknown>>): void {
    this.#rows += 1;
    const row = jsonRow(cells);
    for (const named of this.#pending) {
      if (row.get(named.column) !== undefined) this.#pending.delete(named);
      else if (this.#mapper.concerns(row, named.at)) this.#expected.add(named);
    }
    if (this.#pending.size > 0 && this.#seen.size < PATHS_MAX) this.#gather(cells, '');
  }

  /** @throws ImportError naming each path that no row has but should, with its position. */
  rejectMissing(): void {
    const rows =
      this.#rows === 1 ? 'the only row does not have' : `no row of the first ${this.#rows} has`;
    const faults = [...this.#pending].flatMap((named): MappingError[] => {
      if (!this.#expected.has(named)) return [];
      const { column, at } = named;
      const message = `${rows} the column or path "${column}"${this.#advice(column)}`;
      return [{ at, message }];
    });
    if (faults.length > 0) throw mappingError(this.#mapping.name, faults);
  }

  #advice(column: string): string {
    const meant = nearest(column, this.#seen);
    return meant === undefined
      ? '; list it in "optional" if it is rare'
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
