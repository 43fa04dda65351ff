import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { NewValue } from './column-store.ts';
import { CopyRows } from './copy-rows.ts';
import type { Id } from './id-table.ts';
import type { RecordState } from './record-state.ts';
import type { EntitySchema, FacetSchema } from './schema.ts';

/**
 * The database does not list the last batch that was read, so its tables do not continue the data of that batch, or
 * are far ahead of it.
 */
export class MissingBatchError extends Error {
  constructor(version: bigint) {
    super(
      `The facet tables do not have the batch ${version}, which was read before: the database was restored, ` +
        'a replica without the batch was promoted, or very many batches followed.',
    );
    this.name = 'MissingBatchError';
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

/** Where the rows of a source go. */
export interface FacetSink {
  /** The highest code of the values that it has. */
  readonly lastCode: number;
  /** Memory that it uses. */
  readonly bytes: number;
  /** By entity of the schema. The arrays are reused after the call. */
  readonly entities: readonly {
    apply(
      id: Id,
      codes: Int32Array,
      length: number,
      isDeleted: boolean,
      state: RecordState,
    ): unknown;
  }[];
  /** Codes of new values ascend; all values of the records come before them. A known one has another `folded`. */
  addValue(value: NewValue): void;
  /** The rows of a read follow, which are those of this version. */
  begin?(version: bigint): void;
  /** Resolves once it can take more rows. */
  drain?(): Promise<void>;
}

export interface ReadResult {
  /** Start of the read: the data was current then. Milliseconds since the epoch, local clock. */
  readonly asOfMs: number;
  readonly rows: number;
  /** The last batch read. */
  readonly version: bigint;
}

export interface SourceOptions {
  readonly schema: FacetSchema;
  readonly bytesMax: number;
  /** The last batch in the store; undefined if the store is empty. */
  readonly version: bigint | undefined;
  /** Called for every response of the database. */
  readonly onResponse: () => void;
}

/** Values of one statement. */
const VALUES_MAX = 100_000;

/** Reads the facet tables into a store: first all rows, then those of later batches. */
export class FacetSource {
  readonly #client: pg.Client;
  readonly #store: FacetSink;
  readonly #options: SourceOptions;
  #version: bigint | undefined;

  constructor(client: pg.Client, store: FacetSink, options: SourceOptions) {
    this.#client = client;
    this.#store = store;
    this.#options = options;
    this.#version = options.version;
  }

  /**
   * Reads all rows the first time, later the new ones, from one snapshot: each batch is read as a
   * whole or not at all.
   *
   * @throws MissingBatchError, MemoryMaxError, CopyFormatError, OlderRowError, UnknownCodeError, and errors of pg.
   */
  async read(): Promise<ReadResult> {
    const asOfMs = Date.now();
    const previous = this.#version;
    if (previous !== undefined) {
      const { version, follows } = await this.#readState(previous);
      this.#options.onResponse();
      if (!follows) throw new MissingBatchError(previous);
      if (version === previous) return { asOfMs, rows: 0, version };
    }
    await this.#client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { version } = await this.#readState(previous);
    this.#store.begin?.(version);
    const added = `code > $1 ORDER BY code LIMIT ${VALUES_MAX}`;
    while ((await this.#readValues(added, this.#store.lastCode)) === VALUES_MAX);
    if (previous !== undefined) await this.#readValues('version > 0 AND version > $1', previous);
    let rows = 0;
    for (const [entity, of] of this.#options.schema.entities.entries()) {
      rows += await this.#readRecords(entity, of, previous);
    }
    await this.#client.query('COMMIT');
    this.#version = version;
    return { asOfMs, rows, version };
  }

  /** The version of the last batch, and whether it is `previous` or follows it. Version 0 is that before all batches. */
  async #readState(previous = 0n): Promise<{ version: bigint; follows: boolean }> {
    const { stateTable: state, batchTable: batches } = this.#options.schema;
    const { rows } = await this.#client.query<{ version: string; follows: boolean }>(
      `SELECT s.version,
         s.version = $1 OR EXISTS (SELECT FROM ${batches} AS b WHERE b.version = $1) AS follows
       FROM ${state} AS s`,
      [String(previous)],
    );
    const [{ version, follows } = { version: '0', follows: false }] = rows;
    return { version: BigInt(version), follows: follows || previous === 0n };
  }

  async #readValues(condition: string, after: number | bigint): Promise<number> {
    const { rows } = await this.#client.query<NewValue>(
      `SELECT code, dimension, value, folded FROM ${this.#options.schema.valueTable}
       WHERE ${condition}`,
      [String(after)],
    );
    this.#options.onResponse();
    for (const row of rows) this.#store.addValue(row);
    await this.#store.drain?.();
    return rows.length;
  }

  async #readRecords(
    entity: number,
    { table, links = [], figures = [] }: EntitySchema,
    previous: bigint | undefined,
  ): Promise<number> {
    const condition = previous === undefined ? 'NOT deleted' : `version > ${previous}`;
    const store = this.#store.entities[entity];
    let count = 0;
    const columns = links.flatMap(({ ids, tags }) => [`, ${ids}`, tags ? `, ${tags}` : '']);
    if (figures.length > 0) columns.unshift(', figures');
    const layout = {
      figures: figures.length,
      links: links.map(({ tags }) => ({ hasTags: tags !== undefined })),
    };
    const rows = new CopyRows(layout, ({ id, codes, codeCount, isDeleted, ...state }) => {
      store?.apply(id, codes, codeCount, isDeleted, state);
      count += 1;
    });
    const stream = this.#client.query(
      copyTo(
        `COPY (SELECT id, codes, deleted${columns.join('')} FROM ${table} WHERE ${condition})
         TO STDOUT (FORMAT binary)`,
        { highWaterMark: 1_048_576 },
      ),
    );
    let unchecked = 0;
    for await (const chunk of stream) {
      this.#options.onResponse();
      rows.push(chunk);
      await this.#store.drain?.();
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
