/** The messages between the threads. Arrays in shared memory are shared, not copied. */
import type pg from 'pg';
import type { AggregateJob, AggregateResult } from './aggregate-job.ts';
import type { StoreChanges } from './column-store.ts';
import type { CountJob, MarkJob } from './count-job.ts';
import type { EntitySize } from './entity-store.ts';
import type { FacetSchema } from './schema.ts';
import type { SegmentChange } from './segment.ts';
import type { SegmentShare } from './share-segments.ts';

/** To a counting thread. Messages keep their order: a count includes the changes before it. */
export type ToCounter =
  | { readonly kind: 'reset'; readonly acknowledged: Int32Array }
  | {
      readonly kind: 'changes';
      readonly version: number;
      /** By entity. */
      readonly entities: readonly (readonly SegmentChange[])[];
    }
  | (Work & {
      readonly task: number;
      /** Index of the task in {@link CounterData.next}. */
      readonly taskSlot: number;
    });

/** A job on all segments of an entity. */
export type Work =
  | { readonly kind: 'count'; readonly job: CountJob }
  | { readonly kind: 'mark'; readonly job: MarkJob }
  /** By one thread. */
  | { readonly kind: 'aggregate'; readonly job: AggregateJob };

/** A counting thread's share of a task; it sends one for every task. */
export interface FromCounter extends SegmentShare {
  readonly task: number;
  /** Of an aggregate, in place of counts. */
  readonly aggregates?: AggregateResult;
}

/** The data with which a counting thread starts. */
export interface CounterData {
  readonly index: number;
  /** By task slot, the next segment to count. */
  readonly next: Int32Array;
}

/** The data with which the storing thread starts. */
export interface StoreData {
  readonly connection: pg.ClientConfig;
  readonly schema: FacetSchema;
  readonly bytesMax: number;
  readonly pollMs: number;
  /** The thread reconnects if the database has not responded for this long. */
  readonly silentMsMax: number;
  readonly segmentRecordsMax: number | undefined;
  /** By counting thread, the last version that it has applied. */
  readonly acknowledged: Int32Array;
}

export type FromStore =
  | {
      readonly kind: 'changes';
      /** The last batch of the database that they have. */
      readonly batch: string;
      readonly asOfMs: number;
      /** Set in the first of them, which contains all data. */
      readonly loadMs: number | undefined;
      readonly changes: StoreChanges;
      /** By entity. */
      readonly sizes: readonly EntitySize[];
      readonly bytes: number;
    }
  | {
      readonly kind: 'unchanged';
      /** The time at which the data was current, in milliseconds since the epoch. */
      readonly asOfMs: number;
    }
  | { readonly kind: 'too-large'; readonly bytes: number; readonly bytesMax: number }
  | { readonly kind: 'failed'; readonly message: string };
