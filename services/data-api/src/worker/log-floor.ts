import type pg from 'pg';

const MARK_EVERY_MS = 1_000;

interface Mark {
  readonly position: bigint;
  readonly begunXid: bigint;
}

/** Rows that were taken from a log: the lowest ones above the floor, all of them or as many as were asked for. */
export interface TakenRows {
  readonly count: number;
  /** Of the last row; null without rows. */
  readonly last: bigint | null;
  /** Every transaction with a lower id had ended before the rows were read. */
  readonly xmin: bigint;
}

/**
 * The position of a log up to which every row is taken. Reads start there, so that they do not scan
 * deleted rows again that an old snapshot keeps from being vacuumed. The floor advances to the last
 * drawn position when all transactions have ended that had begun at that time.
 */
export class LogFloor {
  readonly #sequence: string;
  #position = 0n;
  #mark: Mark | undefined;
  #nextMarkMs = 0;
  #isBehind = true;

  /** @param sequence that of the positions, a constant. */
  constructor(sequence: string) {
    this.#sequence = sequence;
  }

  get position(): bigint {
    return this.#position;
  }

  /**
   * Sets a mark once a second, unless one is pending or no row was taken since the last one. Reads the
   * position first: it must be older.
   */
  async mark(client: pg.ClientBase): Promise<void> {
    const isDue = this.#isBehind && this.#mark === undefined;
    if (!isDue || performance.now() < this.#nextMarkMs) return;
    this.#nextMarkMs = performance.now() + MARK_EVERY_MS;
    const drawn = await client.query<{ position: string }>(
      // An unused sequence has the same last_value as after its first value.
      `SELECT (last_value - CASE WHEN is_called THEN 0 ELSE 1 END)::text AS position
       FROM ${this.#sequence}`,
    );
    // A new transaction id: a snapshot's may be below those of running transactions.
    const begun = await client.query<{ begunXid: string }>(
      'SELECT pg_current_xact_id()::text AS "begunXid"',
    );
    const [position, begunXid] = [drawn.rows[0]?.position, begun.rows[0]?.begunXid];
    if (position === undefined || begunXid === undefined) return;
    this.#mark = { position: BigInt(position), begunXid: BigInt(begunXid) };
    this.#isBehind = false;
  }

  /** Records committed rows, of at most `max`. */
  taken({ count, last, xmin }: TakenRows, max: number): void {
    if (count > 0) this.#isBehind = true;
    const mark = this.#mark;
    if (mark === undefined || xmin < mark.begunXid) return;
    if (count === max && (last === null || last < mark.position)) return;
    this.#position = mark.position;
    this.#mark = undefined;
  }
}
