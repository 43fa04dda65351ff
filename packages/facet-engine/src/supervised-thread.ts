import { Worker } from 'node:worker_threads';

const RESTART_MS_MIN = 10;
const RESTART_MS_MAX = 10_000;
/** A thread that lived so long died of something rare: its successor starts at once. */
const LIFE_MS_MIN = 30_000;

export type ThreadProgram = 'count-thread' | 'store-thread';

export interface SupervisedThreadOptions {
  readonly program: ThreadProgram;
  /** Made anew for each thread. */
  readonly workerData: () => unknown;
  /** Arguments of node; those of this process when absent. */
  readonly execArgv: readonly string[] | undefined;
  /** A thread was started: the first one, or a successor that knows nothing yet. */
  readonly onStart: (worker: Worker) => void;
  readonly onMessage: (message: unknown, worker: Worker) => void;
  /** One died; its successor follows. Not called when it ended by itself without fault. */
  readonly onLost: (worker: Worker, error: Error) => void;
}

/** A thread that is started again when it dies, sooner or later by how long it lived. */
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

  /** The thread that lives; undefined between one and its successor. */
  get worker(): Worker | undefined {
    return this.#current;
  }

  /** No thread follows on this one; resolves when it has ended. */
  async close(end: (worker: Worker) => Promise<unknown> = terminate): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#current !== undefined) await end(this.#current);
  }

  #start(): void {
    const { program, workerData, execArgv, onStart, onMessage, onLost } = this.#options;
    const startedMs = performance.now();
    let fault: Error | undefined;
    const worker = new Worker(programUrl(program), {
      name: program,
      workerData: workerData(),
      ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
    });
    this.#current = worker;
    worker.on('message', (message: unknown) => onMessage(message, worker));
    worker.on('error', (error) => {
      fault = error instanceof Error ? error : new Error(String(error));
    });
    worker.on('exit', (code) => {
      this.#current = undefined;
      if (code !== 0) fault ??= new Error(`The thread ended with code ${code}.`);
      if (this.#isClosed || fault === undefined) return;
      onLost(worker, fault);
      this.#restartLater(performance.now() - startedMs);
    });
    onStart(worker);
  }

  #restartLater(livedMs: number): void {
    if (livedMs >= LIFE_MS_MIN) this.#restartMs = RESTART_MS_MIN;
    this.#timer = setTimeout(() => this.#start(), this.#restartMs);
    this.#restartMs = Math.min(this.#restartMs * 4, RESTART_MS_MAX);
  }
}

function terminate(worker: Worker): Promise<unknown> {
  return worker.terminate();
}

/** A thread's program lies beside this file, in the same language. */
function programUrl(program: ThreadProgram): URL {
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
  return new URL(`./${program}${extension}`, import.meta.url);
}
