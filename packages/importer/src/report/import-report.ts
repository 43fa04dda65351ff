import type { RecordType } from '../records/kinds.ts';
import type { Relabelled } from '../terms/relabel.ts';

/** What lines come to; all but `read` sum to it. */
export interface Counts {
  readonly read: number;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  readonly stale: number;
  readonly duplicate: number;
  readonly rejected: number;
  /** Good, but not applied because the import was refused. */
  readonly unapplied: number;
}

/** Something that was put right in many lines. */
export interface NoteCount {
  readonly type: string;
  readonly field: string;
  readonly kind: 'normalised' | 'respelled' | 'repaired';
  readonly done: string;
  readonly lines: number;
}

/** Rows of a mapped file that gave no record. */
export interface SkipCount {
  readonly because: string;
  readonly rows: number;
}

/** A row of a table that spans more than five lines of its file. */
export interface LongRow {
  readonly file: string;
  /** The line at which the row begins. */
  readonly line: number;
  readonly lines: number;
  /** The column of the cell that spans the most lines. */
  readonly column: string;
  /** The line at which the quote of that cell opens. */
  readonly quoteLine: number;
}

/** The rows that span more than five lines: how many there are, and the first ten. */
export interface LongRows {
  readonly rows: number;
  readonly first: readonly LongRow[];
}

/** One file of an import. */
export interface FileReport {
  readonly name: string;
  /** Lines of NDJSON, or rows of a mapped file. */
  readonly read: number;
  /** The file of rejected lines, if there were any. */
  readonly rejectedFile: string | undefined;
  /** The file of repaired lines, if there were any. */
  readonly repairedFile: string | undefined;
}

/** What an import did. */
export interface ImportReport {
  /** The Id of its row in `import_run`. */
  readonly runId: string;
  /** `refused`: lines were rejected, and so nothing was applied. */
  readonly state: 'applied' | 'refused';
  readonly files: readonly FileReport[];
  /** By record type; lines of no known type stand under `unreadable`. */
  readonly byType: ReadonlyMap<RecordType | 'unreadable', Counts>;
  readonly total: Counts;
  readonly skipped: readonly SkipCount[];
  readonly longRows: LongRows;
  readonly notes: readonly NoteCount[];
  /** Terms that are written differently since. */
  readonly relabelled: readonly Relabelled[];
  /** Startups whose status no longer has the protection of a recent round. */
  readonly swept: number;
  readonly seconds: number;
}
