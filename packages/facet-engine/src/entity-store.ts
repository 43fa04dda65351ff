import type { Dictionary } from './dictionary.ts';
import { freezeSegment } from './freeze-segment.ts';
import { ID_WORDS, type Id, IdTable } from './id-table.ts';
import { MutableSegment } from './mutable-segment.ts';
import { RecordValues } from './record-values.ts';
import {
  BITS_RECORDS_MIN,
  type Column,
  DIMENSION_SLOTS,
  SEGMENT_RECORDS_MAX,
  type SegmentChange,
  type SegmentView,
} from './segment.ts';
import type { SharedMemory } from './shared-memory.ts';
import { readSlots } from './slot-column.ts';
import { Totals } from './totals.ts';

/** Segments are rewritten while a larger share of the records is dead. */
export const DEAD_SHARE_MAX = 0.05;

/** The size of one entity. */
export interface EntitySize {
  readonly live: number;
  readonly dead: number;
  readonly segments: number;
  /** Beside the shared memory. */
  readonly bytes: number;
}

/** The changes of one entity, in the order in which they must be applied. */
export interface EntityChanges {
  readonly segments: readonly SegmentChange[];
  readonly live: number;
  /** Triples: dimension, ordinal, number of live records that have the value. */
  readonly totals: Uint32Array;
}

export interface EntityStoreOptions {
  /** Tests use smaller segments. */
  readonly segmentRecordsMax?: number | undefined;
  readonly deadShareMax?: number;
  /** Values of at least so many records of a segment are stored as bits. */
  readonly bitsRecordsMin?: number;
}

interface Segment {
  view: SegmentView;
  dead: number;
  /** Readers have the live bits: they are copied before one is cleared. */
  isLiveShared: boolean;
}

/**
 * The records of one entity, with one writer. A change marks the old record as dead and appends the
 * new one to the mutable segment; a full segment is frozen; segments with too many dead records are
 * rewritten. Data that readers have received through {@link changes} is never written again.
 */
export class EntityStore {
  readonly #dictionary: Dictionary;
  readonly #memory: SharedMemory;
  readonly #segmentRecordsMax: number;
  readonly #deadShareMax: number;
  readonly #bitsRecordsMin: number;
  readonly #segments: (Segment | undefined)[] = [];
  readonly #pending = new Map<number, SegmentChange['kind']>();
  readonly #table = new IdTable((slot) => this.#idsOf(slot));
  readonly #totals = new Totals();
  readonly #stored = new RecordValues();
  readonly #given = new RecordValues();
  readonly #id: Id = new Uint32Array(ID_WORDS);
  #mutable: MutableSegment;
  #mutableSlot = 0;
  #live = 0;
  #dead = 0;

  constructor(dictionary: Dictionary, memory: SharedMemory, options: EntityStoreOptions = {}) {
    this.#dictionary = dictionary;
    this.#memory = memory;
    this.#mutable = new MutableSegment(memory);
    this.#segmentRecordsMax = options.segmentRecordsMax ?? SEGMENT_RECORDS_MAX;
    this.#deadShareMax = options.deadShareMax ?? DEAD_SHARE_MAX;
    this.#bitsRecordsMin = options.bitsRecordsMin ?? BITS_RECORDS_MIN;
    this.#openSegment();
  }

