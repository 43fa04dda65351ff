import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { RecordType } from '../records/kinds.ts';
import type { StagedLine } from './encode-line.ts';
import type { StageTables } from './stage-tables.ts';

/** A table's rows are sent once they come to so many characters. */
const batchCharacters = 1_000_000;

type Table = RecordType | 'listed';

/**
 * Sends staged lines to their tables. One batch travels while the next is being filled, so that
 * reading and staging overlap; what waits is bounded by a batch a record type.
 */
export class Stager {
  readonly #client: pg.ClientBase;
  readonly #tables: StageTables;
  readonly #waiting = new Map<Table, string>();
  #sending: Promise<void> = Promise.resolve();
  #isDue = false;

  constructor(client: pg.ClientBase, tables: StageTables) {
    this.#client = client;
    this.#tables = tables;
  }

  /** Whether {@link send} is due before more is added. */
  get isDue(): boolean {
    return this.#isDue;
  }

  add({ type, row, listed }: StagedLine): void {
    this.#append(type, row);
    if (listed.length > 0) this.#append('listed', listed.join(''));
  }

  /** Starts sending every batch that is full, when the batch before has arrived. */
  async send(fullOnly = true): Promise<void> {
    this.#isDue = false;
    for (const [table, rows] of this.#waiting) {
      if (rows === '' || (fullOnly && rows.length < batchCharacters)) continue;
      this.#waiting.set(table, '');
      await this.#sending;
      this.#sending = this.#copy(table, rows);
      // A failure is reported to whoever sends next or flushes.
      this.#sending.catch(() => undefined);
    }
  }

  /** Resolves when everything added has been staged. */
  async flush(): Promise<void> {
    await this.send(false);
    await this.#sending;
  }

  #append(table: Table, rows: string): void {
    const all = (this.#waiting.get(table) ?? '') + rows;
    this.#waiting.set(table, all);
    if (all.length >= batchCharacters) this.#isDue = true;
  }

  async #copy(table: Table, rows: string): Promise<void> {
    if (table !== 'listed') await this.#tables.addType(this.#client, table);
    const stream = this.#client.query(copyFrom(this.#tables.copyInto(table)));
    stream.end(Buffer.from(rows, 'utf8'));
    await finished(stream);
  }
}
