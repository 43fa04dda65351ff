import type { Dictionary } from './dictionary.ts';
import { ID_WORDS, type Id, IdTable } from './id-table.ts';
import { RecordValues } from './record-values.ts';
import { seal } from './seal.ts';
import {
  BITS_RECORDS_MIN,
  DIMENSION_SLOTS,
  SEGMENT_RECORDS_MAX,
  type SegmentChange,
  type SegmentView,
} from './segment.ts';
import { Tail } from './tail.ts';

/** A share of dead records from which segments are rewritten. */
export const DEAD_SHARE_MAX = 0.05;

/** What a store holds of one entity. */
export interface EntitySize {
  readonly live: number;
  readonly dead: number;
  readonly segments: number;
  readonly bytes: number;
}

/** What has changed since the last time, in the order in which it is to be applied. */
export interface EntityChanges {
  readonly segments: readonly SegmentChange[];
  /** Triples: dimension, ordinal, how many live records now have that value. */
  readonly totals: Uint32Array;
}

export interface EntityStoreOptions {
  /** Records a segment holds at most; fewer in tests. */
  readonly segmentRecordsMax?: number;
  readonly deadShareMax?: number;
  /** Records from which a value of a segment is kept as bits. */
  readonly bitsRecordsMin?: number;
}

interface Segment {
  view: SegmentView;
  /** Four words a record. */
  ids: Uint32Array;
  bytes: number;
  dead: number;
  /** Readers hold its bits of who is alive: they are copied before one is cleared. */
  isLiveShared: boolean;
}

/**
 * The records of one entity as one writer keeps them: a changed record is marked dead where it is
 * and appended to the tail; a full tail is sealed; segments with too many dead are rewritten. What
 * readers have been given through {@link changes} is never written again.
 */
export class EntityStore {
  private readonly dictionary: Dictionary;
  private readonly segmentRecordsMax: number;
  private readonly deadShareMax: number;
  private readonly bitsRecordsMin: number;
  private readonly segments: (Segment | undefined)[] = [];
  private readonly pending = new Map<number, SegmentChange['kind']>();
  private readonly table = new IdTable((slot) => this.segment(slot).ids);
  private readonly totals: Uint32Array[] = [];
  private readonly changedTotals = new Set<number>();
  private readonly known = new RecordValues();
  private readonly given = new RecordValues();
  private readonly movedId: Id = new Uint32Array(ID_WORDS);
  private tail = new Tail();
  private tailSlot = 0;
  private live = 0;
  private dead = 0;

  constructor(dictionary: Dictionary, options: EntityStoreOptions = {}) {
    this.dictionary = dictionary;
    this.segmentRecordsMax = options.segmentRecordsMax ?? SEGMENT_RECORDS_MAX;
    this.deadShareMax = options.deadShareMax ?? DEAD_SHARE_MAX;
    this.bitsRecordsMin = options.bitsRecordsMin ?? BITS_RECORDS_MIN;
    for (let d = 0; d < DIMENSION_SLOTS; d++) this.totals.push(new Uint32Array(0));
    this.openTail();
  }

  get size(): EntitySize {
    let bytes = this.table.bytes + this.tail.bytes;
    for (const totals of this.totals) bytes += totals.byteLength;
    let segments = 0;
    for (const segment of this.segments) {
      if (segment === undefined) continue;
      bytes += segment.bytes + segment.ids.byteLength;
      segments += 1;
    }
    return { live: this.live, dead: this.dead, segments, bytes };
  }

  /**
   * Takes the state of a record: the first `length` codes, ascending and distinct. What is
   * already known changes nothing.
   *
   * @throws UnknownCodeError
   */
  apply(id: Id, codes: Int32Array, length: number, isDeleted: boolean): void {
    const position = this.table.find(id);
    if (isDeleted) {
      if (position < 0) return;
      this.table.remove(id);
      this.kill(position);
      return;
    }
    this.given.read(codes, length, this.dictionary);
    if (position >= 0) {
      this.readRecord(position, this.known);
      if (this.known.equals(this.given)) return;
      this.kill(position);
    }
    this.append(id, this.given);
    this.addTotals(this.given, 1);
    this.live += 1;
  }

  /**
   * Rewrites the segment with the largest share of dead records if too many of all are dead.
   * Returns whether it did: there may be more to do then.
   */
  compact(): boolean {
    if (this.dead <= this.deadShareMax * (this.live + this.dead) || this.dead === 0) return false;
    const slot = this.worstSegment();
    if (slot === this.tailSlot) {
      this.showTail();
      this.openTail();
    }
    const segment = this.segment(slot);
    const { records, live } = segment.view;
    for (let r = 0; r < records; r++) {
      if ((((live[r >>> 5] as number) >>> (r & 31)) & 1) === 0) continue;
      this.readRecord(slot * 65_536 + r, this.known);
      this.movedId.set(segment.ids.subarray(r * ID_WORDS, (r + 1) * ID_WORDS));
      this.append(this.movedId, this.known);
    }
    this.dead -= segment.dead;
    this.segments[slot] = undefined;
    this.pending.set(slot, 'drop');
    return true;
  }

