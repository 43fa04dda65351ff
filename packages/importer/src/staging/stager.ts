import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { SourceLocation } from '../sources/source-item.ts';
import { jsonCell } from './cells.ts';
import type { StagedLine } from './encode-line.ts';
import type { StageTable, StageTables } from './stage-tables.ts';

/** A table's rows are sent when they reach this size. */
const BATCH_BYTES = 1_000_000;
/** Rows are encoded in pieces of this size, because longer strings slow down the collector. */
const PIECE_CHARACTERS = 32_768;

/** Rows of one table that wait to be sent. */
class Batch {
  #text = '';
  #pieces: Buffer[] = [];
  #bytes = 0;

  add(rows: string): void {
    this.#text += rows;
    if (this.#text.length >= PIECE_CHARACTERS) this.#cut();
  }

  get isFull(): boolean {
    return this.#bytes >= BATCH_BYTES;
  }

  /** Removes and returns all rows. */
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
 * Sends staged lines to their tables. One batch is sent while the next is filled, so reading and
 * staging overlap. At most one batch for each table waits in memory.
 */
export class Stager {
  readonly #tables: StageTables;
  readonly #waiting = new Map<StageTable, Batch>();
  #sending: Promise<void> = Promise.resolve();
  #isDue = false;
  #origin: { readonly original: unknown; readonly n: number } | undefined;

  constructor(tables: StageTables) {
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
   * Stages a row that several successive lines are made of, once for all of them.
   *
   * @returns the number to find it by: that of the first of these lines.
   */
  origin(original: unknown, n: number): number {
    const last = this.#origin;
    if (last !== undefined && last.original === original) return last.n;
    this.#origin = { original, n };
    this.#append('origin', `${n}\t${jsonCell(original)}\n`);
    return n;
  }

  /** Stores the location of a rejected line, by the Id of the record it would have created. */
  rejected(id: string, { file, line }: SourceLocation): void {
    this.#append('rejected', `${id}\t${file}\t${line}\n`);
  }

  /** Starts sending every full batch, once the previous batch has arrived. */
  async send(fullOnly = true): Promise<void> {
    this.#isDue = false;
    for (const [table, batch] of this.#waiting) {
      if (fullOnly && !batch.isFull) continue;
      const pieces = batch.take();
      if (pieces.length === 0) continue;
      await this.#sending;
      this.#sending = this.#copy(table, pieces);
      // The next send or flush throws the error.
      this.#sending.catch(() => undefined);
    }
  }

  /** Resolves when everything added has been staged. */
  async flush(): Promise<void> {
    await this.send(false);
    await this.#sending;
  }

  #append(table: StageTable, rows: string): void {
    let batch = this.#waiting.get(table);
    if (batch === undefined) {
      batch = new Batch();
      this.#waiting.set(table, batch);
    }
    batch.add(rows);
    this.#isDue ||= batch.isFull;
  }

  async #copy(table: StageTable, pieces: readonly Buffer[]): Promise<void> {
    const statement = await this.#tables.copyInto(table);
    await pipeline(Readable.from(pieces), this.#tables.client.query(copyFrom(statement)));
  }
}
