import { type ResourceLimits, Worker } from 'node:worker_threads';

/** First the message that the thread is ready, then a response to every request. */
export type FromThread<Ready, Answer> =
  | { readonly ready: Ready }
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failure: string };

export interface ToThread<Request> {
  readonly id: number;
  readonly request: Request;
}

/** The thread has ended, and can serve no request. */
export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError';
}

export interface RequestThreadOptions {
  readonly name: string;
  /** A program that calls `serveRequests`. */
  readonly program: URL;
  readonly workerData?: unknown;
  /** Arguments of node for the thread; by default those of this process. */
  readonly execArgv?: readonly string[] | undefined;
  readonly resourceLimits?: ResourceLimits;
  /** Called if the thread ends other than by `close`. */
  readonly onCrash: (error: Error) => void;
}

interface Pending<Answer> {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** A thread that serves requests. If it ends, its requests fail; it is not restarted. */
export class RequestThread<Request, Answer, Ready = null> {
  /** Resolves when the thread can serve; ThreadLostError if it ends before that. */
  readonly ready: Promise<Ready>;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending<Answer>>();
  #lastId = 0;
  #isClosed = false;
  #isEnded = false;

  constructor({ name, program, workerData, execArgv, ...options }: RequestThreadOptions) {
    const { resourceLimits, onCrash } = options;
    this.#worker = new Worker(program, {
      ...{ name, workerData },
      ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
      ...(resourceLimits === undefined ? {} : { resourceLimits }),
    });
    this.ready = new Promise((resolve, reject) => {
      let failure = new Error('The thread has ended.');
      this.#worker.on('message', (message: FromThread<Ready, Answer>) => {
        if ('ready' in message) resolve(message.ready);
        else this.#receive(message);
      });
      this.#worker.on('error', (error) => {
        failure = error instanceof Error ? error : new Error(String(error));
      });
      this.#worker.on('exit', () => {
        this.#isEnded = true;
        const error = new ThreadLostError('The thread has ended.', { cause: failure });
        reject(error);
        for (const pending of this.#pending.values()) pending.reject(error);
        this.#pending.clear();
        if (!this.#isClosed) onCrash(failure);
      });
    });
    // A crash also rejects the requests.
    this.ready.catch(() => undefined);
  }

  /** @throws ThreadLostError if the thread has ended. Error if the program has thrown one. */
  ask(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#isEnded) throw new ThreadLostError('The thread has ended.');
      const message: ToThread<Request> = { id: ++this.#lastId, request };
      this.#pending.set(message.id, { resolve, reject });
      this.#worker.postMessage(message);
    });
  }

  /** Ends the thread, also in the middle of a request; resolves when it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker.terminate();
  }

  #receive(message: Exclude<FromThread<Ready, Answer>, { ready: Ready }>): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if ('failure' in message) pending?.reject(new Error(message.failure));
    else pending?.resolve(message.answer);
  }
}

/** The URL of the program beside a module, in the same language. */
export function programBeside(moduleUrl: string, name: string): URL {
  return new URL(`./${name}${moduleUrl.slice(moduleUrl.lastIndexOf('.'))}`, moduleUrl);
}
