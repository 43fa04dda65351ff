import { Worker } from 'node:worker_threads';
import type { FromRankerThread, RankerThreadData, ToRankerThread } from './messages.ts';
import { type Ranker, RankerLostError } from './ranker.ts';

/** The file beside this one, in the same language. */
const PROGRAM = new URL(
  `./ranker-thread${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
  import.meta.url,
);

export interface ThreadRankerOptions extends RankerThreadData {
  /** Arguments of node for the thread; by default those of this process. */
  readonly execArgv?: readonly string[] | undefined;
  /** Called if the thread ends other than by `close` or `signal`. */
  readonly onCrash: (error: Error) => void;
  /** Ends the thread, also while it loads. */
  readonly signal: AbortSignal;
}

type Answer = Exclude<FromRankerThread, { kind: 'loaded' }>;

interface Pending {
  resolve(answer: Answer): void;
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
  const { connectionString, execArgv, onCrash, signal } = options;
  signal.throwIfAborted();
  const workerData: RankerThreadData = { connectionString };
  const thread = new Worker(PROGRAM, {
    name: 'ranker-thread',
    workerData,
    ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
  });
  const close = async (): Promise<void> => {
    isClosed = true;
    await thread.terminate();
  };
  signal.addEventListener('abort', close, { once: true });
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
      signal.removeEventListener('abort', close);
      isEnded = true;
      reject(failure);
      const lost = new RankerLostError('The thread that ranks has ended.', { cause: failure });
      for (const { reject } of pending.values()) reject(lost);
      pending.clear();
      if (!isClosed) onCrash(failure);
    });
  });
  if (version === null) {
    await close();
    return undefined;
  }
  const ask = (message: ToRankerThread) =>
    new Promise<Answer>((resolve, reject) => {
      if (isEnded) throw new RankerLostError('The thread that ranks has ended.');
      pending.set(message.id, { resolve, reject });
      thread.postMessage(message);
    });
  let lastId = 0;
  const nextId = () => ++lastId;
  return {
    version,
    close,
    async rank(request) {
      const answer = await ask({ kind: 'rank', id: nextId(), request });
      return answer.kind === 'rank' ? answer.result : null;
    },
    async explain(request, hits) {
      const answer = await ask({ kind: 'explain', id: nextId(), request, hits });
      return answer.kind === 'explain' ? answer.result : [];
    },
  };
}

function answer(pending: Map<number, Pending>, message: Answer): void {
  const call = pending.get(message.id);
  pending.delete(message.id);
  if (message.kind === 'failed') call?.reject(new Error(message.message));
  else call?.resolve(message);
}
