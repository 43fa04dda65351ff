/** Why a line cannot be taken as it is; rejects that line alone. */
export class LineFault extends Error {
  /** The field at fault; none where it is the line itself. */
  readonly field: string | undefined;

  constructor(field: string | undefined, message: string) {
    super(message);
    this.field = field;
  }
}

/** Something about a value that was put right, and that the line does not show any more. */
export interface Note {
  readonly field: string;
  /**
   * `normalised`: the same value in the form kept here; `respelled`: another spelling of the same
   * term; `repaired`: the value was unreadable.
   */
  readonly kind: 'normalised' | 'respelled' | 'repaired';
  /** What was done, the same words for every such line: `scheme added`. */
  readonly done: string;
  /** What stood there; kept for repairs. */
  readonly was?: unknown;
}

/** Receives notes while a line is read. */
export type NoteTaker = (note: Note) => void;
