import type { Dictionary } from './dictionary.ts';
import { freezeSegment } from './freeze-segment.ts';
import { ID_WORDS, type Id, IdTable } from './id-table.ts';
import { arraysOfLinks, RecordLinks } from './links.ts';
import { MutableSegment, type SegmentLayout } from './mutable-segment.ts';
import type { NumberTable } from './number-table.ts';
import { equalFigures, type LinkedIds, NO_LINKS, type RecordState } from './record-state.ts';
import { RecordValues } from './record-values.ts';
import {
  arraysOf,
  BITS_RECORDS_MIN,
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
  /** How many numbers the targets of links have; 0 if nothing links to the entity. */
  readonly numbers: number;
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

/** The properties of an entity that its segments depend on. */
export interface EntityLayout {
  /** Above the highest number of a dimension. */
  readonly dimensionSlots: number;
  /** The numbers of its records, if links refer to them. */
  readonly numbers: NumberTable | undefined;
  /** The links of its records: the numbers of their targets, and whether they have tags. */
  readonly links: readonly { readonly to: NumberTable; readonly hasTags: boolean }[];
  /** The number of figures of a record. */
  readonly figures: number;
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
  readonly #layout: SegmentLayout;
  readonly #numbers: NumberTable | undefined;
  readonly #targets: readonly NumberTable[];
  readonly #totals: Totals;
  readonly #stored: RecordValues;
  readonly #given: RecordValues;
  readonly #storedLinks: readonly RecordLinks[];
  readonly #givenLinks: readonly RecordLinks[];
  readonly #storedFigures: Float64Array;
  readonly #givenFigures: Float64Array;
  readonly #id: Id = new Uint32Array(ID_WORDS);
  #mutable: MutableSegment;
  #mutableSlot = 0;
  #live = 0;
  #dead = 0;

  constructor(
    dictionary: Dictionary,
    memory: SharedMemory,
    { numbers, links, figures, dimensionSlots }: EntityLayout,
    options: EntityStoreOptions = {},
  ) {
    this.#dictionary = dictionary;
    this.#memory = memory;
    this.#layout = { dimensionSlots, links, figures, isTarget: numbers !== undefined };
    this.#numbers = numbers;
    this.#targets = links.map(({ to }) => to);
    this.#storedLinks = links.map(() => new RecordLinks());
    this.#givenLinks = links.map(() => new RecordLinks());
    this.#storedFigures = new Float64Array(figures);
    this.#givenFigures = new Float64Array(figures);
    this.#totals = new Totals(dimensionSlots);
    this.#stored = new RecordValues(dimensionSlots);
    this.#given = new RecordValues(dimensionSlots);
    this.#mutable = new MutableSegment(memory, this.#layout);
    this.#segmentRecordsMax = options.segmentRecordsMax ?? SEGMENT_RECORDS_MAX;
    this.#deadShareMax = options.deadShareMax ?? DEAD_SHARE_MAX;
    this.#bitsRecordsMin = options.bitsRecordsMin ?? BITS_RECORDS_MIN;
    this.#openSegment();
  }

  get size(): EntitySize {
    const own = this.#table.bytes + this.#mutable.bytes + this.#totals.bytes;
    const bytes = own + (this.#numbers?.bytes ?? 0);
    const segments = this.#segments.filter((each) => each !== undefined).length;
    return { live: this.#live, dead: this.#dead, segments, bytes };
  }

  /**
   * Applies the state of a record: the first `length` codes, ascending and distinct, its links and figures. An
   * unchanged record changes nothing.
   *
   * @throws UnknownCodeError
   */
  apply(
    id: Id,
    codes: Int32Array,
    length: number,
    isDeleted: boolean,
    { links = [], figures }: RecordState = {},
  ): void {
    const position = this.#table.find(id);
    if (isDeleted) {
      if (position < 0) return;
      this.#table.remove(id);
      this.#markDead(position);
      return;
    }
    this.#given.read(codes, length, this.#dictionary);
    this.#readGivenLinks(links);
    this.#givenFigures.fill(NaN);
    if (figures !== undefined) this.#givenFigures.set(figures);
    if (position >= 0) {
      this.#readRecord(position, this.#stored);
      const hasLinks = this.#storedLinks.every((each, index) =>
        each.equals(this.#givenLinks[index] as RecordLinks),
      );
      const isSame = hasLinks && equalFigures(this.#storedFigures, this.#givenFigures);
      if (isSame && this.#stored.equals(this.#given)) return;
      this.#markDead(position);
    }
    this.#append(id, this.#given, this.#givenLinks, this.#givenFigures);
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
    const { records, live, ids, numbers, links, figures } = segment.view;
    for (let r = 0; r < records; r++) {
      if ((((live[r >>> 5] as number) >>> (r & 31)) & 1) === 0) continue;
      this.#readRecord(slot * 65_536 + r, this.#stored);
      this.#id.set(ids.subarray(r * ID_WORDS, (r + 1) * ID_WORDS));
      this.#append(this.#id, this.#stored, this.#storedLinks, this.#storedFigures);
    }
    this.#dead -= segment.dead;
    this.#retire(segment.view);
    this.#memory.retire(live);
    this.#memory.retire(ids);
    if (numbers !== undefined) this.#memory.retire(numbers);
    for (const array of links.flatMap(arraysOfLinks)) this.#memory.retire(array);
    for (const array of figures) this.#memory.retire(array);
    this.#segments[slot] = undefined;
    this.#pending.set(slot, 'drop');
    return true;
  }

  /** The changes since the last call. */
  changes(): EntityChanges {
    this.#refreshView();
    const segments = [...this.#pending].map(([slot, kind]) => this.#changeOf(slot, kind));
    this.#pending.clear();
    const numbers = this.#numbers?.count ?? 0;
    return { segments, live: this.#live, numbers, totals: this.#totals.changes() };
  }

  #append(
    id: Id,
    values: RecordValues,
    links: readonly RecordLinks[],
    figures: Float64Array,
  ): void {
    if (this.#mutable.records === this.#segmentRecordsMax) {
      this.#freezeFull();
      this.#openSegment();
    }
    const number = this.#numbers?.numberOf(id) ?? 0;
    const record = this.#mutable.append({ id, values, links, figures, number });
    this.#table.set(id, this.#mutableSlot * 65_536 + record);
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
    const { columns, links, figures } =
      slot === this.#mutableSlot ? this.#mutable : this.#segment(slot).view;
    for (const [index, column] of links.entries()) this.#storedLinks[index]?.read(column, record);
    for (const [index, column] of figures.entries()) {
      this.#storedFigures[index] = column[record] as number;
    }
    for (let d = 1; d < this.#layout.dimensionSlots; d++) {
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

  #readGivenLinks(links: readonly LinkedIds[]): void {
    for (const [index, given] of this.#givenLinks.entries()) {
      given.length = 0;
      const { ids, tags, length } = links[index] ?? NO_LINKS;
      for (let i = 0; i < length; i++) {
        this.#id.set(ids.subarray(i * ID_WORDS, (i + 1) * ID_WORDS));
        const target = (this.#targets[index] as NumberTable).numberOf(this.#id);
        const code = tags?.[i] ?? 0;
        given.add(target, code === 0 ? 0 : this.#dictionary.ordinalOf(code) + 1);
      }
    }
  }

  #openSegment(): void {
    const free = this.#segments.indexOf(undefined);
    this.#mutableSlot = free < 0 ? this.#segments.length : free;
    this.#mutable = new MutableSegment(this.#memory, this.#layout);
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
