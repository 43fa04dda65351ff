import type { Note } from '../errors/line-error.ts';

/** The position of a line or row in its source. */
export interface SourceLocation {
  /** Index into the import's list of files. */
  readonly file: number;
  /** The line of the file at which it begins, from 1; in a stream, its number in the stream. */
  readonly line: number;
}

interface At {
  readonly location: SourceLocation;
}

/** A line of a file, or a line that a mapping made of a row. */
export interface LineItem extends At {
  readonly kind: 'line';
  /** The input: the text of a line, or the cells of a row by column. */
  readonly original: unknown;
  /** The line as an object, not yet validated. */
  readonly line: unknown;
  /** Values that the reader repaired. */
  readonly notes?: readonly Note[];
}

/** A line or row that is rejected. */
export interface ErrorItem extends At {
  readonly kind: 'fault';
  readonly original: unknown;
  readonly reason: string;
  /** The type of the record, if known. */
  readonly type?: string;
  readonly field?: string | undefined;
  /** The part of the line that was made before the fault. */
  readonly made?: Readonly<Record<string, unknown>>;
}

/** A row of a table that spans many lines of the file; its items follow. */
export interface LongItem extends At {
  readonly kind: 'long';
  readonly lines: number;
  /** The column of the cell that spans the most lines, and the line where its quote opens. */
  readonly column: string;
  readonly quoteLine: number;
}

/** A row that the mapping skips, or that results in no record. */
interface SkippedItem extends At {
  readonly kind: 'skipped';
  readonly because: string;
}

/** One thing read from a source. */
export type SourceItem = LineItem | ErrorItem | LongItem | SkippedItem;

/** The items of a source in its order, in small batches. */
export type SourceItems = AsyncIterable<readonly SourceItem[]>;
