import { Worker } from 'node:worker_threads';
import type { FromRankerThread, RankerThreadData, ToRankerThread } from './messages.ts';
import { type RankedHit, type Ranker, RankerLostError } from './ranker.ts';

/** The file beside this one, in the same language. */
const PROGRAM = new URL(
  `./ranker-thread${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
  import.meta.url,
);

export interface ThreadRankerOptions extends RankerThreadData {
  /** Arguments of node for the thread; by default those of this process. */
  readonly execArgv?: readonly string[] | undefined;
  /** Called if the thread ends other than by `close`. */
  readonly onCrash: (error: Error) => void;
}

interface Pending {
  resolve(hits: readonly RankedHit[] | null): void;
  reject(error: Error): void;
}

/**
 * Loads the model that serves in a thread of its own, so that neither loading nor ranking delays the
 * event loop. A thread has one version; a newer one is loaded in another thread.
 *
 * @returns undefined if no model has been trained.
 * @throws Error if it cannot be loaded.
 */
export async function openThreadRanker(options: ThreadRankerOptions): Promise<Ranker | undefined> {
  const { connectionString, execArgv, onCrash } = options;
  const workerData: RankerThreadData = { connectionString };
  const thread = new Worker(PROGRAM, {
    name: 'ranker-thread',
    workerData,
    ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
  });
  const pending = new Map<number, Pending>();
  let isClosed = false;
  let isEnded = false;
  const version = await new Promise<string | null>((resolve, reject) => {
    let failure = new Error('The thread has ended.');
    thread.on('message', (message: FromRankerThread) => {
      if (message.kind === 'loaded') resolve(message.version);
      else answer(pending, message);
    });
    thread.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
    thread.on('exit', () => {
      isEnded = true;
      reject(failure);
      const lost = new RankerLostError('The thread that ranks has ended.', { cause: failure });
      for (const { reject } of pending.values()) reject(lost);
      pending.clear();
      if (!isClosed) onCrash(failure);
    });
  });
  const close = async (): Promise<void> => {
    isClosed = true;
    await thread.terminate();
  };
  if (version === null) {
    await close();
    return undefined;
  }
  let lastId = 0;
  return {
    version,
    close,
    rank: (request) =>
      new Promise((resolve, reject) => {
        if (isEnded) throw new RankerLostError('The thread that ranks has ended.');
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        const message: ToRankerThread = { id: lastId, request };
        thread.postMessage(message);
      }),
  };
}

function answer(
  pending: Map<number, Pending>,
  message: Exclude<FromRankerThread, { kind: 'loaded' }>,
): void {
  const call = pending.get(message.id);
  pending.delete(message.id);
  if (message.kind === 'ranked') call?.resolve(message.hits);
  else call?.reject(new Error(message.message));
}
