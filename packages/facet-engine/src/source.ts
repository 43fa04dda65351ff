import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { ColumnStore, NewValue } from './column-store.ts';
import { CopyRows } from './copy-rows.ts';

/** The tables are at an earlier version than before: the address leads to another database. */
export class OlderVersionError extends Error {
  constructor(version: bigint, previous: bigint) {
    super(`The version of the facet tables decreased from ${previous} to ${version}.`);
    this.name = 'OlderVersionError';
  }
}

/** The data needs more memory than allowed. */
export class MemoryMaxError extends Error {
  readonly bytes: number;
  readonly bytesMax: number;

  constructor(bytes: number, bytesMax: number) {
    super(`Facets need more than ${bytes} bytes of memory; the limit is ${bytesMax}.`);
    this.name = 'MemoryMaxError';
    this.bytes = bytes;
    this.bytesMax = bytesMax;
  }
}

/** The tables to read, as SQL names them. */
export interface FacetTables {
  readonly values: string;
  readonly state: string;
  /** By entity. */
  readonly entities: readonly string[];
}

export interface ReadResult {
  /** Start of the read: the data was current then. Milliseconds since the epoch, local clock. */
  readonly asOfMs: number;
  readonly rows: number;
  /** The last batch read. */
  readonly version: bigint;
}

export interface SourceOptions {
  readonly tables: FacetTables;
  readonly bytesMax: number;
  /** The last batch in the store; undefined if the store is empty. */
  readonly version: bigint | undefined;
  /** Called for every response of the database. */
  readonly onResponse: () => void;
}

/** Reads the facet tables into a store: first all rows, then those of later batches. */
export class FacetSource {
  readonly #client: pg.Client;
  readonly #store: ColumnStore;
  readonly #options: SourceOptions;
  #version: bigint | undefined;

  constructor(client: pg.Client, store: ColumnStore, options: SourceOptions) {
    this.#client = client;
    this.#store = store;
    this.#options = options;
    this.#version = options.version;
  }

  /**
   * Reads all rows the first time, later the new ones, from one snapshot: each batch is read as a
   * whole or not at all.
   *
   * @throws OlderVersionError, MemoryMaxError, CopyFormatError, UnknownCodeError, and errors of pg.
   */
  async read(): Promise<ReadResult> {
    const asOfMs = Date.now();
    const previous = this.#version;
    if (previous !== undefined) {
      const version = await this.#readVersion();
      this.#options.onResponse();
      if (version < previous) throw new OlderVersionError(version, previous);
      if (version === previous) return { asOfMs, rows: 0, version };
    }
    await this.#client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const version = await this.#readVersion();
    await this.#readValues();
    let rows = 0;
    for (const [entity, table] of this.#options.tables.entities.entries()) {
      rows += await this.#readRecords(entity, table, previous);
    }
    await this.#client.query('COMMIT');
    this.#version = version;
    return { asOfMs, rows, version };
  }

  async #readVersion(): Promise<bigint> {
    const { rows } = await this.#client.query<{ version: string }>(
      `SELECT version FROM ${this.#options.tables.state}`,
    );
    return BigInt(rows[0]?.version ?? '0');
  }

  async #readValues(): Promise<void> {
    const { rows } = await this.#client.query<NewValue>(
      `SELECT code, dimension, value, folded FROM ${this.#options.tables.values}
       WHERE code > $1 ORDER BY code`,
      [this.#store.lastCode],
    );
    for (const row of rows) this.#store.addValue(row);
  }

  async #readRecords(entity: number, table: string, previous: bigint | undefined): Promise<number> {
    const condition = previous === undefined ? 'NOT deleted' : `version > ${previous}`;
    const store = this.#store.entities[entity];
    let count = 0;
    const rows = new CopyRows((id, codes, codeCount, isDeleted) => {
      store?.apply(id, codes, codeCount, isDeleted);
      count += 1;
    });
    const stream = this.#client.query(
      copyTo(
        `COPY (SELECT id, codes, deleted FROM ${table} WHERE ${condition})
         TO STDOUT (FORMAT binary)`,
        { highWaterMark: 1_048_576 },
      ),
    );
    let unchecked = 0;
    for await (const chunk of stream) {
      this.#options.onResponse();
      rows.push(chunk);
      unchecked += chunk.length;
      if (unchecked > 4_194_304) {
        unchecked = 0;
        this.#checkMemory();
      }
    }
    rows.end();
    this.#checkMemory();
    return count;
  }

  #checkMemory(): void {
    const { bytes } = this.#store;
    const { bytesMax } = this.#options;
    if (bytes > bytesMax) throw new MemoryMaxError(bytes, bytesMax);
  }
}
