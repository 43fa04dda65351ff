/** The storing thread: loads the facet tables, follows them, and tells what has changed. */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
import { ColumnStore } from './column-store.ts';
import type { FromStore, StoreData } from './messages.ts';
import { FacetSource, MemoryMaxError, type Reading } from './source.ts';

const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 5_000;

const {
  connection: settings,
  tables,
  bytesMax,
  pollMs,
  silentMsMax,
  acknowledged,
}: StoreData = workerData;
const stopping = new AbortController();
const startedMs = performance.now();
const store = new ColumnStore(tables.length, { acknowledged: leastAcknowledged });
let version: bigint | undefined;
let client: pg.Client | undefined;

parentPort?.once('message', () => {
  stopping.abort();
  client?.end().catch(() => undefined);
});
await follow();
parentPort?.close();

/** Connects and reads until told to stop; what cannot be mended by connecting again is thrown. */
async function follow(): Promise<void> {
  let retryMs = RETRY_MS_MIN;
  while (!stopping.signal.aborted) {
    let isLost = false;
    const connection = new pg.Client(settings);
    client = connection;
    // Cuts off what is waited for, which then fails.
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
      await readAll(connection, {
        onWord: () => silence.refresh(),
        onRead: () => {
          retryMs = RETRY_MS_MIN;
        },
      });
    } catch (error) {
      if (stopping.signal.aborted) return;
      if (error instanceof MemoryMaxError) {
        tell({ kind: 'refused', bytes: error.bytes, bytesMax: error.bytesMax });
        return;
      }
      if (!isLost && !isOfDatabase(error)) throw error;
      tell({ kind: 'trouble', message: error instanceof Error ? error.message : String(error) });
      await pause(retryMs);
      retryMs = Math.min(retryMs * 2, RETRY_MS_MAX);
    } finally {
      clearTimeout(silence);
      connection.end().catch(() => undefined);
    }
  }
}

async function readAll(
  connection: pg.Client,
  { onWord, onRead }: { readonly onWord: () => void; readonly onRead: () => void },
): Promise<void> {
  const source = new FacetSource(connection, store, { tables, bytesMax, version, onWord });
  while (!stopping.signal.aborted) {
    const isFirst = version === undefined;
    const reading = await source.read();
    version = source.seen;
    onRead();
    const hasMoved = store.compact();
    if (isFirst || reading.rows > 0 || hasMoved) tellChanges(reading, isFirst);
    else tell({ kind: 'unchanged', asOfMs: reading.asOfMs });
    if (!hasMoved) await pause(pollMs);
  }
}

function tellChanges({ asOfMs }: Reading, isFirst: boolean): void {
  tell({
    kind: 'changes',
    asOfMs,
    loadMs: isFirst ? performance.now() - startedMs : undefined,
    changes: store.changes(),
    sizes: store.sizes,
    bytes: store.bytes,
  });
}

/** The version that every counting thread has taken, or a later one. */
function leastAcknowledged(): number {
  let least = Number.POSITIVE_INFINITY;
  for (let thread = 0; thread < acknowledged.length; thread++) {
    least = Math.min(least, Atomics.load(acknowledged, thread));
  }
  return least;
}

function tell(message: FromStore): void {
  parentPort?.postMessage(message);
}

async function pause(ms: number): Promise<void> {
  await delay(ms, undefined, { signal: stopping.signal }).catch(() => undefined);
}

/** Whether the server refused, or was not to be reached: both may pass. */
function isOfDatabase(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError ||
    (error instanceof Error && 'code' in error && typeof error.code === 'string')
  );
}
