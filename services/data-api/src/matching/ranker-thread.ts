/** A thread that loads the model which serves, and ranks with it: the program of `thread-ranker.ts`. */
import { workerData } from 'node:worker_threads';
import { serveRequests } from '../threads/serve-requests.ts';
import { loadMatcher } from './load-matcher.ts';
import type { RankerAnswer, RankerQuestion, RankerThreadData } from './messages.ts';

const { connectionString }: RankerThreadData = workerData;
const matcher = await loadMatcher(connectionString);

serveRequests(matcher?.version ?? null, (question: RankerQuestion): RankerAnswer => {
  if (matcher === undefined) throw new Error('The thread has no model.');
  const { kind, request } = question;
  if (kind === 'rank') return { kind, result: matcher.rank(request) };
  return { kind, result: matcher.explain(request, question.hits) };
});