  get size(): EntitySize {
    const bytes = this.#table.bytes + this.#mutable.bytes + this.#totals.bytes;
    let segments = 0;
    for (const segment of this.#segments) {
      if (segment === undefined) continue;
      segments += 1;
    }
    return { live: this.#live, dead: this.#dead, segments, bytes };
  }

  /**
   * Applies the state of a record: the first `length` codes, ascending and distinct. An unchanged
   * record changes nothing.
   *
   * @throws UnknownCodeError
   */
  apply(id: Id, codes: Int32Array, length: number, isDeleted: boolean): void {
    const position = this.#table.find(id);
    if (isDeleted) {
      if (position < 0) return;
      this.#table.remove(id);
      this.#markDead(position);
      return;
    }
    this.#given.read(codes, length, this.#dictionary);
    if (position >= 0) {
      this.#readRecord(position, this.#stored);
      if (this.#stored.equals(this.#given)) return;
      this.#markDead(position);
    }
    this.#append(id, this.#given);
    this.#totals.add(this.#given, 1);
    this.#live += 1;
  }

  /**
   * Rewrites the segment with the largest share of dead records if too many of all are dead.
   * Returns whether it did; the caller then calls it again.
   */
  compact(): boolean {
    if (this.#dead <= this.#deadShareMax * (this.#live + this.#dead) || this.#dead === 0)
      return false;
    const slot = this.#worstSegment();
    if (slot === this.#mutableSlot) {
      this.#refreshView();
      this.#openSegment();
    }
    const segment = this.#segment(slot);
    const { records, live, ids } = segment.view;
    for (let r = 0; r < records; r++) {
      if ((((live[r >>> 5] as number) >>> (r & 31)) & 1) === 0) continue;
      this.#readRecord(slot * 65_536 + r, this.#stored);
      this.#id.set(ids.subarray(r * ID_WORDS, (r + 1) * ID_WORDS));
      this.#append(this.#id, this.#stored);
    }
    this.#dead -= segment.dead;
    this.#retire(segment.view);
    this.#memory.retire(live);
    this.#memory.retire(ids);
    this.#segments[slot] = undefined;
    this.#pending.set(slot, 'drop');
    return true;
  }

  /** The changes since the last call. */
  changes(): EntityChanges {
    this.#refreshView();
    const segments = [...this.#pending].map(([slot, kind]) => this.#changeOf(slot, kind));
    this.#pending.clear();
    return { segments, live: this.#live, totals: this.#totals.changes() };
  }

  #append(id: Id, record: RecordValues): void {
    if (this.#mutable.records === this.#segmentRecordsMax) {
      this.#freezeFull();
      this.#openSegment();
    }
    const number = this.#mutable.append(id, record);
    this.#table.set(id, this.#mutableSlot * 65_536 + number);
  }

  #markDead(position: number): void {
    this.#readRecord(position, this.#stored);
    this.#totals.add(this.#stored, -1);
    const slot = position >>> 16;
    const segment = this.#segment(slot);
    if (segment.isLiveShared) {
      const live = this.#memory.copied32(segment.view.live, segment.view.live.length);
      segment.view = { ...segment.view, live };
      segment.isLiveShared = false;
      if (slot === this.#mutableSlot) this.#mutable.live = live;
    }
    const { live } = segment.view;
    const word = (position & 0xffff) >>> 5;
    live[word] = (live[word] as number) & ~(1 << (position & 31));
    segment.dead += 1;
    this.#live -= 1;
    this.#dead += 1;
    if (this.#pending.get(slot) !== 'put') this.#pending.set(slot, 'live');
  }

  #readRecord(position: number, into: RecordValues): void {
    const slot = position >>> 16;
    const record = position & 0xffff;
    into.clear();
    const { columns } = slot === this.#mutableSlot ? this.#mutable : this.#segment(slot).view;
    for (let d = 1; d < DIMENSION_SLOTS; d++) {
      const column = columns[d];
      if (column === undefined) continue;
      if (column.kind === 'slots') {
        const { ordinals, length } = readSlots(column, record);
        if (length > 0) into.add(d, ordinals, 0, length);
        continue;
      }
      const set = column.sets[record] as number;
      const from = column.offsets[set] as number;
      const to = column.offsets[set + 1] as number;
      if (to > from) into.add(d, column.values, from, to);
    }
  }

  #openSegment(): void {
    const free = this.#segments.indexOf(undefined);
    this.#mutableSlot = free < 0 ? this.#segments.length : free;
    this.#mutable = new MutableSegment(this.#memory);
    this.#segments[this.#mutableSlot] = {
      view: this.#mutable.view(),
      dead: 0,
      isLiveShared: false,
    };
  }

  /** Updates the view of the mutable segment, for readers and before another one replaces it. */
  #refreshView(): void {
    const segment = this.#segment(this.#mutableSlot);
    if (segment.view.records === this.#mutable.records) return;
    segment.view = this.#mutable.view();
    this.#pending.set(this.#mutableSlot, 'put');
  }

  #freezeFull(): void {
    const segment = this.#segment(this.#mutableSlot);
    const filled = this.#mutable.view();
    segment.view = freezeSegment(filled, this.#bitsRecordsMin, this.#memory);
    this.#retire(filled);
    this.#pending.set(this.#mutableSlot, 'put');
  }

  /** Retires the memory of columns and postings. */
  #retire({ columns, postings }: SegmentView): void {
    const arrays = columns.flatMap((column) => (column === undefined ? [] : arraysOf(column)));
    // All arrays of a frozen segment share one buffer.
    const retired = postings === undefined ? arrays : arrays.slice(0, 1);
    for (const array of retired) this.#memory.retire(array);
  }

  #changeOf(slot: number, kind: SegmentChange['kind']): SegmentChange {
    const segment = this.#segments[slot];
    if (kind === 'drop' || segment === undefined) return { kind: 'drop', slot };
    segment.isLiveShared = true;
    if (kind === 'live') return { kind, slot, live: segment.view.live };
    return { kind, slot, segment: segment.view };
  }

  #worstSegment(): number {
    let worst = this.#mutableSlot;
    let worstShare = 0;
    this.#segments.forEach((segment, slot) => {
      if (segment === undefined) return;
      const records = slot === this.#mutableSlot ? this.#mutable.records : segment.view.records;
      if (segment.dead > worstShare * records) {
        worst = slot;
        worstShare = segment.dead / records;
      }
    });
    return worst;
  }

  #idsOf(slot: number): Uint32Array {
    return slot === this.#mutableSlot ? this.#mutable.ids : this.#segment(slot).view.ids;
  }

  #segment(slot: number): Segment {
    const segment = this.#segments[slot];
    if (segment === undefined) throw new RangeError(`Unknown segment ${slot}.`);
    return segment;
  }
}

function arraysOf(column: Column): readonly (Uint16Array | Uint32Array)[] {
  const { offsets, values } = column;
  return [column.kind === 'slots' ? column.slots : column.sets, offsets, values];
}
