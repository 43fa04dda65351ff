import type { Note } from '../normalise/fault.ts';

/** Where something was read. */
export interface Place {
  /** Index into the import's list of files. */
  readonly file: number;
  /** Counted from 1: a line of the file, or a row of a table without its header. */
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
    }
  | {
      /** A row that the mapping leaves out, or that gives no record. */
      readonly kind: 'skipped';
      readonly place: Place;
      readonly because: string;
    };

/** What was read, in the order of the file, in handfuls. */
export type SourceItems = AsyncIterable<readonly SourceItem[]>;
