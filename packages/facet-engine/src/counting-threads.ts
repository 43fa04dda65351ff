import type { Worker } from 'node:worker_threads';
import type { AggregateJob, AggregateResult } from './aggregate-job.ts';
import { aggregateSegments } from './aggregate-segments.ts';
import { sharedInt32 } from './arrays.ts';
import { type CountJob, countsLength, type MarkJob } from './count-job.ts';
import type { CounterData, FromCounter, ToCounter, Work } from './messages.ts';
import { EngineUnavailableError } from './port.ts';
import { applyChanges, type SegmentChange, type Segments } from './segment.ts';
import { SupervisedThread } from './supervised-thread.ts';

/** Concurrent tasks. */
const TASKS_MAX = 1_024;
/** More than the number of segments: no thread takes another segment of the task. */
const NO_SEGMENT = 0x4000_0000;

/** Numbers that are added up, or the whole result of one thread. */
type Result = Uint32Array<ArrayBuffer> | AggregateResult;

interface Task {
  readonly slot: number;
  /** Threads that have not sent their share. */
  readonly waiting: Set<Worker>;
  /** Segments that no share includes yet. */
  missing: number;
  result: Result | undefined;
  isDone: boolean;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface CountingThreadsOptions {
  readonly threads: number;
  /** Arguments of node for the threads; by default those of this process. */
  readonly execArgv?: readonly string[] | undefined;
  readonly onCrash: (error: Error) => void;
}

/**
 * Threads that count. Each has all segments; they share a task by taking one segment after
 * another. A thread that crashes is replaced, and its tasks fail.
 */
export class CountingThreads {
  /** By task slot, the next segment to count. */
  readonly #next = sharedInt32(TASKS_MAX);
  readonly #freeSlots = Array.from({ length: TASKS_MAX }, (_, slot) => slot);
  readonly #tasks = new Map<number, Task>();
  readonly #entities: Segments[] = [];
  readonly #threads: readonly SupervisedThread[];
  #acknowledged: Int32Array;
  #version = 0;
  #lastTask = 0;

