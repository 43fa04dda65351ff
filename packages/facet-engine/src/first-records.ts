/**
 * Finds the first records of an order. Each thread keeps the first ones of its segments as rows of
 * numbers; the main thread merges them.
 */

import { listBits } from './bits.ts';
import {
  codeOf,
  type FirstJob,
  hasIdOrder,
  type RankedKey,
  type RankJob,
  type Where,
} from './count-job.ts';
import { bitsOf } from './count-where.ts';
import { compareIds, ID_WORDS, idText } from './id-table.ts';
import { SEGMENT_RECORDS_MAX, type Segments, type SegmentView } from './segment.ts';
import { Selector } from './select.ts';
import { type SegmentShare, shareSegments } from './share-segments.ts';

/** The first word of the numbers of a share: all matches are in it, or records are left out that others precede. */
const ALL = 0;
const PART = 1;
/** Words before the rows: that one, and the key of records that were too many. */
const HEAD_WORDS = 3;
/** In place of the first word of that key. */
const NO_KEY = 0xffff_ffff;
/** A row: two words of the key, and the id. */
const ROW_WORDS = 2 + ID_WORDS;
const WORD = 0x1_0000_0000;
/** Ids are counted by their first 12 bits: of a million ids, some 250 have the same ones. These are the other bits of the first word. */
const ID_REST_BITS = 20;
const ID_RANKS = 2 ** (32 - ID_REST_BITS);

/** The records that were found, unordered; `ids` is undefined if they are too many. */
export interface FoundRecords {
  readonly ids: readonly string[] | undefined;
  readonly isAll: boolean;
}

/** The matches of a segment that {@link listMatches} has listed, and their keys. */
const listed = new Uint16Array(SEGMENT_RECORDS_MAX + 1);
const listedKeys = new Float64Array(SEGMENT_RECORDS_MAX + 1);
const listedCodes = new Float64Array(SEGMENT_RECORDS_MAX + 1);
const codesOfSets = new Uint32Array(SEGMENT_RECORDS_MAX + 1);
const matchBits = new Uint32Array(Math.ceil((SEGMENT_RECORDS_MAX + 1) / 32));
/** Whether the key so far of a match has a code for several values: later codes are 0. */
const isRounded = new Uint8Array(SEGMENT_RECORDS_MAX + 1);

/** Finds the first records of the segments of the slots that it takes, for {@link mergeFirst}. */
export function firstOfSegments(
  segments: Segments,
  job: FirstJob,
  take: () => number,
): SegmentShare {
  // Records are loaded by id, so that a descending order begins with the last ones.
  const ordered = job.idSign < 0 ? segments.toReversed() : segments;
  return shareSegments(ordered, take, () => {
    const selector = new Selector(job);
    const first = new FirstRows(job);
    const add = (segment: SegmentView) => {
      selector.enter(segment);
      first.add(segment.ids, listMatches(segment, job.where, job.keys, selector));
    };
    return { add, numbers: () => first.toNumbers() };
  });
}

/** Counts the matches in the segments of the slots that it takes, by rank. */
export function rankSegments(segments: Segments, job: RankJob, take: () => number): SegmentShare {
  return shareSegments(segments, take, () => {
    const { key, where, idSign } = job;
    const selector = new Selector(job);
    const counts = new Uint32Array(rankCount(job));
    const order = key === undefined ? [] : [key];
    const add = (segment: SegmentView) => {
      selector.enter(segment);
      const count = listMatches(segment, where, order, selector);
      for (let i = 0; i < count; i++) {
        const id = segment.ids[(listed[i] as number) * ID_WORDS] as number;
        const rank =
          key === undefined ? idRank(id >>> ID_REST_BITS, idSign) : (listedKeys[i] as number);
        counts[rank] = (counts[rank] as number) + 1;
      }
    };
    return { add, numbers: () => counts };
  });
}

/** The number of counts of a job. */
export function rankCount({ key }: Pick<RankJob, 'key'>): number {
  return key === undefined ? ID_RANKS : key.ranks.length + 1;
}

/** The id before all ids of a rank in the order of ids; undefined if there is none. */
export function idBefore(rank: number, idSign: FirstJob['idSign']): Uint32Array | undefined {
  if (rank === 0) return undefined;
  const first = (idRank(rank, idSign) + (idSign < 0 ? 1 : 0)) * 2 ** ID_REST_BITS;
  const rest = idSign < 0 ? 0 : WORD - 1;
  return Uint32Array.of(idSign < 0 ? first : first - 1, rest, rest, rest);
}

function idRank(bits: number, idSign: FirstJob['idSign']): number {
  return idSign < 0 ? ID_RANKS - 1 - bits : bits;
}

/** Merges what two threads have found; the result is in the form of both. */
export function mergeFirst(
  job: FirstJob,
  one: Uint32Array<ArrayBuffer>,
  other: Uint32Array<ArrayBuffer>,
): Uint32Array<ArrayBuffer> {
  const first = new FirstRows(job);
  for (const numbers of [one, other]) first.addNumbers(numbers);
  return first.toNumbers();
}

