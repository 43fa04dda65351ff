import { setTimeout as delay } from 'node:timers/promises';
import type { Expected } from './writers.ts';

/** The part of a page that a follower reads. */
export interface FollowedPage {
  readonly signals: readonly { readonly id: string; readonly detectedAt: string }[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

export type ReadPage = (query: Readonly<Record<string, string>>) => Promise<FollowedPage>;

/** Signals of a window that had closed when it was read. */
interface ClosedWindow {
  readonly since: string;
  readonly until: string;
  readonly ids: string;
}

const WINDOWS_MAX = 12;
const WINDOW_SIGNALS = 400;

/**
 * Follows the feed by the documented recipe alone: order=asc and since, then the same with the
 * cursor, during writes. Reads windows as they close, to read them again later.
 */
export class Follower {
  /** Ids in the order of receipt. */
  readonly ids: string[] = [];
  readonly faults: string[] = [];
  readonly #page: ReadPage;
  readonly #query: Readonly<Record<string, string>>;
  readonly #windows: ClosedWindow[] = [];
  #cursor: string | undefined;
  #lastDetectedAt = '';
  #windowFrom = '';

  constructor(page: ReadPage, since: string) {
    this.#page = page;
    this.#query = { order: 'asc', since, limit: '200' };
  }

  /** Follows until `isOver` returns true and the feed has no more signals. */
  async follow(isOver: () => boolean): Promise<void> {
    for (;;) {
      const isLast = isOver();
      const cursor = this.#cursor === undefined ? {} : { cursor: this.#cursor };
      const { signals, nextCursor, hasMore } = await this.#page({ ...this.#query, ...cursor });
      if (hasMore && signals.length === 0) this.faults.push('an empty page says there is more');
      for (const { id, detectedAt } of signals) this.#take(id, detectedAt);
      this.#cursor = nextCursor;
      await this.#closeWindow();
      if (!hasMore && isLast) return;
      if (!hasMore) await delay(20);
    }
  }

  /** Compares the received signals with the committed changes. @returns the differences. */
  check(expected: ReadonlyMap<string, Expected>): readonly string[] {
    const faults = [...this.faults];
    const revisions = new Map<string, number>();
    const seen = new Set<string>();
    for (const id of this.ids) {
      const change = expected.get(id);
      if (seen.has(id)) faults.push(`${id} came twice`);
      seen.add(id);
      if (change === undefined) {
        faults.push(`${id} came and was never committed`);
        continue;
      }
      const before = revisions.get(change.record) ?? 0;
      if (change.revision <= before) faults.push(`${id} came after a later change of its record`);
      revisions.set(change.record, change.revision);
    }
    for (const id of expected.keys()) if (!seen.has(id)) faults.push(`${id} never came`);
    return faults;
  }

  /** Reads the windows that had closed again. */
  async checkWindows(): Promise<{ readonly windows: number; readonly faults: readonly string[] }> {
    const faults: string[] = [];
    for (const { since, until, ids } of this.#windows) {
      if ((await this.#readWindow(since, until)) !== ids)
        faults.push(`${since} to ${until} changed`);
    }
    return { windows: this.#windows.length, faults };
  }

  #take(id: string, detectedAt: string): void {
    if (detectedAt <= this.#lastDetectedAt)
      this.faults.push(`${id} is not later than the one before`);
    this.#lastDetectedAt = detectedAt;
    this.ids.push(id);
  }

  // A window is closed when a signal at or behind its end is visible.
  async #closeWindow(): Promise<void> {
    const due = (this.#windows.length + 1) * WINDOW_SIGNALS;
    if (this.#windows.length >= WINDOWS_MAX || this.ids.length < due) return;
    const [since, until] = [this.#windowFrom || (this.#query.since ?? ''), this.#lastDetectedAt];
    this.#windows.push({ since, until, ids: await this.#readWindow(since, until) });
    this.#windowFrom = until;
  }

  async #readWindow(since: string, until: string): Promise<string> {
    const ids: string[] = [];
    let cursor: { cursor?: string } = {};
    for (;;) {
      const query = { order: 'asc', since, until, limit: '200', ...cursor };
      const { signals, nextCursor, hasMore } = await this.#page(query);
      ids.push(...signals.map(({ id }) => id));
      if (!hasMore) return ids.join();
      cursor = { cursor: nextCursor };
    }
  }
}
