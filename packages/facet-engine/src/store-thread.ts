/** The storing thread: loads the facet tables, polls for changes and posts them. */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { ColumnStore } from './column-store.ts';
import { OlderRowError } from './copy-rows.ts';
import type { FromStore, StoreData } from './messages.ts';
import { FacetSource, MemoryMaxError, type ReadResult } from './source.ts';

const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 5_000;

const {
  connection: settings,
  schema,
  bytesMax,
  pollMs,
  silentMsMax,
  segmentRecordsMax,
  acknowledged,
}: StoreData = workerData;
const stopping = new AbortController();
const startedMs = performance.now();
let store = emptyStore();
let version: bigint | undefined;
let client: pg.Client | undefined;

// Any message.
parentPort?.on('message', () => {
  stopping.abort();
  client?.end().catch(() => undefined);
});
await follow();
parentPort?.close();

function emptyStore(): ColumnStore {
  return new ColumnStore(schema, { acknowledged: leastAcknowledged, segmentRecordsMax });
}

/** Connects and reads until stopped; throws errors of what was read, which a reconnect cannot repair. */
async function follow(): Promise<void> {
  let retryMs = RETRY_MS_MIN;
  while (!stopping.signal.aborted) {
    // A load that failed half-way may have read records that are deleted now.
    if (version === undefined) store = emptyStore();
    let isLost = true;
    // To end a connection that is being made does not end the wait for it.
    const connection = new pg.Client({ connectionTimeoutMillis: silentMsMax, ...settings });
    client = connection;
    // Makes the pending query fail.
    const silence = setTimeout(() => {
      isLost = true;
      connection.end().catch(() => undefined);
    }, silentMsMax);
    connection.on('error', () => {
      isLost = true;
    });
    connection.on('end', () => {
      isLost = true;
    });
    try {
      await connection.connect();
      isLost = false;
      await readAll(connection, {
        onResponse: () => silence.refresh(),
        onRead: () => {
          retryMs = RETRY_MS_MIN;
        },
      });
    } catch (error) {
      if (stopping.signal.aborted) return;
      if (error instanceof MemoryMaxError) {
        post({ kind: 'too-large', bytes: error.bytes, bytesMax: error.bytesMax });
        return;
      }
      if (!isLost && !isOfDatabase(error) && !(error instanceof OlderRowError)) throw error;
      post({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
      await pause(retryMs, stopping.signal);
      retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
    } finally {
      clearTimeout(silence);
      connection.end().catch(() => undefined);
    }
  }
}

async function readAll(
  connection: pg.Client,
  { onResponse, onRead }: { readonly onResponse: () => void; readonly onRead: () => void },
): Promise<void> {
  const source = new FacetSource(connection, store, { schema, bytesMax, version, onResponse });
  while (!stopping.signal.aborted) {
    const isFirst = version === undefined;
    const result = await source.read();
    version = result.version;
    onRead();
    const isCompacting = store.compact();
    if (isFirst || result.rows > 0 || isCompacting) postChanges(result, isFirst);
    else post({ kind: 'unchanged', asOfMs: result.asOfMs });
    if (!isCompacting) await pause(pollMs, stopping.signal);
  }
}

function postChanges({ asOfMs, version: batch }: ReadResult, isFirst: boolean): void {
  post({
    kind: 'changes',
    batch: String(batch),
    asOfMs,
    loadMs: isFirst ? performance.now() - startedMs : undefined,
    changes: store.changes(),
    sizes: store.sizes,
    bytes: store.bytes,
  });
}

/** A version that every counting thread has applied. */
function leastAcknowledged(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let thread = 0; thread < acknowledged.length; thread++) {
    least = Math.min(least, Atomics.load(acknowledged, thread));
  }
  return least;
}

function post(message: FromStore): void {
  parentPort?.postMessage(message);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Whether the server rejected the query or was unreachable: both may be temporary. */
function isOfDatabase(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError ||
    (error instanceof Error && 'code' in error && typeof error.code === 'string')
  );
}
