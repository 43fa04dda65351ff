import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { ADVISORY_LOCKS, waitForLock } from '../../postgres/advisory-locks.ts';
import { CHANGE_COLLECTIONS } from '../../replica/collections.ts';
import {
  isSnapshotId,
  MANIFEST_FILE,
  type Manifest,
  SCHEMA_VERSION,
  SNAPSHOTS_KEPT,
  snapshotIdOf,
  WORK_PREFIX,
} from '../../replica/manifest.ts';
import type { SnapshotStore } from '../../replica/snapshot-store.ts';
import { writeCollection } from './write-collection.ts';

export interface SnapshotOptions {
  readonly pool: pg.Pool;
  readonly store: SnapshotStore;
  readonly signal: AbortSignal;
  /** Default 100,000. */
  readonly rowsPerFile?: number;
}

/**
 * Writes all records as of one moment to the store (docs/spec/replica.md 23.8), then its manifest, and
 * deletes older snapshots and those that a run left that was stopped. It may be repeated at any time.
 * Its transaction reads only; it holds back vacuum while it runs.
 */
export async function writeSnapshot(options: SnapshotOptions): Promise<Manifest> {
  const { pool, store, signal } = options;
  const client = await pool.connect();
  const folder = await store.workFolder();
  try {
    await waitForLock(client, ADVISORY_LOCKS.snapshots);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { createdAt, detectedAtUs } = await beginningOf(client);
    const id = snapshotIdOf(createdAt);
    const collections: Manifest['collections'][number][] = [];
    for (const collection of CHANGE_COLLECTIONS) {
      const { rows, files } = await writeCollection(client, collection, {
        ...{ folder, signal },
        ...(options.rowsPerFile && { rowsPerFile: options.rowsPerFile }),
        store: async ({ path }, file) => {
          await store.put(id, file.name, path, file.bytes);
          return file;
        },
      });
      collections.push({ name: collection.name, rows, files });
    }
    await client.query('COMMIT');
    const manifest: Manifest = {
      ...{ id, createdAt: createdAt.toISOString(), detectedAtUs },
      ...{ schemaVersion: SCHEMA_VERSION, collections },
    };
    const text = JSON.stringify(manifest);
    const path = join(folder, MANIFEST_FILE);
    await writeFile(path, text);
    await store.put(id, MANIFEST_FILE, path, Buffer.byteLength(text));
    await removeOthers(store, id, folder);
    return manifest;
  } finally {
    // The end of the session also ends the lock, and the transaction of a run that failed.
    client.release(true);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The time of the snapshot, and the last entry of the feed that it contains. */
async function beginningOf(client: pg.ClientBase) {
  const { rows } = await client.query<{ createdAt: Date; detectedAtUs: string }>(
    `SELECT clock_timestamp() AS "createdAt", coalesce(
       (extract(epoch FROM max(detected_at)) * 1000000)::bigint, 0)::text AS "detectedAtUs"
     FROM venture.change`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The statement returned no row.');
  return row;
}

async function removeOthers(store: SnapshotStore, id: string, own: string): Promise<void> {
  const complete: string[] = [];
  const all = await store.ids();
  // Of runs that were killed: this one has the lock.
  for (const each of all.filter((name) => name.startsWith(WORK_PREFIX) && !own.endsWith(name))) {
    await store.remove(each);
  }
  const ids = all.filter(isSnapshotId).sort();
  for (const each of ids) {
    if ((await store.manifest(each)) !== undefined) complete.push(each);
    else if (each < id) await store.remove(each);
  }
  for (const old of complete.slice(0, -SNAPSHOTS_KEPT)) await store.remove(old);
}

/** The numbers of a snapshot, for the log and the metrics of jobs. */
export function countsOf({ collections }: Manifest): Record<'rows' | 'files' | 'bytes', number> {
  const files = collections.flatMap((each) => each.files);
  return {
    rows: collections.reduce((sum, { rows }) => sum + rows, 0),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
