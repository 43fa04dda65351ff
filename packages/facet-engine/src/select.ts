import { keepBits, listBits, listWords, markRecords } from './bits.ts';
import type { CountJob, Group } from './count-job.ts';
import { keepMarked, markedBits } from './marked.ts';
import {
  BITS,
  BITS_RECORDS_MIN,
  type Column,
  FIRST_SET,
  FREE_SLOTS,
  type Postings,
  SEGMENT_RECORDS_MAX,
  SEGMENT_WORDS,
  type SegmentView,
  type SetColumn,
  type SlotColumn,
} from './segment.ts';

/** A selection of fewer records filters a list; a larger one intersects bits. */
const LIST_MAX = BITS_RECORDS_MIN;

/** A larger share of the values that occur is not searched one by one. */
const SEARCHED_SHARE_MAX = 1 / 8;

/** A group of more values that more of the records have is found by reading all of them. */
const SCANNED_VALUES_MIN = 8;
const SCANNED_SHARE_MIN = 1 / 4;

/** A group in one segment. */
interface Match {
  readonly group: Group;
  /** By ordinal: 1 for the ordinals of the group. */
  readonly accepts: Uint8Array;
  /** Memory for the group's records as bits. */
  readonly scratch: Uint32Array;
  /** Indexes in the postings of the group's values that occur in the segment. */
  readonly postings: Uint32Array;
  postingCount: number;
  /** Upper bound of the records that have one of the values. */
  size: number;
  /** The group's records as bits, once computed for this segment. */
  bits: Uint32Array | undefined;
}

/** Selects the records that match the groups of a job, one segment after another. */
export class Selector {
  /** The records that {@link select} found, unordered. */
  readonly records = new Uint16Array(SEGMENT_RECORDS_MAX);
  readonly #matches: readonly Match[];
  readonly #selected = new Uint32Array(SEGMENT_WORDS);
  readonly #listMax: number;
  #segment: SegmentView | undefined;

  constructor({ groups }: Pick<CountJob, 'groups'>, listMax: number = LIST_MAX) {
    this.#matches = groups.map(prepare);
    this.#listMax = listMax;
  }