/** The records in the numbers of a thread, or in merged ones; without numbers there is none. */
export function readFirst(
  numbers: Uint32Array,
  { count, hasEnd }: Pick<FirstJob, 'count' | 'hasEnd'>,
): FoundRecords {
  const rows = Math.max(0, numbers.length - HEAD_WORDS) / ROW_WORDS;
  const areTooMany = rows < count && (numbers[1] ?? NO_KEY) !== NO_KEY;
  if (areTooMany) return { ids: undefined, isAll: false };
  const ids: string[] = [];
  for (let at = HEAD_WORDS; at < numbers.length; at += ROW_WORDS) ids.push(idText(numbers, at + 2));
  return { ids, isAll: !hasEnd && (numbers[0] ?? ALL) === ALL };
}

/** Lists the live records that meet the condition, with their keys; returns their number. */
function listMatches(
  segment: SegmentView,
  where: Where,
  order: readonly RankedKey[],
  selector: Selector,
): number {
  const words = (segment.records + 31) >>> 5;
  const bits = bitsOf(segment, where, selector);
  for (let w = 0; w < words; w++) {
    matchBits[w] = (segment.live[w] as number) & (bits[w] as number);
  }
  const rest = segment.records & 31;
  if (rest !== 0) matchBits[words - 1] = (matchBits[words - 1] as number) & ((1 << rest) - 1);
  const count = listBits(matchBits, words, listed);
  isRounded.fill(0, 0, count);
  for (const [level, key] of order.entries()) {
    const codes = level === 0 ? listedKeys : listedCodes;
    listCodes(segment, key, count, codes);
    if (level > 0) {
      const base = key.ranks.length + 1;
      for (let i = 0; i < count; i++) {
        const code = isRounded[i] === 1 ? 0 : (codes[i] as number);
        listedKeys[i] = (listedKeys[i] as number) * base + code;
      }
    }
    if (level < order.length - 1) markRounded(key, codes, count);
  }
  if (order.length === 0) listedKeys.fill(0, 0, count);
  return count;
}

/** Marks the listed records whose code of a key is that of several values. */
function markRounded({ exact }: RankedKey, codes: Float64Array, count: number): void {
  if (exact === undefined) return;
  const { least, most } = exact;
  for (let i = 0; i < count; i++) {
    const code = codes[i] as number;
    if (code < least || code > most) isRounded[i] = 1;
  }
}

/** Writes the code of each listed record for a key: codes compare as the values of the key. */
function listCodes(segment: SegmentView, key: RankedKey, count: number, codes: Float64Array): void {
  const { ranks, dimension } = key;
  const column = segment.columns[dimension];
  if (column?.kind === 'slots') throw new TypeError('A key of an order has several values.');
  if (column === undefined) {
    codes.fill(codeOf(0, key), 0, count);
    return;
  }
  const { sets, setCount, offsets, values } = column;
  const codeOfSet = (set: number): number => {
    const from = offsets[set] as number;
    const rank = from === offsets[set + 1] ? 0 : (ranks[values[from] as number] as number);
    return codeOf(rank, key);
  };
  if (setCount > count) {
    for (let i = 0; i < count; i++) codes[i] = codeOfSet(sets[listed[i] as number] as number);
    return;
  }
  for (let set = 0; set < setCount; set++) codesOfSets[set] = codeOfSet(set);
  for (let i = 0; i < count; i++) {
    codes[i] = codesOfSets[sets[listed[i] as number] as number] as number;
  }
}

/** At least so many rows are collected before the others are left out, so that few are sorted often. */
const ROWS_MIN = 1_024;

/** The first rows of those that were added. Others are left out from time to time. */
class FirstRows {
  readonly #job: FirstJob;
  readonly #keys: Float64Array;
  readonly #ids: Uint32Array;
  #length = 0;
  /** The rows that are collected before others are left out: more if many of them are kept. */
  #lengthMax: number;
  #state = ALL;
  /** Rows with this key or a greater one are left out: there were too many with this one. */
  #tooMany = Number.POSITIVE_INFINITY;
  /** Rows after it are not among the first. */
  #lastKey = Number.POSITIVE_INFINITY;
  /** Whether the ids of rows with this key have an order. */
  #hasIds = false;
  readonly #lastId = new Uint32Array(ID_WORDS);

  constructor(job: FirstJob) {
    const rows = Math.max(2 * job.countMax, ROWS_MIN);
    this.#job = job;
    this.#lengthMax = Math.min(Math.max(2 * job.count, ROWS_MIN), rows);
    this.#keys = new Float64Array(rows);
    this.#ids = new Uint32Array(rows * ID_WORDS);
  }

