import type { Note } from '../errors/line-fault.ts';

/** Where something was read. */
export interface Place {
  /** Index into the import's list of files. */
  readonly file: number;
  /** The line of the file at which it begins, from 1; of a program, the how manyth it is. */
  readonly line: number;
}

/** One thing read from a file. */
export type SourceItem =
  | {
      readonly kind: 'line';
      readonly place: Place;
      /** As it stood in the file: the text of a line, or a row by its columns. */
      readonly original: unknown;
      /** The line as an object, not yet checked. */
      readonly line: unknown;
      /** What reading it put right. */
      readonly notes?: readonly Note[];
    }
  | {
      readonly kind: 'fault';
      readonly place: Place;
      readonly original: unknown;
      readonly reason: string;
      /** The type of record it would have been, where that is known. */
      readonly type?: string;
      readonly field?: string | undefined;
      /** What was made of a row before the fault was found. */
      readonly made?: Readonly<Record<string, unknown>>;
    }
  | {
      /** A row of a table that spans many lines of the file; what it gives follows. */
      readonly kind: 'long';
      readonly place: Place;
      readonly lines: number;
      /** The column of the cell that spans the most lines, and the line its quote opens on. */
      readonly column: string;
      readonly quoteLine: number;
    }
  | {
      /** A row that the mapping leaves out, or that gives no record. */
      readonly kind: 'skipped';
      readonly place: Place;
      readonly because: string;
    };

/** What was read, in the order of the file, in handfuls. */
export type SourceItems = AsyncIterable<readonly SourceItem[]>;
