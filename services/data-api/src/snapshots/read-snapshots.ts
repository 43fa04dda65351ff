import { stat } from 'node:fs/promises';
import { ApiError, seeUrl } from '@vcds/service-kit';
import type { ChangeCursorCodec } from '../changes/cursor.ts';
import type { Answer } from '../postgres/database.ts';
import type { Manifest, SnapshotFile } from '../replica/manifest.ts';
import { readManifests, type SnapshotStore } from '../replica/snapshot-store.ts';
import { type JsonObject, members, type Table } from '../tables/csv.ts';

/** The dependencies of reading snapshots. */
export interface SnapshotSources {
  readonly snapshots: SnapshotShelf;
  readonly baseUrl: string;
  readonly cursors: { readonly changes: ChangeCursorCodec };
}

const KEPT_MS = 10_000;

/** The snapshots of the store, read at most every ten seconds. */
export class SnapshotShelf {
  readonly #store: SnapshotStore | undefined;
  #manifests: Promise<readonly Manifest[]> | undefined;
  #readAtMs = 0;

  /** @param store undefined: there are none. */
  constructor(store: SnapshotStore | undefined) {
    this.#store = store;
  }

  /** @throws ApiError `unavailable` if the store cannot be read. */
  async list(): Promise<readonly Manifest[]> {
    if (this.#store === undefined) return [];
    if (this.#manifests === undefined || performance.now() - this.#readAtMs > KEPT_MS) {
      this.#readAtMs = performance.now();
      this.#manifests = readManifests(this.#store);
    }
    try {
      return await this.#manifests;
    } catch (error) {
      this.#manifests = undefined;
      throw storeFailed(error);
    }
  }

  /** @throws ApiError `not_found`, `unavailable`. */
  async find(id: string, name: string): Promise<Answer> {
    const manifest = (await this.list()).find((each) => each.id === id);
    const file = manifest?.collections
      .flatMap(({ files }) => files)
      .find((each) => each.name === name);
    if (this.#store === undefined || file === undefined) throw noFile();
    try {
      const source = await this.#store.source(id, name);
      if ('path' in source && (await stat(source.path)).size !== file.bytes) throw noFile();
      return { body: '', records: 0, more: false, file: { ...source, ...typeOf(file) } };
    } catch (error) {
      throw error instanceof ApiError ? error : storeFailed(error);
    }
  }

  close(): void {
    this.#store?.close();
  }
}

function typeOf({ format, bytes, sha256 }: SnapshotFile) {
  const type = format === 'parquet' ? 'application/vnd.apache.parquet' : 'application/gzip';
  return { type, bytes, etag: `"${sha256}"` };
}

function storeFailed(cause: unknown): ApiError {
  return new ApiError('unavailable', 'The store of snapshots does not respond.', {}, { cause });
}

function noFile(): ApiError {
  return new ApiError(
    'not_found',
    'There is no such file of a snapshot; seven snapshots are kept.',
    {
      see: '/snapshots',
    },
  );
}

/** The files of all snapshots. */
export const SNAPSHOTS_TABLE: Table = {
  columns: members(
    ...['id', 'createdAt', 'schemaVersion', 'cursor', 'collection'],
    ...['name', 'url', 'format', 'rows', 'bytes', 'sha256'],
  ),
  rows: ({ snapshots }) =>
    (snapshots as readonly ListedSnapshot[]).flatMap(({ collections, ...snapshot }) =>
      collections.flatMap(({ name, files }) =>
        files.map((file) => ({ ...snapshot, collection: name, ...file })),
      ),
    ),
};

interface ListedSnapshot extends JsonObject {
  readonly collections: readonly { readonly name: string; readonly files: readonly JsonObject[] }[];
}

/** The manifests, the newest first, with the addresses of their files. */
export async function listSnapshots({
  snapshots,
  baseUrl,
  cursors,
}: SnapshotSources): Promise<Answer> {
  const manifests = await snapshots.list();
  const body = {
    snapshots: manifests.map(({ id, createdAt, detectedAtUs, schemaVersion, collections }) => ({
      ...{ id, createdAt, schemaVersion },
      cursor: cursors.changes.encode({
        detectedAtUs: BigInt(detectedAtUs),
        isEntry: detectedAtUs !== '0',
      }),
      collections: collections.map(({ name, rows, files }) => ({
        ...{ name, rows },
        files: files.map(({ name: file, ...rest }) => ({
          ...{ name: file, url: seeUrl(baseUrl, `/snapshots/${id}/${file}`) },
          ...rest,
        })),
      })),
    })),
  };
  return { body: JSON.stringify(body), records: 0, more: false };
}
