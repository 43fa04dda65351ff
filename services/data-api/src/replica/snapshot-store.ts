import { openFolder } from './folder-store.ts';
import { isSnapshotId, type Manifest } from './manifest.ts';

/** How a client reads a file: from a path of this machine, or at a signed URL of the store. */
export type FileSource = { readonly path: string } | { readonly url: string };

/** Where snapshots are kept: a folder for each, whose name is its id. */
export interface SnapshotStore {
  /** The ids of all snapshots, also of those without a manifest. */
  ids(): Promise<readonly string[]>;
  /** Undefined if the snapshot is not complete, or does not exist. */
  manifest(id: string): Promise<Manifest | undefined>;
  /** A new folder of this machine, in which files are written before they are stored. */
  workFolder(): Promise<string>;
  /** Takes a file of that folder; a reader has the whole file or none. */
  put(id: string, name: string, path: string, bytes: number): Promise<void>;
  source(id: string, name: string): Promise<FileSource>;
  /** Deletes a snapshot with its files; the manifest first. */
  remove(id: string): Promise<void>;
  close(): void;
}

/** The schemes of the URL of a store. */
export const SNAPSHOT_SCHEMES = ['file', 's3'] as const;

/**
 * @param url `file:///var/lib/vcds/snapshots`, or `s3://key:secret@bucket/prefix?region=…&endpoint=…`;
 *   without a key, that of the environment, as in other programs for S3.
 */
export async function openSnapshotStore(url: string): Promise<SnapshotStore> {
  const parsed = new URL(url);
  if (parsed.protocol !== 's3:') return openFolder(parsed);
  // The client of S3 is large.
  const { openBucket } = await import('./bucket-store.ts');
  return openBucket(parsed);
}

/** The manifests of all complete snapshots, the newest first. */
export async function readManifests(store: SnapshotStore): Promise<readonly Manifest[]> {
  const ids = (await store.ids()).filter(isSnapshotId).sort().reverse();
  const manifests = await Promise.all(ids.map((id) => store.manifest(id)));
  return manifests.filter((manifest) => manifest !== undefined);
}
