import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type pg from 'pg';
import { type ChangeCollection, recordOf, rowsOf } from '../../replica/collections.ts';
import type { SnapshotFile, SnapshotFormat } from '../../replica/manifest.ts';
import { parquetSchema, parquetValue } from './parquet-schema.ts';

const ROWS_PER_FILE = 100_000;
/** Rows that are in memory at once: a row group of Parquet. */
const ROWS_PER_GROUP = 10_000;
/** Rows of one statement. */
const FETCH_ROWS = 2_000;

interface Part {
  readonly name: string;
  readonly format: SnapshotFormat;
  readonly rows: number;
  readonly path: string;
}

/**
 * Writes the records of a collection to files of at most 100,000 rows, in both formats, in a
 * temporary folder, and hands each over when it is complete.
 *
 * @param client in the transaction whose snapshot the records are of.
 */
export async function writeCollection(
  client: pg.ClientBase,
  collection: ChangeCollection,
  { folder, rowsPerFile = ROWS_PER_FILE, store, signal }: CollectionOptions,
): Promise<{ readonly rows: number; readonly files: readonly SnapshotFile[] }> {
  const files: SnapshotFile[] = [];
  let total = 0;
  const cursor = `snapshot_${collection.name}`;
  await client.query(
    `DECLARE ${cursor} NO SCROLL CURSOR FOR
     SELECT ${recordOf(collection)} AS json FROM ${rowsOf(collection)}`,
  );
  for (let number = 0; ; number += 1) {
    const parts = new PartWriter(collection, join(folder, `${collection.name}-${number}`));
    for (let rows = 0; rows < rowsPerFile; ) {
      signal.throwIfAborted();
      const count = Math.min(FETCH_ROWS, rowsPerFile - rows);
      const page = await client.query<{ json: string }>(`FETCH ${count} FROM ${cursor}`);
      await parts.write(page.rows.map(({ json }) => json));
      rows += page.rows.length;
      if (page.rows.length < count) break;
    }
    const written = await parts.end();
    // A collection without records has one file without rows.
    const isEmpty = written.rows === 0 && number > 0;
    for (const part of written.parts) {
      if (!isEmpty) files.push(await store(part, await measure(part)));
      await rm(part.path, { force: true });
    }
    total += written.rows;
    if (written.rows < rowsPerFile) break;
  }
  await client.query(`CLOSE ${cursor}`);
  return { rows: total, files };
}

export interface CollectionOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Default 100,000. */
  readonly rowsPerFile?: number;
  readonly store: (part: Part, file: SnapshotFile) => Promise<SnapshotFile>;
}

/** The size of a part and the digest of its bytes. */
async function measure({ name, format, rows, path }: Part): Promise<SnapshotFile> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  const { size } = await stat(path);
  return { name, format, rows, bytes: size, sha256: hash.digest('hex') };
}

/** Both files of a part of a collection. */
class PartWriter {
  readonly #collection: ChangeCollection;
  readonly #path: string;
  readonly #gzip = createGzip();
  readonly #written: Promise<void>;
  readonly #parquet: ParquetWriter;
  #group: Record<string, unknown>[] = [];
  #rows = 0;

  constructor(collection: ChangeCollection, path: string) {
    this.#collection = collection;
    this.#path = path;
    const out = createWriteStream(`${path}.ndjson.gz`);
    this.#gzip.pipe(out);
    this.#written = finished(out);
    this.#parquet = new ParquetWriter({
      writer: fileWriter(`${path}.parquet`),
      schema: parquetSchema(collection.fields),
      codec: 'GZIP',
      compressors: { GZIP: (bytes) => gzipSync(bytes) },
      createdBy: 'vcds',
    });
  }

  async write(texts: readonly string[]): Promise<void> {
    if (texts.length === 0) return;
    this.#rows += texts.length;
    if (!this.#gzip.write(`${texts.join('\n')}\n`)) await once(this.#gzip, 'drain');
    for (const text of texts) this.#group.push(JSON.parse(text) as Record<string, unknown>);
    if (this.#group.length >= ROWS_PER_GROUP) this.#flush();
  }

  #flush(): void {
    const rows = this.#group.splice(0);
    const columnData = this.#collection.fields.map((field) => ({
      name: field.name,
      data: rows.map((row) => parquetValue(field, row[field.name])),
    }));
    this.#parquet.write({ columnData, rowGroupSize: ROWS_PER_GROUP + FETCH_ROWS });
  }

  async end(): Promise<{ readonly rows: number; readonly parts: readonly Part[] }> {
    if (this.#group.length > 0) this.#flush();
    this.#parquet.finish();
    this.#gzip.end();
    await this.#written;
    const part = (format: SnapshotFormat, end: string): Part => {
      const path = `${this.#path}${end}`;
      return { name: path.slice(path.lastIndexOf('/') + 1), format, rows: this.#rows, path };
    };
    return {
      rows: this.#rows,
      parts: [part('parquet', '.parquet'), part('ndjson', '.ndjson.gz')],
    };
  }
}
