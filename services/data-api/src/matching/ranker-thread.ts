/** A thread that loads the model which serves, and ranks with it: the program of `thread-ranker.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadMatcher } from './load-matcher.ts';
import type { FromRankerThread, RankerThreadData, ToRankerThread } from './messages.ts';

const { connectionString }: RankerThreadData = workerData;
const matcher = await loadMatcher(connectionString);
post({ kind: 'loaded', version: matcher?.version ?? null });

parentPort?.on('message', (message: ToRankerThread) => {
  const { id, kind, request } = message;
  try {
    if (matcher === undefined) throw new Error('The thread has no model.');
    if (kind === 'rank') post({ kind, id, result: matcher.rank(request) });
    else post({ kind, id, result: matcher.explain(request, message.hits) });
  } catch (error) {
    post({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
});

function post(message: FromRankerThread): void {
  parentPort?.postMessage(message);
}
