import { ApiError } from '@vcds/service-kit';
import type { CompanyPage, PageInput } from '@vcds/site-facts/page';
import {
  programBeside,
  RequestThread,
  type RequestThreadOptions,
  ThreadLostError,
} from '../threads/request-thread.ts';

/** The slowest pages of 2 MB take a quarter of a second on an idle machine. */
const PAGE_MS_MAX = 2_000;
const START_MS_MAX = 30_000;
const PAGES_MAX = 32;
/** As many as an account can have look-ups at a time. */
const PAGES_PER_ACCOUNT_MAX = 5;
const HEAP_MB_MAX = 256;

export interface PageReaderOptions extends Pick<RequestThreadOptions, 'execArgv'> {
  /** The most milliseconds that reading a page takes; default 2,000. */
  readonly pageMsMax?: number;
}

type PageThread = RequestThread<PageInput, CompanyPage>;

/**
 * Reads the facts of pages in a thread, so that it does not delay the event loop. The thread starts
 * with the first page, and is replaced if it ends. It reads one page at a time, one of each account
 * that waits in turn.
 */
export class PageReader {
  readonly #options: PageReaderOptions;
  /** Pages that wait or are read, by account. */
  readonly #pagesOfAccounts = new Map<string, number>();
  /** Accounts in the order of their turns, each with the pages that wait. */
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();
  #pages = 0;
  #isReading = false;
  #thread: PageThread | undefined;
  #isClosed = false;

  constructor(options: PageReaderOptions) {
    this.#options = options;
  }

  /**
   * The facts of a page, when it is the turn of the account.
   *
   * @param signal - if it aborts, the page is not read; its reason is thrown.
   * @throws ApiError `site_too_large` if the page takes too long; `too_many_requests` if the account
   *   has 5 pages here; `unavailable` if there are 32 pages, or the thread has ended.
   */
  async read(input: PageInput, accountId: string, signal: AbortSignal): Promise<CompanyPage> {
    const pagesOfAccount = this.#pagesOfAccounts.get(accountId) ?? 0;
    if (pagesOfAccount >= PAGES_PER_ACCOUNT_MAX) throw tooMany();
    if (this.#pages >= PAGES_MAX) throw unavailable();
    this.#pages += 1;
    this.#pagesOfAccounts.set(accountId, pagesOfAccount + 1);
    try {
      return await this.#inTurn(accountId, () => {
        signal.throwIfAborted();
        return this.#read(input);
      });
    } finally {
      this.#pages -= 1;
      const remaining = (this.#pagesOfAccounts.get(accountId) ?? 0) - 1;
      if (remaining > 0) this.#pagesOfAccounts.set(accountId, remaining);
      else this.#pagesOfAccounts.delete(accountId);
    }
  }

  /** The pages that wait or are read. */
  get pending(): number {
    return this.#pages;
  }

  /** Ends the thread; pages that wait or come later fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
  }

  #inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const turns = this.#waiting.get(accountId) ?? [];
      turns.push(() => Promise.resolve().then(work).then(resolve, reject));
      this.#waiting.set(accountId, turns);
      if (!this.#isReading) void this.#readAll();
    });
  }

  async #readAll(): Promise<void> {
    this.#isReading = true;
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) break;
      const [accountId, turns] = next;
      this.#waiting.delete(accountId);
      const turn = turns.shift();
      // Behind all others that wait now.
      if (turns.length > 0) this.#waiting.set(accountId, turns);
      await turn?.();
    }
    this.#isReading = false;
  }

  async #read(input: PageInput): Promise<CompanyPage> {
    if (this.#isClosed) throw unavailable();
    this.#thread ??= this.#start();
    const thread = this.#thread;
    const { pageMsMax = PAGE_MS_MAX } = this.#options;
    await this.#within(START_MS_MAX, thread, thread.ready, unavailable);
    const late = () => tooLarge(input, pageMsMax);
    return this.#within(pageMsMax, thread, thread.ask(input), late);
  }

  #start(): PageThread {
    const thread: PageThread = new RequestThread({
      name: 'page-thread',
      program: programBeside(import.meta.url, 'page-thread'),
      execArgv: this.#options.execArgv,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
      onCrash: () => this.#detach(thread),
    });
    return thread;
  }

  #detach(thread: PageThread): void {
    if (this.#thread === thread) this.#thread = undefined;
  }

  // Ends a thread that takes longer.
  async #within<T>(
    ms: number,
    thread: PageThread,
    work: Promise<T>,
    errorOfLate: () => ApiError,
  ): Promise<T> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#detach(thread);
      void thread.close();
    }, ms);
    try {
      return await work;
    } catch (error) {
      if (isLate) throw errorOfLate();
      throw error instanceof ThreadLostError ? unavailable(error) : error;
    } finally {
      clearTimeout(timer);
    }
  }
}

function tooLarge({ url }: PageInput, ms: number): ApiError {
  const message = `The facts of the page were not read within ${ms} ms.`;
  return new ApiError('site_too_large', message, { value: url });
}

function tooMany(): ApiError {
  const message = 'Too many look-ups at a time. Retry when one has ended.';
  return new ApiError('too_many_requests', message, { retryAfterSeconds: 1 });
}

function unavailable(cause?: unknown): ApiError {
  const message = 'The page could not be read; no credits were charged. Retry later.';
  return new ApiError('unavailable', message, { retryAfterSeconds: 1 }, { cause });
}
