/** What the threads tell each other. Arrays in shared memory are shared, not copied. */
import type pg from 'pg';
import type { StoreChanges } from './column-store.ts';
import type { CountJob } from './count-job.ts';
import type { EntitySize } from './entity-store.ts';
import type { SegmentChange } from './segment.ts';

/** To a counting thread. In the order sent: a count sees the changes sent before it. */
export type ToCounter =
  | { readonly kind: 'reset'; readonly acknowledged: Int32Array }
  | {
      readonly kind: 'changes';
      readonly version: number;
      /** By entity. */
      readonly entities: readonly (readonly SegmentChange[])[];
    }
  | {
      readonly kind: 'count';
      readonly task: number;
      /** Where in the shared array of next segments this task's is. */
      readonly place: number;
      readonly plan: CountJob;
    };

/** A counting thread's share of a task; it has one for every task it was given. */
export interface FromCounter {
  readonly task: number;
  readonly segments: number;
  readonly counts: Uint32Array<ArrayBuffer> | undefined;
}

/** What a counting thread is started with. */
export interface CounterData {
  readonly index: number;
  /** The next segment to take, by place. */
  readonly next: Int32Array;
}

/** What the storing thread is started with. */
export interface StoreData {
  readonly connection: pg.ClientConfig;
  /** The facet tables by entity. */
  readonly tables: readonly string[];
  readonly bytesMax: number;
  readonly pollMs: number;
  /** Without a word from the database for so many milliseconds it is connected to anew. */
  readonly silentMsMax: number;
  /** By counting thread, the last version it has taken. */
  readonly acknowledged: Int32Array;
}

/** The only thing the storing thread is ever told. */
export type ToStore = 'stop';

export interface StoreState {
  /** When what is known was current, in milliseconds of the epoch. */
  readonly asOfMs: number;
}

export type FromStore =
  | (StoreState & {
      readonly kind: 'changes';
      /** Set on the first of them, which holds everything. */
      readonly loadMs: number | undefined;
      readonly changes: StoreChanges;
      /** By entity. */
      readonly sizes: readonly EntitySize[];
      readonly bytes: number;
    })
  | (StoreState & { readonly kind: 'unchanged' })
  | { readonly kind: 'refused'; readonly bytes: number; readonly bytesMax: number }
  | { readonly kind: 'trouble'; readonly message: string };
