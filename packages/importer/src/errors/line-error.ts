/** Why a line is rejected. */
export class LineError extends Error {
  /** The invalid field; undefined if it is the line itself. */
  readonly field: string | undefined;

  constructor(field: string | undefined, message: string) {
    super(message);
    this.field = field;
  }
}

/** A correction of a value. */
export interface Note {
  readonly field: string;
  /**
   * `normalised`: the same value in its stored form; `respelled`: another spelling of the same
   * term; `repaired`: the value was unreadable; `unknown`: a text that names no country, kept.
   */
  readonly kind: 'normalised' | 'respelled' | 'repaired' | 'unknown';
  /** The kind of correction, such as `scheme added`; the same for every such line. */
  readonly done: string;
  /** The original value, of repairs. */
  readonly was?: unknown;
}

/** Receives notes while a line is read. */
export type NoteTaker = (note: Note) => void;
