import { parentPort } from 'node:worker_threads';
import type { FromThread, ToThread } from './request-thread.ts';

/** Serves the requests of a `RequestThread`, in its thread. An error of `serve` fails its request. */
export function serveRequests<Request, Answer, Ready>(
  ready: Ready,
  serve: (request: Request) => Answer,
): void {
  const post = (message: FromThread<Ready, Answer>) => parentPort?.postMessage(message);
  parentPort?.on('message', ({ id, request }: ToThread<Request>) => {
    try {
      post({ id, answer: serve(request) });
    } catch (error) {
      post({ id, failure: error instanceof Error ? error.message : String(error) });
    }
  });
  post({ ready });
}
