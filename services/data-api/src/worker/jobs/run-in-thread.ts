import { Worker } from 'node:worker_threads';
import type { JobCounts } from './job.ts';

/** After the abort a run may take this long to return; then its thread is terminated. */
const RETURN_MS_MAX = 5_000;

export interface ThreadRun {
  /** The module that the thread runs. It posts its counts, and ends when a message arrives. */
  readonly program: URL;
  readonly workerData: unknown;
  readonly signal: AbortSignal;
  /** Default 5,000. */
  readonly returnMsMax?: number;
}

/**
 * Runs a program in a thread, so that computing does not delay the probes, the locks of other jobs
 * and the stop of the process. A run that does not return after the abort is terminated.
 *
 * @throws the reason of the abort, or the error of the program.
 */
export async function runInThread(run: ThreadRun): Promise<JobCounts> {
  const { program, workerData, signal, returnMsMax = RETURN_MS_MAX } = run;
  signal.throwIfAborted();
  const thread = new Worker(program, { workerData });
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    thread.postMessage('stop');
    timer = setTimeout(() => void thread.terminate(), returnMsMax);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await new Promise<JobCounts>((resolve, reject) => {
      let counts: JobCounts | undefined;
      thread.once('message', (message: JobCounts) => {
        counts = message;
      });
      thread.once('error', reject);
      thread.once('exit', (code) => {
        if (counts !== undefined) resolve(counts);
        else reject(new Error(`The thread of the job ended with code ${code}.`));
      });
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
