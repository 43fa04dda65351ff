import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { RecordType } from '../records/kinds.ts';
import type { Place } from '../sources/source-item.ts';
import { jsonCell } from './cells.ts';
import type { StagedLine } from './encode-line.ts';
import { type ExtraTable, isExtraTable, type StageTables } from './stage-tables.ts';

/** A table's rows are sent once they come to so many bytes. */
const BATCH_BYTES = 1_000_000;
/** Rows become bytes in pieces of so many characters: longer texts cost the collector dearly. */
const PIECE_CHARACTERS = 32_768;

type Table = RecordType | ExtraTable;

/** Rows of one table that wait to be sent. */
class Batch {
  #text = '';
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** Adds rows; true when the batch is full. */
  add(rows: string): boolean {
    this.#text += rows;
    if (this.#text.length >= PIECE_CHARACTERS) this.#cut();
    return this.#bytes >= BATCH_BYTES;
  }

  get isFull(): boolean {
    return this.#bytes >= BATCH_BYTES;
  }

  /** Takes everything out. */
  take(): readonly Buffer[] {
    this.#cut();
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#bytes = 0;
    return pieces;
  }

  #cut(): void {
    if (this.#text === '') return;
    const piece = Buffer.from(this.#text, 'utf8');
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    this.#text = '';
  }
}

/**
 * Sends staged lines to their tables. One batch travels while the next is being filled, so that
 * reading and staging overlap; what waits is bounded by a batch a record type.
 */
export class Stager {
  readonly #client: pg.ClientBase;
  readonly #tables: StageTables;
  readonly #waiting = new Map<Table, Batch>();
  #sending: Promise<void> = Promise.resolve();
  #isDue = false;
  #origin: { readonly original: unknown; readonly n: number } | undefined;

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

  /**
   * Stages a row that several lines in turn are made of, once for all of them.
   *
   * @returns by which number it is found: that of the first of the lines.
   */
  origin(original: unknown, n: number): number {
    const last = this.#origin;
    if (last !== undefined && last.original === original) return last.n;
    this.#origin = { original, n };
    this.#append('origin', `${n}\t${jsonCell(original)}\n`);
    return n;
  }

  /** Notes the place of a line that was rejected, by the Id of the record it would have made. */
  refused(id: string, { file, line }: Place): void {
    this.#append('refused', `${id}\t${file}\t${line}\n`);
  }

  /** Starts sending every batch that is full, when the batch before has arrived. */
  async send(fullOnly = true): Promise<void> {
    this.#isDue = false;
    for (const [table, batch] of this.#waiting) {
      if (fullOnly && !batch.isFull) continue;
      const pieces = batch.take();
      if (pieces.length === 0) continue;
      await this.#sending;
      this.#sending = this.#copy(table, pieces);
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
    let batch = this.#waiting.get(table);
    if (batch === undefined) {
      batch = new Batch();
      this.#waiting.set(table, batch);
    }
    if (batch.add(rows)) this.#isDue = true;
  }

  async #copy(table: Table, pieces: readonly Buffer[]): Promise<void> {
    if (!isExtraTable(table)) await this.#tables.addType(this.#client, table);
    const stream = this.#client.query(copyFrom(this.#tables.copyInto(table)));
    await pipeline(Readable.from(pieces), stream);
  }
}
