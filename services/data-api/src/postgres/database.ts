import { AsyncLocalStorage } from 'node:async_hooks';
import { isNativeError } from 'node:util/types';
import type pg from 'pg';
import { StatisticsCopy } from './column-statistics.ts';
import { failureOf, unavailable } from './errors.ts';
import { ReadServer, type ReadServerOptions } from './read-server.ts';
import type { Replica } from './replica.ts';
import { Replicas, type ReplicasOptions } from './replicas.ts';
import type { Statement } from './statement.ts';

export interface DatabaseOptions extends ReadServerOptions {
  /** Default: all reads use the primary. */
  readonly replicas?: Pick<ReplicasOptions, 'urls' | 'lagMsMax' | 'assertSchema'>;
  /** Counts reads that were repeated on the primary. */
  readonly onRepeat?: (replica: string, reason: RepeatReason) => void;
}

/** The result of a statement. `body` is null if the record does not exist. */
export interface Answer {
  readonly body: string | null;
  readonly records: number;
  readonly more: boolean;
  /** The cursor of the next page, if the page has one. */
  readonly next?: string;
  /** Headers of the response, in addition to those of every call. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent in place of the body. */
  readonly file?: AnswerFile;
}

/** A file of this machine, or the address at which a store has it. */
export type AnswerFile = ({ readonly path: string } | { readonly url: string }) & {
  readonly type: string;
  readonly bytes: number;
  /** With its quotes. */
  readonly etag: string;
};

/**
 * Why the primary repeats the reads of a call: the replica has not replayed what the call requires,
 * cancelled a statement by a recovery conflict, or was lost.
 */
export type RepeatReason = 'not_replayed' | 'conflict' | 'connection';

/** The server that the reads of a call use. */
interface Reads {
  readonly replica?: Replica;
  /** The time limit of all repeated statements. */
  readonly deadlineMs?: number;
  /** Cancels them. */
  readonly signal?: AbortSignal | undefined;
}

/** A replica has not replayed what the call requires. */
class NotReplayedError extends Error {
  override readonly name = 'NotReplayedError';
}

/** Codes of errors about something that the primary may have and a replica may not have yet. */
const ABSENT = new Set<unknown>(['not_found', 'unknown_value']);

/**
 * The databases for reads: the primary, and replicas if there are any. Outside of `read` all
 * statements use the primary.
 */
export class Database {
  /** The statistics of the primary; replicas have the same. */
  readonly statistics = new StatisticsCopy((text) => this.pool.query(text));
  readonly #primary: ReadServer;
  readonly #replicas: Replicas | undefined;
  readonly #onRepeat: DatabaseOptions['onRepeat'];
  readonly #statementMsMax: number;
  readonly #current = new AsyncLocalStorage<Reads>();

  constructor({ replicas, onRepeat, ...server }: DatabaseOptions) {
    this.#primary = new ReadServer(server);
    this.#onRepeat = onRepeat;
    this.#statementMsMax = server.statementMsMax;
    if (replicas !== undefined && replicas.urls.length > 0) {
      const { connectionString: primaryUrl, logger, ...pools } = server;
      this.#replicas = new Replicas({
        ...replicas,
        ...{ primaryUrl, logger, pools: { ...pools, logger } },
      });
    }
  }

  /** Connections of the primary with generic plans. */
  get pool(): pg.Pool {
    return this.#primary.pool;
  }

  /** Aborts when the current call has ended; undefined outside of `read`. */
  get signal(): AbortSignal | undefined {
    return this.#current.getStore()?.signal;
  }

  get replicas(): readonly Replica[] {
    return this.#replicas?.all ?? [];
  }

  /** The pools of each server by name, for metrics. */
  get pools(): Readonly<Record<string, Readonly<Record<string, pg.Pool>>>> {
    const replicas = this.replicas.map(({ name, server }) => [name, server.pools] as const);
    return { primary: this.#primary.pools, ...Object.fromEntries(replicas) };
  }

  /** Starts to use replicas as soon as their lag is known; returns at once. */
  start(): void {
    this.#replicas?.start();
  }

  /** Measures the lag of the replicas once. For tests. */
  async poll(): Promise<void> {
    await this.#replicas?.poll();
  }

  /**
   * Runs the reads of a call: all on one server, a replica if one is used. If the replica fails, or
   * lacks what the call requires, `work` runs once more, on the primary, within the time limit of a
   * statement.
   *
   * @param key reads of one key use one replica, so that they do not go back in time.
   * @param work reads only, and may run twice.
   * @param signal cancels the statement that runs; the call fails with its reason.
   */
  async read<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const replica = this.#replicas?.choose(key);
    if (replica === undefined) return this.#current.run({ signal }, work);
    const deadlineMs = performance.now() + this.#statementMsMax;
    try {
      return await this.#current.run({ replica, signal }, work);
    } catch (error) {
      const reason = repeatReasonOf(error);
      if (reason === undefined) throw error;
      this.#onRepeat?.(replica.name, reason);
      return await this.#current.run({ deadlineMs, signal }, work);
    }
  }

  /**
   * Runs a statement that returns one row.
   *
   * @param isReplayed as in `rows`.
   * @throws ApiError `unavailable` if the database is unreachable or too slow.
   */
  async answer(statement: Statement, isReplayed?: (row: Answer) => boolean): Promise<Answer> {
    const [row] = await this.rows<Answer>(
      statement,
      isReplayed && (([found]) => found === undefined || isReplayed(found)),
    );
    if (row === undefined) throw new Error('The statement returned no row.');
    return row;
  }

  /**
   * The rows of a statement, for further processing.
   *
   * @param isReplayed whether the rows show that a replica has replayed what the call requires;
   *   otherwise the primary repeats the call.
   */
  async rows<Row extends object>(
    statement: Statement,
    isReplayed?: (rows: readonly Row[]) => boolean,
  ): Promise<Row[]> {
    const { replica, deadlineMs, signal } = this.#current.getStore() ?? {};
    if (replica !== undefined) {
      const rows = await replica.rows<Row>(statement, { signal });
      if (isReplayed?.(rows) === false) throw new NotReplayedError();
      return rows;
    }
    if (deadlineMs === undefined) return this.#primary.rows<Row>(statement, { signal });
    const msMax = Math.ceil(deadlineMs - performance.now());
    if (msMax <= 0) throw unavailable(new Error('Query read timeout'));
    return this.#primary.rows<Row>(statement, { msMax, signal });
  }

  /** Continues on the primary unless the replica has replayed the log up to a position. */
  async requireReplayed(lsn: bigint): Promise<void> {
    const replica = this.#current.getStore()?.replica;
    if (replica !== undefined && !(await replica.hasReplayed(lsn))) throw new NotReplayedError();
  }

  async close(): Promise<void> {
    await Promise.all([this.#primary.close(), this.#replicas?.close()]);
  }
}

function repeatReasonOf(error: unknown): RepeatReason | undefined {
  if (error instanceof NotReplayedError) return 'not_replayed';
  if (isNativeError(error) && 'code' in error && ABSENT.has(error.code)) return 'not_replayed';
  const failure = failureOf(error);
  return failure === 'conflict' || failure === 'connection' ? failure : undefined;
}
