import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { ColumnStore, NewValue } from './column-store.ts';
import { CopyRows } from './copy-rows.ts';

/** The tables are older than what was read of them: another database is behind the address. */
export class OlderVersionError extends Error {
  constructor(version: bigint, seen: bigint) {
    super(`The facet tables are at version ${version}, and were at ${seen} before.`);
    this.name = 'OlderVersionError';
  }
}

/** More memory would be needed than is allowed. */
export class MemoryMaxError extends Error {
  readonly bytes: number;
  readonly bytesMax: number;

  constructor(bytes: number, bytesMax: number) {
    super(`Facets take ${bytes} bytes of memory and more, of ${bytesMax} at most.`);
    this.name = 'MemoryMaxError';
    this.bytes = bytes;
    this.bytesMax = bytesMax;
  }
}

/** What reading came to. */
export interface Reading {
  /** When what was read was current, in milliseconds of the epoch by this machine's clock. */
  readonly asOfMs: number;
  readonly rows: number;
}

export interface SourceOptions {
  /** The facet tables, by entity. */
  readonly tables: readonly string[];
  readonly bytesMax: number;
  /** The last batch the store holds; undefined when it is empty. */
  readonly version: bigint | undefined;
  /** Told whenever the database has answered something. */
  readonly onWord: () => void;
}

/** The facet tables, read into a world: whole at first, then what later batches wrote. */
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

  /** The last batch that was read; undefined before the first reading. */
  get seen(): bigint | undefined {
    return this.#version;
  }

  /**
   * Reads everything the first time, later what is new; undefined when nothing is. All of it from
   * one snapshot, so that batches are seen whole.
   *
   * @throws OlderVersionError, MemoryMaxError, CopyFormatError, UnknownCodeError, and errors of pg.
   */
  async read(): Promise<Reading> {
    const asOfMs = Date.now();
    const seen = this.#version;
    if (seen !== undefined) {
      const version = await this.#readVersion();
      this.#options.onWord();
      if (version < seen) throw new OlderVersionError(version, seen);
      if (version === seen) return { asOfMs, rows: 0 };
    }
    await this.#client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const version = await this.#readVersion();
    await this.#readValues();
    let rows = 0;
    for (const [entity, table] of this.#options.tables.entries()) {
      rows += await this.#readRecords(entity, table, seen);
    }
    await this.#client.query('COMMIT');
    this.#version = version;
    return { asOfMs, rows };
  }

  async #readVersion(): Promise<bigint> {
    const { rows } = await this.#client.query<{ version: string }>(
      'SELECT version FROM venture.facet_state',
    );
    return BigInt(rows[0]?.version ?? '0');
  }

  async #readValues(): Promise<void> {
    const { rows } = await this.#client.query<NewValue>(
      `SELECT code, dimension, value, folded FROM venture.dimension_value
       WHERE code > $1 ORDER BY code`,
      [this.#store.lastCode],
    );
    for (const row of rows) this.#store.addValue(row);
  }

  async #readRecords(entity: number, table: string, seen: bigint | undefined): Promise<number> {
    const condition = seen === undefined ? 'NOT deleted' : `version > ${seen}`;
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
      this.#options.onWord();
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
