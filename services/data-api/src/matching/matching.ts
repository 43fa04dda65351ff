import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '@vcds/service-kit/api-errors';
import { ThreadLostError } from '../threads/request-thread.ts';
import type { Ranker } from './ranker.ts';

/** Milliseconds between two checks for a newer model. */
const POLL_MS = 2_000;
/** The most milliseconds before a model that could not be loaded is loaded again. */
const RETRY_MS_MAX = 60_000;
/** The most that a call waits for a model that is being loaded. */
const LOAD_WAIT_MS_MAX = 5_000;

export interface MatchingOptions {
  /** The version that serves according to the database; undefined without a model. */
  readonly activeVersion: () => Promise<string | undefined>;
  /**
   * Loads the model that serves; undefined without one. `onCrash`: it can rank no more. `signal`:
   * the loading is no longer wanted.
   */
  readonly open: (
    onCrash: (error: Error) => void,
    signal: AbortSignal,
  ) => Promise<Ranker | undefined>;
  readonly onFailure: (error: unknown) => void;
  readonly onLoaded: (version: string) => void;
  /** Default 2,000. */
  readonly pollMs?: number | undefined;
  /** Milliseconds of a clock. Default: that of the process. */
  readonly nowMs?: () => number;
}

interface Loaded {
  readonly ranker: Ranker;
  calls: number;
  isReplaced: boolean;
}

/** The model that serves. It is replaced by a newer one as soon as that one is loaded. */
export class Matching {
  readonly #options: MatchingOptions;
  readonly #stop = new AbortController();
  #polling: Promise<void> | undefined;
  #loaded: Loaded | undefined;
  /** Undefined until the database has been read. */
  #isTrained: boolean | undefined;
  /** The version that could not be loaded last; it is loaded again after a delay that doubles. */
  #failed:
    | { readonly version: string; readonly delayMs: number; readonly retryAtMs: number }
    | undefined;
  /** The check that is running, of which there is one at most. */
  #running: Promise<void> | undefined;
  /** The check that calls wait for: the first one, or the one after a crash. */
  #awaited: Promise<void> | undefined;

  constructor(options: MatchingOptions) {
    this.#options = options;
  }

  /** Loads the model, and checks for newer ones until it is closed. */
  start(): void {
    this.#polling ??= this.#poll();
  }

  /**
   * Calls a function with the model that serves; it stays open until the function has ended. Waits
   * up to five seconds for a model that is being loaded.
   *
   * @throws ApiError `unavailable` if no model has been trained, or none could be loaded.
   */
  async use<T>(work: (ranker: Ranker) => Promise<T>): Promise<T> {
    this.#awaited ??= this.#check();
    const tooLong = new AbortController();
    const waited = delay(LOAD_WAIT_MS_MAX, undefined, { ref: false, signal: tooLong.signal });
    await Promise.race([this.#awaited, waited]).finally(() => tooLong.abort());
    const loaded = this.#loaded;
    if (loaded === undefined) throw this.#isTrained === false ? notTrained() : notLoaded();
    loaded.calls += 1;
    try {
      return await work(loaded.ranker);
    } catch (error) {
      if (!(error instanceof ThreadLostError)) throw error;
      throw notLoaded(error);
    } finally {
      loaded.calls -= 1;
      if (loaded.isReplaced && loaded.calls === 0) await loaded.ranker.close();
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#polling;
    await this.#running;
    await this.#loaded?.ranker.close();
  }

  async #poll(): Promise<void> {
    const { pollMs = POLL_MS } = this.#options;
    const { signal } = this.#stop;
    this.#awaited ??= this.#check();
    await this.#awaited;
    while (!signal.aborted) {
      await delay(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#check();
    }
  }

  #check(): Promise<void> {
    this.#running ??= this.#load().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #load(): Promise<void> {
    const { activeVersion, open, onFailure, onLoaded, nowMs = Date.now } = this.#options;
    const { signal } = this.#stop;
    let version: string | undefined;
    try {
      version = await activeVersion();
      this.#isTrained = version !== undefined;
      if (version === undefined || version === this.#loaded?.ranker.version) return;
      if (version === this.#failed?.version && nowMs() < this.#failed.retryAtMs) return;
      let opened: Loaded | undefined;
      const ranker = await open((error) => {
        onFailure(error);
        if (opened === undefined || this.#loaded !== opened) return;
        this.#loaded = undefined;
        if (!signal.aborted) this.#awaited = this.#check();
      }, signal);
      if (ranker === undefined) return;
      this.#failed = undefined;
      opened = { ranker, calls: 0, isReplaced: false };
      await this.#replaceBy(opened);
      onLoaded(ranker.version);
    } catch (error) {
      if (version !== undefined) this.#postpone(version);
      if (!signal.aborted) onFailure(error);
    }
  }

  #postpone(version: string): void {
    const { pollMs = POLL_MS, nowMs = Date.now } = this.#options;
    const last = version === this.#failed?.version ? this.#failed.delayMs : pollMs;
    const delayMs = Math.min(RETRY_MS_MAX, 2 * last);
    this.#failed = { version, delayMs, retryAtMs: nowMs() + delayMs };
  }

  async #replaceBy(opened: Loaded): Promise<void> {
    const before = this.#loaded;
    this.#loaded = opened;
    if (before === undefined) return;
    before.isReplaced = true;
    if (before.calls === 0) await before.ranker.close();
  }
}

function notLoaded(cause?: unknown): ApiError {
  const message = 'The matching model is being loaded; no credits were charged. Retry later.';
  return new ApiError('unavailable', message, {}, { cause });
}

function notTrained(): ApiError {
  return new ApiError(
    'unavailable',
    'No matching model has been trained yet; no credits were charged. The operator trains one with ' +
      'npm run matching -- train.',
  );
}
