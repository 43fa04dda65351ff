/** Writes one generation of the tables. */
import { dimensionSlots, type FacetSchema, type FacetSink } from '@vcds/facet-engine';
import type { Connection } from './client.ts';
import { RowBuffer } from './encode-rows.ts';
import type { Generation, Tables } from './tables.ts';

type Apply = FacetSink['entities'][number]['apply'];

interface CopySinkOptions {
  readonly connection: Connection;
  readonly generation: Generation;
  readonly signal: AbortSignal;
  /** Rows are sent once those of a table have so many bytes. */
  readonly batchBytes: number;
}

/**
 * Rows of ClickHouse, from those of a source. They carry the version of the read: the newest of a record counts, so
 * that it does no harm to write one twice.
 */
export class CopySink implements FacetSink {
  readonly entities: FacetSink['entities'];
  readonly generation: Generation;
  lastCode = 0;
  /** Rows written since the start. */
  written = 0;
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  readonly #batchBytes: number;
  /** By table. */
  readonly #batches = new Map<string, RowBuffer>();
  readonly #values: RowBuffer;
  /** By code. */
  #dimensions = new Uint16Array(1_024);
  #version = 0n;

  constructor(
    schema: FacetSchema,
    tables: Tables,
    { connection, generation, signal, batchBytes }: CopySinkOptions,
  ) {
    this.#connection = connection;
    this.#signal = signal;
    this.#batchBytes = batchBytes;
    this.generation = generation;
    this.#values = this.#batchOf(tables.values(generation));
    this.entities = schema.entities.map(({ id }) => ({
      apply: this.#writerOf(schema, this.#batchOf(tables.records(id, generation))),
    }));
  }

  /** Rows wait for the next `drain`, and are no memory of their own. */
  get bytes(): number {
    return 0;
  }

  begin(version: bigint): void {
    this.#version = version;
  }

  addValue({ code, dimension, value, folded }: Parameters<FacetSink['addValue']>[0]): void {
    if (code >= this.#dimensions.length) {
      const larger = new Uint16Array(Math.max(code + 1, this.#dimensions.length * 2));
      larger.set(this.#dimensions);
      this.#dimensions = larger;
    }
    this.#dimensions[code] = dimension;
    this.lastCode = Math.max(this.lastCode, code);
    this.#values.uint32(code);
    this.#values.uint16(dimension);
    this.#values.text(value);
    this.#values.text(folded);
    this.#values.rows += 1;
  }

  async drain(): Promise<void> {
    await this.#send(this.#batchBytes);
  }

  /** Resolves once all rows are stored: values first, so that no record has an unknown one. */
  async flush(): Promise<void> {
    await this.#send(1);
  }

  async #send(least: number): Promise<void> {
    for (const [table, batch] of this.#batches) {
      if (batch.length < least) continue;
      this.written += batch.rows;
      await this.#connection.insert(table, batch.take(), this.#signal);
    }
  }

  #batchOf(table: string): RowBuffer {
    const batch = new RowBuffer();
    this.#batches.set(table, batch);
    return batch;
  }

  #writerOf(schema: FacetSchema, rows: RowBuffer): Apply {
    const numbers = schema.dimensions.map(({ number }) => number);
    const ofDimension = Array.from({ length: dimensionSlots(schema) }, (): number[] => []);
    return (id, codes, length, isDeleted, { links = [], figures = new Float64Array(0) }) => {
      for (const number of numbers) (ofDimension[number] as number[]).length = 0;
      for (let i = 0; i < length; i++) {
        const code = codes[i] as number;
        ofDimension[this.#dimensions[code] ?? 0]?.push(code);
      }
      rows.uuid(id);
      rows.uint64(this.#version);
      rows.byte(isDeleted ? 1 : 0);
      for (const number of numbers) {
        const found = ofDimension[number] as number[];
        rows.size(found.length);
        for (const code of found) rows.uint32(code);
      }
      for (const figure of figures) rows.nullableFloat(figure);
      for (const { ids, tags, length: count } of links) {
        rows.size(count);
        for (let i = 0; i < count; i++) rows.uuid(ids, i * 4);
        if (tags === undefined) continue;
        rows.size(count);
        for (let i = 0; i < count; i++) rows.uint32(tags[i] as number);
      }
      rows.rows += 1;
    };
  }
}
