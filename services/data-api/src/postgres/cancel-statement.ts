import { connect } from 'node:net';
import type pg from 'pg';

/** The cancel request of PostgreSQL's protocol: its length, its code, and whom it is about. */
const REQUEST_BYTES = 16;
const REQUEST_CODE = 80_877_102;
const ANSWER_MS_MAX = 2_000;

/** Members of a connection that its types do not have. */
interface Backend {
  readonly host: string;
  readonly port: number;
  readonly processID: number | null;
  readonly secretKey: number | null;
}

/**
 * Cancels the statement of a connection once a signal aborts.
 *
 * @returns to call when the statement has ended, and to await before the connection is used again.
 */
export function cancelOnAbort(
  client: pg.PoolClient,
  signal: AbortSignal | undefined,
): () => Promise<void> {
  let cancelled: Promise<void> | undefined;
  const cancel = (): void => {
    cancelled = cancelStatement(client);
  };
  signal?.addEventListener('abort', cancel, { once: true });
  return async () => {
    signal?.removeEventListener('abort', cancel);
    await cancelled;
  };
}

/**
 * Asks the server to cancel the statement that a connection runs, over a connection of its own, as
 * the protocol requires; poolers hand it on. Ends when the server has sent the signal, so that a later
 * statement of the connection is not cancelled. Never fails: a statement that was not cancelled ends
 * by its time limit.
 */
async function cancelStatement(client: pg.PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Backend;
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(REQUEST_BYTES);
  [REQUEST_BYTES, REQUEST_CODE, processID, secretKey].forEach((value, index) => {
    request.writeInt32BE(value, index * Int32Array.BYTES_PER_ELEMENT);
  });
  const isLocal = host.startsWith('/');
  const socket = connect(isLocal ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy());
  socket.on('error', () => undefined).end(request);
  // Without a listener for data the socket would not see the end of the server.
  socket.resume();
  // Not `once` of node:events, which rejects on an error.
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
}