  constructor({ threads, execArgv, onCrash }: CountingThreadsOptions) {
    this.#acknowledged = sharedInt32(threads);
    const start = (_: unknown, index: number) =>
      new SupervisedThread({
        program: 'count-thread',
        workerData: (): CounterData => ({ index, next: this.#next }),
        execArgv,
        onStart: (worker) => {
          for (const message of this.#snapshot()) worker.postMessage(message);
        },
        onMessage: (message, worker) => this.#addShare(worker, message as FromCounter),
        onCrash: (worker, error) => {
          this.#failTasksOf(worker);
          onCrash(error);
        },
      });
    this.#threads = Array.from({ length: threads }, start);
  }

  /** The number of running threads. */
  get running(): number {
    return this.#workers().length;
  }

  /**
   * Drops all segments; running counts fail. Returns the array in which each thread then stores
   * the version of the last changes it has applied.
   */
  reset(): Int32Array {
    this.#entities.length = 0;
    this.#version = 0;
    this.#acknowledged = sharedInt32(this.#threads.length);
    this.#failAll('the data is being reloaded');
    this.#broadcast({ kind: 'reset', acknowledged: this.#acknowledged });
    return this.#acknowledged;
  }

  /** Sends changes to all threads; running counts continue on the previous version. */
  apply(version: number, entities: readonly (readonly SegmentChange[])[]): void {
    this.#version = version;
    applyChanges(this.#entities, entities);
    this.#broadcast({ kind: 'changes', version, entities });
  }

  /**
   * Counts all facets of the job, one after another by ordinal.
   *
   * @param isSmall whether one thread alone is fastest
   * @throws EngineUnavailableError, or the reason of the signal.
   */
  async count(job: CountJob, isSmall: boolean, signal?: AbortSignal): Promise<Uint32Array> {
    const counts = await this.#run({ kind: 'count', job }, isSmall, signal);
    return isCounts(counts) ? counts : new Uint32Array(countsLength(job));
  }

  /** Marks records; returns the number of those that matched. Throws as {@link count}. */
  async mark(job: MarkJob, isSmall: boolean, signal?: AbortSignal): Promise<number> {
    const counts = await this.#run({ kind: 'mark', job }, isSmall, signal);
    return isCounts(counts) ? (counts[0] ?? 0) : 0;
  }

  /** Groups records. Throws as {@link count}. */
  async aggregate(job: AggregateJob, signal?: AbortSignal): Promise<AggregateResult> {
    const result = await this.#run({ kind: 'aggregate', job }, true, signal);
    if (result !== undefined && !isCounts(result)) return result;
    return aggregateSegments([], job, () => 0).result;
  }

  /** Runs a job on all segments; undefined if there is none. */
  async #run(
    work: Work,
    isSmall: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Result | undefined> {
    signal?.throwIfAborted();
    const missing = this.#entities[work.job.entity]?.length ?? 0;
    if (missing === 0) return undefined;
    const workers = this.#workers();
    if (workers.length === 0) throw new EngineUnavailableError('no counting thread is running');
    const slot = this.#freeSlots.pop();
    if (slot === undefined) throw new EngineUnavailableError('too many concurrent counts');
    Atomics.store(this.#next, slot, 0);
    const waiting = new Set(isSmall ? [this.#leastBusy(workers)] : workers);
    this.#lastTask += 1;
    const id = this.#lastTask;
    let stop = (): void => undefined;
    try {
      return await new Promise((resolve, reject) => {
        const state = { slot, waiting, missing, result: undefined, isDone: false };
        const task: Task = { ...state, resolve, reject };
        this.#tasks.set(id, task);
        stop = () => this.#fail(task, signal?.reason);
        signal?.addEventListener('abort', stop);
        const sent: ToCounter = { ...work, task: id, taskSlot: slot };
        for (const worker of waiting) worker.postMessage(sent);
      });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Ends all threads; running counts fail. */
  async close(): Promise<void> {
    this.#failAll('the engine is closed');
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #workers(): Worker[] {
    return this.#threads.flatMap(({ worker }) => worker ?? []);
  }

  #leastBusy(workers: readonly Worker[]): Worker {
    const load = new Map(workers.map((worker) => [worker, 0]));
    for (const { waiting } of this.#tasks.values()) {
      for (const worker of waiting) load.set(worker, (load.get(worker) ?? 0) + 1);
    }
    return workers.reduce((a, b) => ((load.get(b) ?? 0) < (load.get(a) ?? 0) ? b : a));
  }

  #failTasksOf(worker: Worker): void {
    for (const [id, task] of this.#tasks) {
      if (!task.waiting.has(worker)) continue;
      this.#fail(task, new EngineUnavailableError('a counting thread crashed'));
      this.#endShare(worker, id, task);
    }
  }

  #addShare(worker: Worker, { task: id, segments, counts, aggregates }: FromCounter): void {
    const task = this.#tasks.get(id);
    if (task === undefined) return;
    task.missing -= segments;
    if (!task.isDone) {
      task.result =
        counts !== undefined && isCounts(task.result)
          ? addTo(task.result, counts)
          : (counts ?? aggregates ?? task.result);
    }
    if (task.missing === 0 && task.result !== undefined && !task.isDone) {
      task.isDone = true;
      task.resolve(task.result);
    }
    this.#endShare(worker, id, task);
  }

  /** Frees the slot of the task once no thread can take a segment of it. */
  #endShare(worker: Worker, id: number, task: Task): void {
    task.waiting.delete(worker);
    if (task.waiting.size > 0) return;
    this.#fail(task, new EngineUnavailableError('a segment was not counted'));
    this.#tasks.delete(id);
    this.#freeSlots.push(task.slot);
  }

  #failAll(reason: string): void {
    for (const task of this.#tasks.values()) this.#fail(task, new EngineUnavailableError(reason));
  }

  #fail(task: Task, error: unknown): void {
    if (task.isDone) return;
    task.isDone = true;
    Atomics.store(this.#next, task.slot, NO_SEGMENT);
    task.reject(error);
  }

  #broadcast(message: ToCounter): void {
    for (const worker of this.#workers()) worker.postMessage(message);
  }

  /** The messages for a new thread: every slot, including dropped ones. */
  #snapshot(): ToCounter[] {
    const entities = Array.from(this.#entities, (segments) =>
      Array.from(
        segments ?? [],
        (segment, slot): SegmentChange =>
          segment === undefined ? { kind: 'drop', slot } : { kind: 'put', slot, segment },
      ),
    );
    return [
      { kind: 'reset', acknowledged: this.#acknowledged },
      { kind: 'changes', version: this.#version, entities },
    ];
  }
}

function addTo(
  sums: Uint32Array<ArrayBuffer>,
  counts: Uint32Array<ArrayBuffer>,
): Uint32Array<ArrayBuffer> {
  for (let i = 0; i < counts.length; i++) sums[i] = (sums[i] as number) + (counts[i] as number);
  return sums;
}

// A thread's array may be of another realm, so `instanceof` does not tell.
function isCounts(result: Result | undefined): result is Uint32Array<ArrayBuffer> {
  return ArrayBuffer.isView(result);
}