  /** Adds the listed records of a segment that are not before the position. */
  add(ids: Uint32Array, count: number): void {
    const { from, idSign } = this.#job;
    const [start, step] = idSign < 0 ? [count - 1, -1] : [0, 1];
    for (let n = 0, i = start; n < count; n++, i += step) {
      const key = listedKeys[i] as number;
      if (key < from.key) continue;
      const at = (listed[i] as number) * ID_WORDS;
      const isAfter =
        key > from.key || from.id === undefined || idSign * compareIds(ids, at, from.id, 0) > 0;
      if (isAfter) this.#put(key, ids, at);
    }
  }

  /** Adds the rows of {@link toNumbers}. */
  addNumbers(numbers: Uint32Array): void {
    this.#state = Math.max(this.#state, numbers[0] as number);
    if (numbers[1] !== NO_KEY) this.#leaveOut(keyAt(numbers, 1));
    for (let at = HEAD_WORDS; at < numbers.length; at += ROW_WORDS) {
      this.#put(keyAt(numbers, at), numbers, at + 2);
    }
  }

  toNumbers(): Uint32Array<ArrayBuffer> {
    this.#cut();
    const numbers = new Uint32Array(HEAD_WORDS + this.#length * ROW_WORDS);
    numbers[0] = this.#state;
    if (this.#tooMany === Number.POSITIVE_INFINITY) numbers[1] = NO_KEY;
    else putKey(numbers, 1, this.#tooMany);
    for (let row = 0; row < this.#length; row++) {
      const at = HEAD_WORDS + row * ROW_WORDS;
      putKey(numbers, at, this.#keys[row] as number);
      numbers.set(this.#ids.subarray(row * ID_WORDS, (row + 1) * ID_WORDS), at + 2);
    }
    return numbers;
  }

  #put(key: number, ids: Uint32Array, at: number): void {
    if (this.#length === this.#lengthMax) {
      this.#cut();
      while (2 * this.#length > this.#lengthMax) this.#lengthMax *= 2;
      this.#lengthMax = Math.min(this.#lengthMax, this.#keys.length);
    }
    if (key >= this.#tooMany || this.#isAfterLast(key, ids, at)) {
      this.#state = PART;
      return;
    }
    const row = this.#length;
    this.#keys[row] = key;
    for (let w = 0; w < ID_WORDS; w++) this.#ids[row * ID_WORDS + w] = ids[at + w] as number;
    this.#length = row + 1;
  }

  #isAfterLast(key: number, ids: Uint32Array, at: number): boolean {
    if (key !== this.#lastKey) return key > this.#lastKey;
    return this.#hasIds && this.#job.idSign * compareIds(ids, at, this.#lastId, 0) > 0;
  }

  /** Leaves out the rows after the first ones. */
  #cut(): void {
    const { count, countMax } = this.#job;
    if (this.#length <= count) return;
    this.#setLast(count - 1);
    this.#keep((key, at) => !this.#isAfterLast(key, this.#ids, at));
    if (this.#length > countMax) this.#leaveOut(this.#lastKey);
  }

  /** Rows with this key are too many, unless rows that precede them are found later. */
  #leaveOut(tooMany: number): void {
    this.#tooMany = Math.min(this.#tooMany, tooMany);
    this.#lastKey = Number.POSITIVE_INFINITY;
    this.#keep((key) => key < this.#tooMany);
  }

  #keep(isKept: (key: number, at: number) => boolean): void {
    let kept = 0;
    for (let row = 0; row < this.#length; row++) {
      const key = this.#keys[row] as number;
      if (!isKept(key, row * ID_WORDS)) continue;
      this.#keys[kept] = key;
      this.#ids.copyWithin(kept * ID_WORDS, row * ID_WORDS, (row + 1) * ID_WORDS);
      kept += 1;
    }
    if (kept < this.#length) this.#state = PART;
    this.#length = kept;
  }

  /** Sets the last row to the one of this index in the order. */
  #setLast(index: number): void {
    const { idSign } = this.#job;
    const sorted = this.#keys.slice(0, this.#length).sort();
    const key = sorted[index] as number;
    this.#lastKey = key;
    this.#hasIds = hasIdOrder(this.#job, key);
    if (!this.#hasIds) return;
    const equal: number[] = [];
    for (let row = 0; row < this.#length; row++) if (this.#keys[row] === key) equal.push(row);
    equal.sort((a, b) => idSign * compareIds(this.#ids, a * ID_WORDS, this.#ids, b * ID_WORDS));
    const last = equal[index - sorted.indexOf(key)] as number;
    this.#lastId.set(this.#ids.subarray(last * ID_WORDS, (last + 1) * ID_WORDS));
  }
}

function keyAt(numbers: Uint32Array, at: number): number {
  return (numbers[at] as number) * WORD + (numbers[at + 1] as number);
}

function putKey(numbers: Uint32Array, at: number, key: number): void {
  numbers[at] = Math.floor(key / WORD);
  numbers[at + 1] = key % WORD;
}
