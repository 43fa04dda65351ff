import {
  programBeside,
  RequestThread,
  type RequestThreadOptions,
} from '../threads/request-thread.ts';
import type { RankerAnswer, RankerQuestion, RankerThreadData } from './messages.ts';
import type { Ranker } from './ranker.ts';

export interface ThreadRankerOptions
  extends RankerThreadData,
    Pick<RequestThreadOptions, 'execArgv'> {
  /** Called if the thread ends other than by `close` or `signal`. */
  readonly onCrash: (error: Error) => void;
  /** Ends the thread, also while it loads. */
  readonly signal: AbortSignal;
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
  const close = () => thread.close();
  const thread = new RequestThread<RankerQuestion, RankerAnswer, string | null>({
    name: 'ranker-thread',
    program: programBeside(import.meta.url, 'ranker-thread'),
    ...{ workerData, execArgv },
    onCrash: (error) => {
      signal.removeEventListener('abort', close);
      onCrash(error);
    },
  });
  signal.addEventListener('abort', close, { once: true });
  const version = await thread.ready;
  if (version === null) {
    signal.removeEventListener('abort', close);
    await close();
    return undefined;
  }
  return {
    version,
    async close() {
      signal.removeEventListener('abort', close);
      await close();
    },
    async rank(request) {
      const answer = await thread.ask({ kind: 'rank', request });
      return answer.kind === 'rank' ? answer.result : null;
    },
    async explain(request, hits) {
      const answer = await thread.ask({ kind: 'explain', request, hits });
      return answer.kind === 'explain' ? answer.result : [];
    },
  };
}
