import type { Worker } from 'node:worker_threads';
import { type CountJob, countsLength } from './count-job.ts';
import type { CounterData, FromCounter, ToCounter } from './messages.ts';
import { applyChanges, type SegmentChange, type Segments } from './segment.ts';
import { SupervisedThread } from './supervised-thread.ts';

/** Tasks that can be under way at one time. */
const TASKS_MAX = 1_024;
/** More than there can be segments: nobody takes another one of the task. */
const NO_MORE = 0x4000_0000;

/** A count that will not come: its thread died, or there are too many others. */
export class CountLostError extends Error {
  constructor(reason: string) {
    super(`Facets could not be counted in memory: ${reason}.`);
    this.name = 'CountLostError';
  }
}

interface Task {
  readonly place: number;
  /** Threads that have not answered. */
  readonly waiting: Set<Worker>;
  /** Segments that have not been accounted for. */
  missing: number;
  counts: Uint32Array | undefined;
  isSettled: boolean;
  readonly resolve: (counts: Uint32Array) => void;
  readonly reject: (error: unknown) => void;
}

export interface CountingThreadsOptions {
  readonly threads: number;
  /** Arguments of node for the threads; those of this process when absent. */
  readonly execArgv?: readonly string[] | undefined;
  /** Hears of a thread that died. */
  readonly onLost: (error: Error) => void;
}

/**
 * Threads that count. Each knows all segments; they share a task by taking one segment after
 * another. A thread that dies is replaced, and what it was counting fails.
 */
export class CountingThreads {
  readonly #next = sharedInt32(TASKS_MAX);
  readonly #freePlaces = Array.from({ length: TASKS_MAX }, (_, place) => place);
  readonly #tasks = new Map<number, Task>();
  readonly #entities: Segments[] = [];
  readonly #threads: readonly SupervisedThread[];
  #acknowledged: Int32Array;
  #version = 0;
  #lastTask = 0;

  constructor({ threads, execArgv, onLost }: CountingThreadsOptions) {
    this.#acknowledged = sharedInt32(threads);
    const start = (_: unknown, index: number) =>
      new SupervisedThread({
        program: 'count-thread',
        workerData: (): CounterData => ({ index, next: this.#next }),
        execArgv,
        onStart: (worker) => {
          for (const message of this.#everything()) worker.postMessage(message);
        },
        onMessage: (message, worker) => this.#answered(worker, message as FromCounter),
        onLost: (worker, error) => {
          this.#lost(worker);
          onLost(error);
        },
      });
    this.#threads = Array.from({ length: threads }, start);
  }

  /** Threads there are now. */
  get alive(): number {
    return this.#living().length;
  }

  /**
   * Forgets all segments; counts under way fail. Returns where each thread notes the version of
   * the last changes it has taken from then on.
   */
  reset(): Int32Array {
    this.#entities.length = 0;
    this.#version = 0;
    this.#acknowledged = sharedInt32(this.#threads.length);
    for (const task of this.#tasks.values()) this.#fail(task, new CountLostError('it loads anew'));
    this.#tell({ kind: 'reset', acknowledged: this.#acknowledged });
    return this.#acknowledged;
  }

  /** Brings all threads up to date; counts under way go on with what they have. */
  apply(version: number, entities: readonly (readonly SegmentChange[])[]): void {
    this.#version = version;
    entities.forEach((changes, entity) => {
      applyChanges(this.#segmentsOf(entity), changes);
    });
    this.#tell({ kind: 'changes', version, entities });
  }

  /**
   * Counts: all facets of the plan one after another, by ordinal.
   *
   * @param isSmall whether one thread alone is done soonest
   * @throws CountLostError, or the reason of the signal.
   */
  async count(plan: CountJob, isSmall: boolean, signal?: AbortSignal): Promise<Uint32Array> {
    signal?.throwIfAborted();
    const missing = this.#segmentsOf(plan.entity).length;
    if (missing === 0) return new Uint32Array(countsLength(plan));
    const living = this.#living();
    if (living.length === 0) throw new CountLostError('no thread is there');
    const place = this.#freePlaces.pop();
    if (place === undefined) throw new CountLostError('too many counts at once');
    Atomics.store(this.#next, place, 0);
    const waiting = new Set(isSmall ? [this.#leastBusy(living)] : living);
    this.#lastTask += 1;
    const number = this.#lastTask;
    let stop = (): void => undefined;
    try {
      return await new Promise((resolve, reject) => {
        const task = { place, waiting, missing, counts: undefined, isSettled: false };
        this.#tasks.set(number, { ...task, resolve, reject });
        stop = () => this.#stop(number, signal?.reason);
        signal?.addEventListener('abort', stop);
        const message: ToCounter = { kind: 'count', task: number, place, plan };
        for (const worker of waiting) worker.postMessage(message);
      });
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /** Ends all threads; counts under way fail. */
  async close(): Promise<void> {
    for (const task of this.#tasks.values()) this.#fail(task, new CountLostError('it is closing'));
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  #living(): Worker[] {
    return this.#threads.flatMap(({ worker }) => (worker === undefined ? [] : [worker]));
  }

  #leastBusy(living: readonly Worker[]): Worker {
    const load = new Map(living.map((worker) => [worker, 0]));
    for (const { waiting } of this.#tasks.values()) {
      for (const worker of waiting) load.set(worker, (load.get(worker) ?? 0) + 1);
    }
    return living.reduce((a, b) => ((load.get(b) ?? 0) < (load.get(a) ?? 0) ? b : a));
  }

  #lost(worker: Worker): void {
    for (const [number, task] of this.#tasks) {
      if (!task.waiting.has(worker)) continue;
      this.#fail(task, new CountLostError('a thread died'));
      this.#answeredBy(worker, number, task);
    }
  }

  #answered(worker: Worker, { task: number, segments, counts }: FromCounter): void {
    const task = this.#tasks.get(number);
    if (task === undefined) return;
    task.missing -= segments;
    if (counts !== undefined && !task.isSettled) {
      if (task.counts === undefined) task.counts = counts;
      else addTo(task.counts, counts);
    }
    if (task.missing === 0 && task.counts !== undefined && !task.isSettled) {
      task.isSettled = true;
      task.resolve(task.counts);
    }
    this.#answeredBy(worker, number, task);
  }

  /** Frees the task's place once nobody can take from it any more. */
  #answeredBy(worker: Worker, number: number, task: Task): void {
    task.waiting.delete(worker);
    if (task.waiting.size > 0) return;
    this.#fail(task, new CountLostError('a segment was left out'));
    this.#tasks.delete(number);
    this.#freePlaces.push(task.place);
  }

  #stop(number: number, reason: unknown): void {
    const task = this.#tasks.get(number);
    if (task !== undefined) this.#fail(task, reason);
  }

  #fail(task: Task, error: unknown): void {
    if (task.isSettled) return;
    task.isSettled = true;
    Atomics.store(this.#next, task.place, NO_MORE);
    task.reject(error);
  }

  #tell(message: ToCounter): void {
    for (const worker of this.#living()) worker.postMessage(message);
  }

  /** What a thread has to be told that knows nothing: every slot, the empty ones too. */
  #everything(): ToCounter[] {
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

  #segmentsOf(entity: number): Segments {
    this.#entities[entity] ??= [];
    return this.#entities[entity];
  }
}

function sharedInt32(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
}

function addTo(sums: Uint32Array, counts: Uint32Array): void {
  for (let i = 0; i < counts.length; i++) sums[i] = (sums[i] as number) + (counts[i] as number);
}
