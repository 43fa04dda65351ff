/** The manifest of a snapshot (docs/spec/replica.md 23.8). */
import { createHash } from 'node:crypto';
import { CHANGE_COLLECTIONS } from './collections.ts';

export const SNAPSHOT_FORMATS = ['parquet', 'ndjson'] as const;
export type SnapshotFormat = (typeof SNAPSHOT_FORMATS)[number];

export interface SnapshotFile {
  /** Its name in the folder of the snapshot: `startups-0.parquet`. */
  readonly name: string;
  readonly format: SnapshotFormat;
  readonly rows: number;
  readonly bytes: number;
  /** Of its bytes, hexadecimal. */
  readonly sha256: string;
}

export interface Manifest {
  /** The time of its records, as `20261128T010000Z`. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Of the last entry of the feed that its records contain, in digits of microseconds; 0 for none. */
  readonly detectedAtUs: string;
  readonly schemaVersion: string;
  readonly collections: readonly {
    readonly name: string;
    readonly rows: number;
    readonly files: readonly SnapshotFile[];
  }[];
}

/** The names of folders in which a run writes. */
export const WORK_PREFIX = '.work-';
/** The manifest is stored last, so that a snapshot with one is complete. */
export const MANIFEST_FILE = 'manifest.json';
/** As many are kept; older ones are deleted after a new one is complete. */
export const SNAPSHOTS_KEPT = 7;

const ID = /^\d{8}T\d{6}Z$/;

export function isSnapshotId(text: string): boolean {
  return ID.test(text);
}

/** The id of a snapshot of this time. */
export function snapshotIdOf(time: Date): string {
  return time.toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

/** Names and types of all fields: another version has other columns. */
export const SCHEMA_VERSION: string = createHash('sha256')
  .update(
    JSON.stringify(
      CHANGE_COLLECTIONS.map(({ name, fields }) => [
        name,
        fields.map((field) => [field.name, field.type, field.many === true]),
      ]),
    ),
  )
  .digest('hex')
  .slice(0, 12);
