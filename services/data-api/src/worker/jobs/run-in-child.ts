import { fork } from 'node:child_process';
import type { JobCounts } from './jobs.ts';

/** After the abort a run may take this long to return; then its process is killed. */
const RETURN_MS_MAX = 5_000;
/** Of the JavaScript heap of a run; the records that training reads are outside it. */
const HEAP_MB_MAX = 1_024;

/** The message of the process of a run: its result or its error. */
export type ChildMessage = { readonly counts: JobCounts } | { readonly error: unknown };

export interface ChildRun {
  /** The program sends one message and ends, also soon after its channel is closed. */
  readonly program: URL;
  readonly job: string;
  readonly signal: AbortSignal;
  /** Default 5,000. */
  readonly returnMsMax?: number;
  /** Default 1,024. */
  readonly heapMbMax?: number;
}

/**
 * Runs a job in a process that ends with it: its memory returns to the system, and
 * computing delays neither the probes nor the feed. The process also ends if this one is killed. A run
 * that does not return after the abort is killed.
 *
 * @throws the reason of the abort, or the error of the run.
 */
export async function runInChild(run: ChildRun): Promise<JobCounts> {
  const { program, job, signal, returnMsMax = RETURN_MS_MAX, heapMbMax = HEAP_MB_MAX } = run;
  signal.throwIfAborted();
  const child = fork(program, [job], {
    execArgv: [...process.execArgv, `--max-old-space-size=${heapMbMax}`],
    serialization: 'advanced',
  });
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    if (child.connected) child.disconnect();
    timer = setTimeout(() => child.kill('SIGKILL'), returnMsMax);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await new Promise<JobCounts>((resolve, reject) => {
      let message: ChildMessage | undefined;
      child.once('message', (sent: ChildMessage) => {
        message = sent;
      });
      child.once('error', reject);
      child.once('exit', (code, killedBy) => {
        if (message === undefined) reject(new Error(`The run ended with ${killedBy ?? code}.`));
        else if ('error' in message) reject(message.error);
        else resolve(message.counts);
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