  /** Starts with a segment. */
  enter(segment: SegmentView): void {
    this.#segment = segment;
    for (const match of this.#matches) locate(match, segment);
  }

  /** Upper bound of the records that {@link select} would find. */
  sizeOf(groups: readonly number[]): number {
    return groups.reduce(
      (size, group) => Math.min(size, (this.#matches[group] as Match).size),
      SEGMENT_RECORDS_MAX,
    );
  }

  /** Writes the live records of all these groups to {@link records}; returns their number. */
  select(groups: readonly number[]): number {
    const segment = this.#segment;
    if (segment === undefined || groups.length === 0) return 0;
    const matches = groups.map((group) => this.#matches[group] as Match);
    let smallest = matches[0] as Match;
    for (const match of matches) if (match.size < smallest.size) smallest = match;
    if (smallest.size === 0) return 0;
    if (segment.postings === undefined || smallest.size >= this.#listMax) {
      return this.#intersect(segment, matches);
    }
    return this.#filter(segment, smallest, matches);
  }

  /** The records of a group as bits; dead records are included. Valid until the next segment. */
  bitsOf(group: number): Uint32Array {
    return this.#bitsOf(this.#matches[group] as Match);
  }

  /** For broad groups: intersects their bits. */
  #intersect({ live, records }: SegmentView, matches: readonly Match[]): number {
    const selected = this.#selected;
    const words = (records + 31) >>> 5;
    const first = this.#bitsOf(matches[0] as Match);
    for (let w = 0; w < words; w++) selected[w] = (live[w] as number) & (first[w] as number);
    for (let m = 1; m < matches.length; m++) {
      const bits = this.#bitsOf(matches[m] as Match);
      for (let w = 0; w < words; w++) selected[w] = (selected[w] as number) & (bits[w] as number);
    }
    return listBits(selected, words, this.records);
  }

  /** For a selective group: lists its records and tests each against the other groups. */
  #filter(segment: SegmentView, smallest: Match, matches: readonly Match[]): number {
    let count = this.#list(segment, smallest);
    count = keepBits(this.records, count, segment.live);
    for (const match of matches) {
      if (match === smallest || count === 0) continue;
      const column = segment.columns[match.group.dimension];
      const { marks } = match.group;
      if (match.bits !== undefined) count = keepBits(this.records, count, match.bits);
      else if (marks !== undefined) count = keepMarked(this.records, count, segment, marks);
      else if (column === undefined) count = 0;
      else count = keepAccepted(this.records, count, column, match.accepts);
    }
    return count;
  }

  #list(segment: SegmentView, match: Match): number {
    if (match.group.marks !== undefined) {
      return listBits(this.#bitsOf(match), (segment.records + 31) >>> 5, this.records);
    }
    const postings = segment.postings?.[match.group.dimension];
    if (postings === undefined) return 0;
    if (match.postingCount > 1 && hasSeveral(segment.columns[match.group.dimension])) {
      return listBits(this.#bitsOf(match), (segment.records + 31) >>> 5, this.records);
    }
    let count = 0;
    for (let p = 0; p < match.postingCount; p++) {
      const posting = match.postings[p] as number;
      const start = postings.starts[posting] as number;
      const size = postings.sizes[posting] as number;
      if (start >= BITS) count += listWords(postings.bits, start - BITS, this.records, count);
      else {
        for (let i = start; i < start + size; i++) {
          this.records[count++] = postings.records[i] as number;
        }
      }
    }
    return count;
  }

  #bitsOf(match: Match): Uint32Array {
    if (match.bits !== undefined) return match.bits;
    const segment = this.#segment;
    const { marks } = match.group;
    if (marks !== undefined) {
      if (segment !== undefined) markedBits(segment, marks, match.scratch);
      match.bits = match.scratch;
      return match.bits;
    }
    const postings = segment?.postings?.[match.group.dimension];
    const column = segment?.columns[match.group.dimension];
    const sets = segment !== undefined && column?.kind === 'sets' ? column : undefined;
    // Many values of many records: reading each record costs less than a bit for each posting.
    const isBroad =
      match.postingCount > SCANNED_VALUES_MIN &&
      match.size > (segment?.records ?? 0) * SCANNED_SHARE_MIN;
    if (postings !== undefined && !(sets !== undefined && isBroad)) {
      match.bits = bitsOfPostings(match, postings);
    } else {
      match.scratch.fill(0);
      // A segment without postings has no slots.
      if (segment !== undefined && sets !== undefined) {
        scanColumn(sets, segment.records, match.accepts, match.scratch);
      }
      match.bits = match.scratch;
    }
    return match.bits;
  }
}

/** Whether a record may have several values. */
function hasSeveral(column: Column | undefined): boolean {
  return column !== undefined && (column.kind === 'slots' || !column.isSingle);
}

function prepare(group: Group): Match {
  const { ordinals } = group;
  const accepts = new Uint8Array(group.size);
  for (const ordinal of ordinals) accepts[ordinal] = 1;
  return {
    group,
    accepts,
    scratch: new Uint32Array(SEGMENT_WORDS),
    postings: new Uint32Array(ordinals.length),
    postingCount: 0,
    size: 0,
    bits: undefined,
  };
}

/** Looks up the group's values in the postings of a segment. */
function locate(match: Match, segment: SegmentView): void {
  match.bits = undefined;
  match.postingCount = 0;
  match.size = 0;
  const { ordinals, marks } = match.group;
  if (marks !== undefined) {
    match.size = segment.records;
    return;
  }
  if (segment.columns[match.group.dimension] === undefined) return;
  const postings = segment.postings?.[match.group.dimension];
  if (postings === undefined) {
    match.size = ordinals.length === 0 ? 0 : segment.records;
    return;
  }
  const { ordinals: occurring, sizes } = postings;
  const add = (index: number) => {
    match.postings[match.postingCount] = index;
    match.postingCount += 1;
    match.size += sizes[index] as number;
  };
  if (ordinals.length > occurring.length * SEARCHED_SHARE_MAX) {
    for (let i = 0, o = 0; i < occurring.length && o < ordinals.length; ) {
      const left = occurring[i] as number;
      const right = ordinals[o] as number;
      if (left === right) add(i);
      if (left <= right) i += 1;
      if (right <= left) o += 1;
    }
    return;
  }
  for (const ordinal of ordinals) {
    const index = indexOf(occurring, ordinal);
    if (index >= 0) add(index);
  }
}

function indexOf(ordinals: Uint32Array, ordinal: number): number {
  let low = 0;
  let high = ordinals.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = ordinals[middle] as number;
    if (found === ordinal) return middle;
    if (found < ordinal) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function bitsOfPostings(match: Match, { starts, sizes, records, bits }: Postings): Uint32Array {
  const { scratch, postings, postingCount } = match;
  const only = starts[postings[0] as number] as number;
  if (postingCount === 1 && only >= BITS) {
    return bits.subarray(only - BITS, only - BITS + SEGMENT_WORDS);
  }
  scratch.fill(0);
  for (let p = 0; p < postingCount; p++) {
    const posting = postings[p] as number;
    const start = starts[posting] as number;
    if (start >= BITS) {
      for (let w = 0; w < SEGMENT_WORDS; w++) {
        scratch[w] = (scratch[w] as number) | (bits[start - BITS + w] as number);
      }
    } else {
      const end = start + (sizes[posting] as number);
      for (let i = start; i < end; i++) {
        const record = records[i] as number;
        scratch[record >>> 5] = (scratch[record >>> 5] as number) | (1 << (record & 31));
      }
    }
  }
  return scratch;
}

/** Sets the bits of the records that have an accepted value. */
function scanColumn(
  column: SetColumn,
  records: number,
  accepts: Uint8Array,
  bits: Uint32Array,
): void {
  const { sets, setCount, offsets, values } = column;
  const accepted = new Uint8Array(setCount);
  for (let set = 0; set < setCount; set++) {
    const end = offsets[set + 1] as number;
    for (let i = offsets[set] as number; i < end; i++) {
      if (accepts[values[i] as number] === 1) accepted[set] = 1;
    }
  }
  markRecords(sets, records, accepted, bits);
}

function keepAccepted(
  records: Uint16Array,
  count: number,
  column: Column,
  accepts: Uint8Array,
): number {
  let kept = 0;
  if (column.kind === 'slots') {
    for (let i = 0; i < count; i++) {
      const record = records[i] as number;
      if (hasAccepted(column, record, accepts)) records[kept++] = record;
    }
    return kept;
  }
  const { sets, offsets, values } = column;
  for (let i = 0; i < count; i++) {
    const record = records[i] as number;
    const set = sets[record] as number;
    const end = offsets[set + 1] as number;
    for (let v = offsets[set] as number; v < end; v++) {
      if (accepts[values[v] as number] === 1) {
        records[kept++] = record;
        break;
      }
    }
  }
  return kept;
}

function hasAccepted(
  { width, slots, offsets, values }: SlotColumn,
  record: number,
  accepts: Uint8Array,
): boolean {
  const at = record * width;
  const set = (slots[at] as number) - FIRST_SET;
  if (set >= 0) {
    const end = offsets[set + 1] as number;
    for (let i = offsets[set] as number; i < end; i++) {
      if (accepts[values[i] as number] === 1) return true;
    }
    return false;
  }
  for (let i = at; i < at + width; i++) {
    const code = slots[i] as number;
    if (code < FREE_SLOTS) return false;
    if (accepts[code - FREE_SLOTS] === 1) return true;
  }
  return false;
}
