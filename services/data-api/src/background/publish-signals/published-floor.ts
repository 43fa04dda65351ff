import type pg from 'pg';
import type { PublishedBatch } from './publish-batch.ts';

const MARK_EVERY_MS = 1_000;

interface Mark {
  readonly serial: bigint;
  readonly begunXid: bigint;
}

/**
 * Up to which serial every change is known to be published, so that a batch need not pass again
 * over rows that are gone but cannot be vacuumed while some old snapshot could see them. It moves
 * when every transaction that had begun when a serial was the last drawn has ended.
 */
export class PublishedFloor {
  #floor = 0n;
  #mark: Mark | undefined;
  #nextMarkMs = 0;

  get serial(): bigint {
    return this.#floor;
  }

  /** Draws a mark once a second, unless one is waiting. Two statements: the serial must be older. */
  async mark(client: pg.ClientBase): Promise<void> {
    if (this.#mark !== undefined || performance.now() < this.#nextMarkMs) return;
    this.#nextMarkMs = performance.now() + MARK_EVERY_MS;
    const drawn = await client.query<{ serial: string }>(
      // Before the first is drawn, the sequence names it all the same.
      `SELECT (last_value - CASE WHEN is_called THEN 0 ELSE 1 END)::text AS serial
       FROM venture.signal_outbox_serial_seq`,
    );
    // A number of its own: that of a snapshot may lie below those of transactions under way.
    const begun = await client.query<{ begunXid: string }>(
      'SELECT pg_current_xact_id()::text AS "begunXid"',
    );
    const [serial, begunXid] = [drawn.rows[0]?.serial, begun.rows[0]?.begunXid];
    if (serial === undefined || begunXid === undefined) return;
    this.#mark = { serial: BigInt(serial), begunXid: BigInt(begunXid) };
  }

  /** Hears of a batch that took the lowest serials above the floor, all there were or `max`. */
  published({ count, lastSerial, xmin }: PublishedBatch, max: number): void {
    const mark = this.#mark;
    if (mark === undefined || xmin < mark.begunXid) return;
    if (count === max && (lastSerial === null || lastSerial < mark.serial)) return;
    this.#floor = mark.serial;
    this.#mark = undefined;
  }
}
