import type { Note } from '../errors/line-error.ts';
import type { RecordType } from '../records/kinds.ts';
import type { LongItem } from '../sources/source-item.ts';
import type { Relabelled } from '../terms/relabel.ts';
import type { RejectionCause } from './causes.ts';

/** The outcomes of the lines read; `read` is the sum of the others. */
export const COUNT_NAMES = [
  'read',
  'inserted',
  'updated',
  'deleted',
  'unchanged',
  'stale',
  'duplicate',
  'rejected',
  /** Valid, but not applied because the import was rejected. */
  'unapplied',
] as const;

export type Counts = Readonly<Record<(typeof COUNT_NAMES)[number], number>>;

/** A correction that was made in many lines. */
export interface NoteCount extends Omit<Note, 'was'> {
  readonly type: string;
  readonly lines: number;
}

/** Rows of a mapped file that resulted in no record. */
export interface SkipCount {
  readonly because: string;
  readonly rows: number;
}

/** A row of a table that spans more than five lines of its file. */
export interface LongRow extends Pick<LongItem, 'lines' | 'column' | 'quoteLine'> {
  readonly file: string;
  /** The line at which the row begins. */
  readonly line: number;
}

/** The rows that span more than five lines: their number, and the first ten. */
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

/** Texts that were kept although they are not known: their number, and the most frequent ones. */
export interface UnknownTexts {
  readonly texts: number;
  readonly first: readonly { readonly text: string; readonly lines: number }[];
}

/** The result of an import. */
export interface ImportReport {
  /** The Id of its row in `import_run`. */
  readonly runId: string;
  /** `rejected`: lines were rejected, so no line was applied. */
  readonly state: 'applied' | 'rejected';
  readonly files: readonly FileReport[];
  /** By record type; lines of no known type are counted as `unreadable`. */
  readonly byType: ReadonlyMap<RecordType | 'unreadable', Counts>;
  readonly total: Counts;
  /** The causes of rejected lines, the most frequent first, those that follow from others last. */
  readonly causes: readonly RejectionCause[];
  /** Texts in place of countries that name none, the most frequent first. */
  readonly unknownCountries: UnknownTexts;
  readonly skipped: readonly SkipCount[];
  readonly longRows: LongRows;
  readonly notes: readonly NoteCount[];
  /** Terms whose label has changed. */
  readonly relabelled: readonly Relabelled[];
  /** Startups whose grace period after a round has ended (docs/spec/resources.md 4.14). */
  readonly swept: number;
  /** Indexes that were built after a first load. */
  readonly indexes: number;
  readonly seconds: number;
}
