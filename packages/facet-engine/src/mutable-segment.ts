import { ID_WORDS, type Id } from './id-table.ts';
import { MutableColumn } from './mutable-column.ts';
import type { RecordValues } from './record-values.ts';
import {
  DIMENSION_SLOTS,
  SEGMENT_RECORDS_MAX,
  SEGMENT_WORDS,
  type SegmentView,
} from './segment.ts';
import type { SharedMemory } from './shared-memory.ts';

const CAPACITY_START = 1_024;

/** The segment to which new records are appended: columns without postings. */
export class MutableSegment {
  records = 0;
  /** A bit per record; readers ignore the bits of records beyond their view. */
  live: Uint32Array;
  /** As {@link MutableColumn}: what a view has is never written again. */
  ids: Uint32Array;
  readonly columns: (MutableColumn | undefined)[] = new Array(DIMENSION_SLOTS).fill(undefined);
  readonly #memory: SharedMemory;
  #capacity = CAPACITY_START;

  constructor(memory: SharedMemory) {
    this.#memory = memory;
    this.live = memory.uint32(SEGMENT_WORDS);
    this.ids = memory.uint32(CAPACITY_START * ID_WORDS);
  }

  /** Bytes beside the shared memory. */
  get bytes(): number {
    return this.columns.reduce((sum, column) => sum + (column?.bytes ?? 0), 0);
  }

  /**
   * Appends a live record and returns its number.
   *
   * @throws RangeError if the segment is full.
   */
  append(id: Id, record: RecordValues): number {
    if (this.records === SEGMENT_RECORDS_MAX) throw new RangeError('The segment is full.');
    const number = this.records;
    if (number === this.#capacity) this.#grow();
    for (let d = 1; d < DIMENSION_SLOTS; d++) {
      const from = record.starts[d] as number;
      const to = record.starts[d + 1] as number;
      if (to > from) this.#column(d).put(number, record.ordinals, from, to);
    }
    this.ids.set(id, number * ID_WORDS);
    const word = number >>> 5;
    this.live[word] = (this.live[word] as number) | (1 << (number & 31));
    this.records = number + 1;
    return number;
  }

  view(): SegmentView {
    return {
      records: this.records,
      live: this.live,
      ids: this.ids,
      columns: this.columns.map((column) => column?.view()),
      postings: undefined,
    };
  }

  #column(dimension: number): MutableColumn {
    this.columns[dimension] ??= new MutableColumn(this.#memory, this.#capacity);
    return this.columns[dimension];
  }

  #grow(): void {
    this.#capacity = Math.min(this.#capacity * 2, SEGMENT_RECORDS_MAX);
    this.ids = this.#memory.copied32(this.ids, this.#capacity * ID_WORDS);
    for (const column of this.columns) column?.reserve(this.#capacity);
  }
}
