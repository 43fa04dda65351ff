import type { Data, Parameters } from './paths.ts';
import type { ApiResponse, CallOptions } from './transport.ts';

type Page = Data<'/signals'>;
/** A change in the feed. */
export type Signal = Page['signals'][number];

/** How far a feed has been read and handled; plain JSON. */
export interface FeedPosition {
  /** The `nextCursor` of the last page of which every signal is handled; null before the first. */
  readonly cursor: string | null;
  /** Where the feed began: the `since` of its first page. */
  readonly since: string;
  /** The ids of the handled signals after the cursor. */
  readonly handled: readonly string[];
  /** When a poll last found the end of the feed, ISO 8601; null while there is more to read. */
  readonly caughtUpAt: string | null;
}

/** Where a position outlives the process. One feed at a time may use a store. */
export interface FeedStore {
  load(): Promise<FeedPosition | undefined>;
  /** Resolves once a later `load` returns this position, also after a crash. */
  save(position: FeedPosition): Promise<void>;
}

export interface FollowOptions
  extends Omit<Parameters<'/signals'>, 'order' | 'cursor' | 'since' | 'until' | 'quote'>,
    CallOptions {
  /** Where to begin if the store is empty. Default: now. */
  readonly since?: string | Date | undefined;
  /** Default: none outlives the process ({@link memoryStore}). */
  readonly store?: FeedStore | undefined;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Between polls at the end of the feed: at least 1 s. Default: an hour. A poll costs a credit. */
  readonly intervalMs?: number | undefined;
  /** End the iteration at the end of the feed instead of waiting, for a scheduled job. */
  readonly stopWhenCaughtUp?: boolean | undefined;
}

export interface FeedContext {
  readonly request: (
    query: Parameters<'/signals'>,
    options: CallOptions,
  ) => Promise<ApiResponse<Page>>;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

const INTERVAL_MS = { default: 3_600_000, min: 1_000, max: 2 ** 31 - 1 } as const;
const PAGE_SIZE = 200;

/**
 * The change feed from the stored position on, in its order (docs/spec/signals.md 9.1).
 *
 * A signal is handled when the loop asks for the next one; then its position is saved. A loop that
 * ends by its `signal` has handled everything that it received. A loop that ends in another way
 * (`break`, an exception, a crash) receives its last signal again in the next run. To exclude that,
 * save `position` in the transaction that handles the signal.
 */
export interface Feed extends AsyncIterable<Signal> {
  /** The position after the signal that the loop received last; undefined before the first run. */
  readonly position: FeedPosition | undefined;
}

/** @throws RangeError for an interval out of its bounds. */
export function followFeed(options: FollowOptions, context: FeedContext): Feed {
  const { since, store = memoryStore(), intervalMs = INTERVAL_MS.default, ...rest } = options;
  const { signal, creditsMax, stopWhenCaughtUp = false, ...query } = rest;
  if (!(intervalMs >= INTERVAL_MS.min && intervalMs <= INTERVAL_MS.max)) {
    throw new RangeError(`intervalMs is from ${INTERVAL_MS.min} to ${INTERVAL_MS.max}.`);
  }
  const nowIso = (): string => new Date(context.now()).toISOString();
  let position: FeedPosition | undefined;

  const begin = async (): Promise<FeedPosition> => {
    const from = since instanceof Date ? since.toISOString() : (since ?? nowIso());
    const first = { cursor: null, since: from, handled: [], caughtUpAt: null };
    // Saved before the first page: a restart must not begin later than this start.
    await store.save(first);
    return first;
  };

  const waitForPoll = async ({ caughtUpAt }: FeedPosition): Promise<void> => {
    if (caughtUpAt === null || stopWhenCaughtUp) return;
    const elapsedMs = context.now() - Date.parse(caughtUpAt);
    // A clock that was set back must not extend the wait.
    if (elapsedMs < intervalMs) await context.sleep(intervalMs - Math.max(elapsedMs, 0), signal);
  };

  async function* read(): AsyncGenerator<Signal, void, void> {
    let at = (await store.load()) ?? (await begin());
    position = at;
    for (;;) {
      await waitForPoll(at);
      const start = at.cursor === null ? { since: at.since } : { cursor: at.cursor };
      const { data } = await context.request(
        { limit: PAGE_SIZE, ...query, order: 'asc', ...start },
        { signal, creditsMax },
      );
      for (const each of data.signals) {
        signal?.throwIfAborted();
        if (at.handled.includes(each.id)) continue;
        at = { ...at, handled: [...at.handled, each.id], caughtUpAt: null };
        position = at;
        yield each;
        await store.save(at);
      }
      const caughtUpAt = data.hasMore ? null : nowIso();
      at = { ...at, cursor: data.nextCursor, handled: [], caughtUpAt };
      await store.save(at);
      position = at;
      if (stopWhenCaughtUp && !data.hasMore) return;
    }
  }

  async function* readUntilAborted(): AsyncGenerator<Signal, void, void> {
    try {
      yield* read();
    } catch (error) {
      if (signal?.aborted !== true || error !== signal.reason) throw error;
    }
  }

  return {
    get position() {
      return position;
    },
    [Symbol.asyncIterator]: readUntilAborted,
  };
}

/** A store that lives as long as the process. */
export function memoryStore(position?: FeedPosition): FeedStore {
  let stored = position;
  return {
    load: async () => stored,
    save: async (next) => {
      stored = next;
    },
  };
}
