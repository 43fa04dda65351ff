import { ID_WORDS, type Id } from './id-table.ts';
import { type LinkColumn, MutableLinks, type RecordLinks } from './links.ts';
import { MutableColumn } from './mutable-column.ts';
import type { RecordValues } from './record-values.ts';
import { SEGMENT_RECORDS_MAX, SEGMENT_WORDS, type SegmentView } from './segment.ts';
import type { SharedMemory } from './shared-memory.ts';

const CAPACITY_START = 1_024;

/** The room of the segments of an entity. */
export interface SegmentLayout {
  /** Above the highest number of a dimension. */
  readonly dimensionSlots: number;
  /** The links of a record. */
  readonly links: readonly { readonly hasTags: boolean }[];
  /** The number of figures of a record. */
  readonly figures: number;
  /** Whether links of other records refer to those of the entity. */
  readonly isTarget: boolean;
}

/** A record to append. */
export interface SegmentRecord {
  readonly id: Id;
  readonly values: RecordValues;
  /** By index of the entity's links. */
  readonly links: readonly RecordLinks[];
  /** By index of the entity's figures; NaN for none. */
  readonly figures: Float64Array;
  /** Its number as the target of links; unused if nothing links to the entity. */
  readonly number: number;
}

/** The segment to which new records are appended: columns without postings. */
export class MutableSegment {
  records = 0;
  /** A bit per record; readers ignore the bits of records beyond their view. */
  live: Uint32Array;
  /** As {@link MutableColumn}: what a view has is never written again. */
  ids: Uint32Array;
  readonly columns: (MutableColumn | undefined)[];
  readonly #links: readonly MutableLinks[];
  #figures: readonly Float64Array[];
  #numbers: Uint32Array | undefined;
  readonly #memory: SharedMemory;
  #capacity = CAPACITY_START;

  constructor(memory: SharedMemory, { dimensionSlots, links, figures, isTarget }: SegmentLayout) {
    this.columns = new Array(dimensionSlots).fill(undefined);
    this.#links = links.map((each) => new MutableLinks(memory, CAPACITY_START, each.hasTags));
    this.#figures = Array.from({ length: figures }, () => memory.float64(CAPACITY_START));
    this.#numbers = isTarget ? memory.uint32(CAPACITY_START) : undefined;
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
  append({ id, values, links, figures, number: ownNumber }: SegmentRecord): number {
    if (this.records === SEGMENT_RECORDS_MAX) throw new RangeError('The segment is full.');
    const number = this.records;
    if (number === this.#capacity) this.#grow();
    for (let d = 1; d < this.columns.length; d++) {
      const from = values.starts[d] as number;
      const to = values.starts[d + 1] as number;
      if (to > from) this.#column(d).put(number, values.ordinals, from, to);
    }
    this.ids.set(id, number * ID_WORDS);
    if (this.#numbers !== undefined) this.#numbers[number] = ownNumber;
    for (const [index, list] of this.#links.entries()) {
      list.append(number, links[index] as RecordLinks);
    }
    for (const [index, column] of this.#figures.entries()) column[number] = figures[index] ?? NaN;
    const word = number >>> 5;
    this.live[word] = (this.live[word] as number) | (1 << (number & 31));
    this.records = number + 1;
    return number;
  }

  get links(): readonly LinkColumn[] {
    return this.#links.map((list) => list.view());
  }

  get figures(): readonly Float64Array[] {
    return this.#figures;
  }

  view(): SegmentView {
    return {
      records: this.records,
      live: this.live,
      ids: this.ids,
      numbers: this.#numbers,
      links: this.links,
      figures: this.#figures,
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
    this.#numbers &&= this.#memory.copied32(this.#numbers, this.#capacity);
    for (const column of this.columns) column?.reserve(this.#capacity);
    for (const list of this.#links) list.reserve(this.#capacity);
    this.#figures = this.#figures.map((each) => this.#memory.copied64(each, this.#capacity));
  }
}