  /** What has changed since the last call. */
  changes(): EntityChanges {
    this.showTail();
    const segments = [...this.pending].map(([slot, kind]) => this.changeOf(slot, kind));
    this.pending.clear();
    const totals = new Uint32Array(this.changedTotals.size * 3);
    let at = 0;
    for (const key of this.changedTotals) {
      const dimension = key % DIMENSION_SLOTS;
      const ordinal = Math.floor(key / DIMENSION_SLOTS);
      totals.set([dimension, ordinal, this.totals[dimension]?.[ordinal] ?? 0], at);
      at += 3;
    }
    this.changedTotals.clear();
    return { segments, totals };
  }

  private append(id: Id, record: RecordValues): void {
    if (this.tail.records === this.segmentRecordsMax) {
      this.sealTail();
      this.openTail();
    }
    const segment = this.segment(this.tailSlot);
    const number = this.tail.append(record);
    segment.ids = withRoom(segment.ids, (number + 1) * ID_WORDS);
    segment.ids.set(id, number * ID_WORDS);
    this.table.set(id, this.tailSlot * 65_536 + number);
  }

  private kill(position: number): void {
    this.readRecord(position, this.known);
    this.addTotals(this.known, -1);
    const slot = position >>> 16;
    const segment = this.segment(slot);
    if (segment.isLiveShared) {
      const live = new Uint32Array(new SharedArrayBuffer(segment.view.live.byteLength));
      live.set(segment.view.live);
      segment.view = { ...segment.view, live };
      segment.isLiveShared = false;
      if (slot === this.tailSlot) this.tail.live = live;
    }
    const { live } = segment.view;
    const word = (position & 0xffff) >>> 5;
    live[word] = (live[word] as number) & ~(1 << (position & 31));
    segment.dead += 1;
    this.live -= 1;
    this.dead += 1;
    if (this.pending.get(slot) !== 'put') this.pending.set(slot, 'live');
  }

  private readRecord(position: number, into: RecordValues): void {
    const slot = position >>> 16;
    const record = position & 0xffff;
    into.clear();
    const { columns } = slot === this.tailSlot ? this.tail : this.segment(slot).view;
    for (let d = 1; d < DIMENSION_SLOTS; d++) {
      const column = columns[d];
      if (column === undefined) continue;
      const set = column.sets[record] as number;
      const from = column.offsets[set] as number;
      const to = column.offsets[set + 1] as number;
      if (to > from) into.add(d, column.values, from, to);
    }
  }

  private addTotals(record: RecordValues, by: number): void {
    for (let d = 1; d < DIMENSION_SLOTS; d++) {
      const to = record.starts[d + 1] as number;
      for (let i = record.starts[d] as number; i < to; i++) {
        const ordinal = record.ordinals[i] as number;
        let totals = this.totals[d] as Uint32Array;
        if (ordinal >= totals.length) {
          totals = withRoom(totals, ordinal + 1);
          this.totals[d] = totals;
        }
        totals[ordinal] = (totals[ordinal] as number) + by;
        this.changedTotals.add(ordinal * DIMENSION_SLOTS + d);
      }
    }
  }

  private openTail(): void {
    const free = this.segments.indexOf(undefined);
    this.tailSlot = free < 0 ? this.segments.length : free;
    this.tail = new Tail();
    this.segments[this.tailSlot] = {
      view: this.tail.view(),
      ids: new Uint32Array(ID_WORDS),
      bytes: 0,
      dead: 0,
      isLiveShared: false,
    };
  }

  /** Brings the view of the tail up to date, for readers and for when it is the tail no more. */
  private showTail(): void {
    const segment = this.segment(this.tailSlot);
    if (segment.view.records === this.tail.records) return;
    segment.view = this.tail.view();
    this.pending.set(this.tailSlot, 'put');
  }

  private sealTail(): void {
    const segment = this.segment(this.tailSlot);
    const sealed = seal(this.tail.view(), this.bitsRecordsMin);
    segment.view = sealed.segment;
    segment.bytes = sealed.bytes;
    segment.ids = segment.ids.slice(0, sealed.segment.records * ID_WORDS);
    this.pending.set(this.tailSlot, 'put');
  }

  private changeOf(slot: number, kind: SegmentChange['kind']): SegmentChange {
    const segment = this.segments[slot];
    if (kind === 'drop' || segment === undefined) return { kind: 'drop', slot };
    segment.isLiveShared = true;
    if (kind === 'live') return { kind, slot, live: segment.view.live };
    return { kind, slot, segment: segment.view };
  }

  private worstSegment(): number {
    let worst = this.tailSlot;
    let worstShare = 0;
    this.segments.forEach((segment, slot) => {
      if (segment === undefined) return;
      const records = slot === this.tailSlot ? this.tail.records : segment.view.records;
      if (segment.dead > worstShare * records) {
        worst = slot;
        worstShare = segment.dead / records;
      }
    });
    return worst;
  }

  private segment(slot: number): Segment {
    const segment = this.segments[slot];
    if (segment === undefined) throw new RangeError(`There is no segment ${slot}.`);
    return segment;
  }
}

function withRoom(array: Uint32Array, length: number): Uint32Array {
  if (length <= array.length) return array;
  const grown = new Uint32Array(Math.max(length, array.length * 2));
  grown.set(array);
  return grown;
}
