/** A thread that loads the model which serves, and ranks with it: the program of `thread-ranker.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadMatcher } from './load-matcher.ts';
import type { FromRankerThread, RankerThreadData, ToRankerThread } from './messages.ts';

const { connectionString }: RankerThreadData = workerData;
const matcher = await loadMatcher(connectionString);
post({ kind: 'loaded', version: matcher?.version ?? null });

parentPort?.on('message', ({ id, request }: ToRankerThread) => {
  try {
    post({ kind: 'ranked', id, hits: matcher === undefined ? [] : matcher.rank(request) });
  } catch (error) {
    post({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
});

function post(message: FromRankerThread): void {
  parentPort?.postMessage(message);
}
