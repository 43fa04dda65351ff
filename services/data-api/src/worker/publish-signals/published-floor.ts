import type pg from 'pg';
import type { PublishedBatch } from './publish-batch.ts';

const MARK_EVERY_MS = 1_000;

interface Mark {
  readonly serial: bigint;
  readonly begunXid: bigint;
}

/**
 * The serial up to which every change is published. Batches start there, so that they do not scan
 * deleted rows again that an old snapshot keeps from being vacuumed. The floor advances to the last
 * drawn serial when all transactions have ended that had begun at that time.
 */
export class PublishedFloor {
  #floor = 0n;
  #mark: Mark | undefined;
  #nextMarkMs = 0;

  get serial(): bigint {
    return this.#floor;
  }

  /** Sets a mark once a second, unless one is pending. Reads the serial first: it must be older. */
  async mark(client: pg.ClientBase): Promise<void> {
    if (this.#mark !== undefined || performance.now() < this.#nextMarkMs) return;
    this.#nextMarkMs = performance.now() + MARK_EVERY_MS;
    const drawn = await client.query<{ serial: string }>(
      // An unused sequence has the same last_value as after its first value.
      `SELECT (last_value - CASE WHEN is_called THEN 0 ELSE 1 END)::text AS serial
       FROM venture.signal_outbox_serial_seq`,
    );
    // A new transaction id: a snapshot's may be below those of running transactions.
    const begun = await client.query<{ begunXid: string }>(
      'SELECT pg_current_xact_id()::text AS "begunXid"',
    );
    const [serial, begunXid] = [drawn.rows[0]?.serial, begun.rows[0]?.begunXid];
    if (serial === undefined || begunXid === undefined) return;
    this.#mark = { serial: BigInt(serial), begunXid: BigInt(begunXid) };
  }

  /** Records a batch of the lowest serials above the floor: all of them, or `max`. */
  published({ count, lastSerial, xmin }: PublishedBatch, max: number): void {
    const mark = this.#mark;
    if (mark === undefined || xmin < mark.begunXid) return;
    if (count === max && (lastSerial === null || lastSerial < mark.serial)) return;
    this.#floor = mark.serial;
    this.#mark = undefined;
  }
}
