import type pg from 'pg';
import type { PublishedBatch } from './publish-batch.ts';

interface Mark {
  readonly serial: bigint;
  readonly xmax: bigint;
}

/**
 * Up to which serial every change is known to be published, so that a batch need not pass again
 * over rows that are gone but cannot be vacuumed while some old snapshot could see them. It moves
 * when every transaction that had begun when a serial was the last drawn has ended.
 */
export class PublishedFloor {
  #floor = 0n;
  #mark: Mark | undefined;

  get serial(): bigint {
    return this.#floor;
  }

  /** Draws a mark unless one is waiting. Two statements: the serial must be older. */
  async mark(client: pg.ClientBase): Promise<void> {
    if (this.#mark !== undefined) return;
    const drawn = await client.query<{ serial: string }>(
      'SELECT last_value::text AS serial FROM venture.signal_outbox_serial_seq',
    );
    const begun = await client.query<{ xmax: string }>(
      'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xmax',
    );
    const [serial, xmax] = [drawn.rows[0]?.serial, begun.rows[0]?.xmax];
    if (serial === undefined || xmax === undefined) return;
    this.#mark = { serial: BigInt(serial), xmax: BigInt(xmax) };
  }

  /** Hears of a batch that took the lowest serials above the floor, all there were or `max`. */
  published({ count, lastSerial, xmin }: PublishedBatch, max: number): void {
    const mark = this.#mark;
    if (mark === undefined || xmin < mark.xmax) return;
    if (count === max && (lastSerial === null || lastSerial < mark.serial)) return;
    this.#floor = mark.serial;
    this.#mark = undefined;
  }
}
