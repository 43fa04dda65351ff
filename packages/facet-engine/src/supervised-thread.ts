import { Worker } from 'node:worker_threads';

const RESTART_MS_MIN = 10;
const RESTART_MS_MAX = 10_000;
/** After a run of this length the next restart has the minimum delay again. */
const RUN_MS_MIN = 30_000;

export type ThreadProgram = 'count-thread' | 'store-thread';

export interface SupervisedThreadOptions {
  readonly program: ThreadProgram;
  /** Called for each start. */
  readonly workerData: () => unknown;
  /** Arguments of node; by default those of this process. */
  readonly execArgv: readonly string[] | undefined;
  /** Called after each start, the first one and every restart. */
  readonly onStart?: (worker: Worker) => void;
  readonly onMessage: (message: unknown, worker: Worker) => void;
  /** Called before a restart; not called for an exit without an error. */
  readonly onCrash: (worker: Worker, error: Error) => void;
}

/** A thread that restarts after a crash, with exponential back-off. */
export class SupervisedThread {
  readonly #options: SupervisedThreadOptions;
  #current: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #restartMs = RESTART_MS_MIN;
  #isClosed = false;

  constructor(options: SupervisedThreadOptions) {
    this.#options = options;
    this.#start();
  }

  /** The running thread; undefined between a crash and the restart. */
  get worker(): Worker | undefined {
    return this.#current;
  }

  /** Stops restarting; resolves when the thread has ended. */
  async close(
    end: (worker: Worker) => Promise<unknown> = (worker) => worker.terminate(),
  ): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#current !== undefined) await end(this.#current);
  }

  #start(): void {
    const { program, workerData, execArgv, onStart, onMessage, onCrash } = this.#options;
    const startedMs = performance.now();
    let failure: Error | undefined;
    const worker = new Worker(programUrl(program), {
      name: program,
      workerData: workerData(),
      ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
    });
    this.#current = worker;
    worker.on('message', (message: unknown) => onMessage(message, worker));
    worker.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', (code) => {
      this.#current = undefined;
      if (code !== 0) failure ??= new Error(`The thread ended with code ${code}.`);
      if (this.#isClosed || failure === undefined) return;
      onCrash(worker, failure);
      this.#restartLater(performance.now() - startedMs);
    });
    onStart?.(worker);
  }

  #restartLater(ranMs: number): void {
    if (ranMs >= RUN_MS_MIN) this.#restartMs = RESTART_MS_MIN;
    this.#timer = setTimeout(() => this.#start(), this.#restartMs);
    this.#restartMs = Math.min(this.#restartMs * 4, RESTART_MS_MAX);
  }
}

/** The program is a file in this folder, in the same language. */
function programUrl(program: ThreadProgram): URL {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
  return new URL(`./${program}${extension}`, import.meta.url);
}
