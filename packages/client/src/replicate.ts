import { type DownloadOptions, download } from './download.ts';
import { VcdsError } from './errors.ts';
import type { Data, Parameters } from './paths.ts';
import type { ApiResponse, CallOptions } from './transport.ts';

/** A snapshot with its files. */
export type Snapshot = Data<'/snapshots'>['snapshots'][number];
/** An entry of the feed of changes, with its record. */
export type Change = Data<'/changes'>['changes'][number];
export type ReplicaCollection = Change['collection'];

/** How far a copy is; plain JSON. */
export interface ReplicaPosition {
  /** The changes after it are missing. */
  readonly cursor: string;
  /** The snapshot that the copy began with. */
  readonly snapshot: string;
  readonly schemaVersion: string;
}

/** The bytes of a file of a snapshot, whose digest is checked. */
export type OpenFile = (
  file: Snapshot['collections'][number]['files'][number],
) => Promise<Uint8Array>;

/** Where a copy is kept. One `replicate` at a time may use it. */
export interface ReplicaStore {
  /** Undefined before the first load. */
  position(): Promise<ReplicaPosition | undefined>;
  /** Replaces all records by those of a snapshot. After a crash the copy is the old or the new one. */
  load(
    collections: Snapshot['collections'],
    open: OpenFile,
    position: ReplicaPosition,
  ): Promise<void>;
  /**
   * Applies changes in their order: a `record` of null removes it. Resolves once the position is
   * stored; a crash before that applies them again, which changes nothing.
   */
  apply(changes: readonly Change[], position: ReplicaPosition): Promise<void>;
}

export interface ReplicateOptions extends CallOptions {
  readonly store: ReplicaStore;
  /** Default: all. */
  readonly collections?: readonly ReplicaCollection[] | undefined;
  /** Between polls at the end of the feed: at least 1 s. Default: an hour. A poll costs a credit. */
  readonly intervalMs?: number | undefined;
  /** End at the end of the feed instead of waiting, for a scheduled job. */
  readonly stopWhenCaughtUp?: boolean | undefined;
}

export interface ReplicaReport {
  /** The snapshot that was loaded; null if the copy continued. */
  readonly loaded: string | null;
  /** Changes that were applied. */
  readonly changes: number;
}

export interface ReplicateContext extends Omit<DownloadOptions, 'signal'> {
  readonly snapshots: (options: CallOptions) => Promise<ApiResponse<Data<'/snapshots'>>>;
  readonly changes: (
    query: Parameters<'/changes'>,
    options: CallOptions,
  ) => Promise<ApiResponse<Data<'/changes'>>>;
}

const INTERVAL_MS = { default: 3_600_000, min: 1_000 } as const;
const PAGE_SIZE = 1_000;

/**
 * Keeps a copy of the records: loads the newest snapshot into an empty store, then follows the
 * changes (docs/spec/replica.md 23.1). Loads a snapshot again after an update of the service that
 * changed fields, or after a restore of its database. Ends when `signal` is aborted, with
 * `stopWhenCaughtUp`, or with an error; the next call continues.
 *
 * @throws VcdsError as calls; Error if the service has no snapshot.
 */
export async function replicate(
  options: ReplicateOptions,
  context: ReplicateContext,
): Promise<ReplicaReport> {
  const { store, signal, intervalMs = INTERVAL_MS.default, stopWhenCaughtUp = false } = options;
  if (!(intervalMs >= INTERVAL_MS.min)) throw new RangeError('intervalMs is at least 1,000.');
  let { position, loaded } = await begin(options, context);
  let changes = 0;
  while (signal?.aborted !== true) {
    const page = await pageAfter(position, options, context);
    if (page === undefined) {
      ({ position, loaded } = await load(options, context, position.snapshot));
      continue;
    }
    position = { ...position, cursor: page.nextCursor };
    await store.apply(page.changes, position);
    changes += page.changes.length;
    if (page.hasMore) continue;
    if (stopWhenCaughtUp) break;
    await context.sleep(intervalMs, signal).catch((error: unknown) => {
      if (signal?.aborted !== true) throw error;
    });
  }
  return { loaded, changes };
}

interface Begun {
  readonly position: ReplicaPosition;
  readonly loaded: string | null;
}

async function begin(options: ReplicateOptions, context: ReplicateContext): Promise<Begun> {
  const position = await options.store.position();
  if (position === undefined) return load(options, context);
  const [newest] = (await context.snapshots(options)).data.snapshots;
  const isOld = newest !== undefined && newest.schemaVersion !== position.schemaVersion;
  return isOld ? load(options, context) : { position, loaded: null };
}

/** @param lost the snapshot whose changes the service no longer has. */
async function load(
  { store, collections, signal, creditsMax }: ReplicateOptions,
  context: ReplicateContext,
  lost?: string,
): Promise<Begun> {
  const [newest] = (await context.snapshots({ signal, creditsMax })).data.snapshots;
  if (newest === undefined || newest.id === lost) {
    throw new Error('The service has no snapshot to begin with; it makes one every night.');
  }
  const { id: snapshot, cursor, schemaVersion } = newest;
  const position = { snapshot, cursor, schemaVersion };
  const wanted = newest.collections.filter(({ name }) => collections?.includes(name) ?? true);
  await store.load(wanted, (file) => download(file, { ...context, signal }), position);
  return { position, loaded: snapshot };
}

/** Undefined if the service does not have the cursor. */
async function pageAfter(
  { cursor }: ReplicaPosition,
  { collections, signal, creditsMax }: ReplicateOptions,
  context: ReplicateContext,
) {
  try {
    const query = { cursor, include: 'record', limit: PAGE_SIZE } as const;
    const only = collections === undefined ? {} : { collections: [...collections] };
    return (await context.changes({ ...query, ...only }, { signal, creditsMax })).data;
  } catch (error) {
    if (error instanceof VcdsError && error.code === 'cursor_lost') return undefined;
    throw error;
  }
}
