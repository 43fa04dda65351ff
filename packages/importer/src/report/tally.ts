import type { AppliedByType } from '../apply/apply-chunk.ts';
import type { Note } from '../errors/line-fault.ts';
import type { RecordType } from '../records/kinds.ts';
import type { Counts, LongRow, LongRows, NoteCount, SkipCount } from './import-report.ts';

type Row = { -readonly [K in keyof Counts]: Counts[K] };
type Outcome = Exclude<keyof Counts, 'read'>;

const zero = (): Row => ({
  read: 0,
  inserted: 0,
  updated: 0,
  deleted: 0,
  unchanged: 0,
  stale: 0,
  duplicate: 0,
  rejected: 0,
  unapplied: 0,
});

/** So many rows that span many lines are named. */
const LONG_ROWS_NAMED = 10;

/** Counts what an import does; its size does not depend on how much that is. */
export class Tally {
  readonly #rows = new Map<RecordType | 'unreadable', Row>();
  readonly #notes = new Map<string, { note: Note; type: string; lines: number }>();
  readonly #skipped = new Map<string, number>();
  readonly #longRows: LongRow[] = [];
  #longRowsCount = 0;

  read(type: RecordType | 'unreadable'): void {
    this.#row(type).read += 1;
  }

  settle(type: RecordType | 'unreadable', outcome: Outcome, lines: number): void {
    this.#row(type)[outcome] += lines;
  }

  applied(byType: AppliedByType): void {
    for (const [type, { inserted, updated, deleted, unchanged, stale }] of byType) {
      const row = this.#row(type);
      row.inserted += inserted;
      row.updated += updated;
      row.deleted += deleted;
      row.unchanged += unchanged;
      row.stale += stale;
    }
  }

  note(type: string, note: Note, lines = 1): void {
    if (lines === 0) return;
    const key = `${type} ${note.field} ${note.kind} ${note.done}`;
    const counted = this.#notes.get(key);
    if (counted === undefined) this.#notes.set(key, { note, type, lines });
    else counted.lines += lines;
  }

  skip(because: string): void {
    this.#skipped.set(because, (this.#skipped.get(because) ?? 0) + 1);
  }

  longRow({ file, line, lines, column, quoteLine }: LongRow): void {
    this.#longRowsCount += 1;
    if (this.#longRows.length === LONG_ROWS_NAMED) return;
    this.#longRows.push({ file, line, lines, column, quoteLine });
  }

  get longRows(): LongRows {
    return { rows: this.#longRowsCount, first: this.#longRows };
  }

  get byType(): ReadonlyMap<RecordType | 'unreadable', Counts> {
    return this.#rows;
  }

  get total(): Counts {
    const total = zero();
    for (const row of this.#rows.values()) {
      for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += row[name];
    }
    return total;
  }

  get notes(): readonly NoteCount[] {
    return [...this.#notes.values()].map(({ note: { field, kind, done }, type, lines }) => ({
      type,
      field,
      kind,
      done,
      lines,
    }));
  }

  get skipped(): readonly SkipCount[] {
    return [...this.#skipped].map(([because, rows]) => ({ because, rows }));
  }

  #row(type: RecordType | 'unreadable'): Row {
    let row = this.#rows.get(type);
    if (row === undefined) {
      row = zero();
      this.#rows.set(type, row);
    }
    return row;
  }
}
