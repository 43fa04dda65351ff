/** The links of records to others, as numbers of a {@link NumberTable}. */
import { withRoom } from './arrays.ts';
import type { SharedMemory } from './shared-memory.ts';

/** The links of the records of a segment. */
export interface LinkColumn {
  /** Record r has the links from `offsets[r]` to before `offsets[r + 1]`. */
  readonly offsets: Uint32Array;
  /** The numbers of the linked records. */
  readonly targets: Uint32Array;
  /** By link: 1 + the ordinal of its value, or 0. Absent if these links have no tags. */
  readonly tags: Uint16Array | undefined;
}

/** The links of one record, in arrays that are reused. */
export class RecordLinks {
  targets = new Uint32Array(16);
  tags = new Uint16Array(16);
  length = 0;

  add(target: number, tag: number): void {
    this.targets = withRoom(this.targets, this.length + 1);
    this.tags = withRoom(this.tags, this.length + 1);
    this.targets[this.length] = target;
    this.tags[this.length] = tag;
    this.length += 1;
  }

  /** Reads the links of a record of a segment. */
  read({ offsets, targets, tags }: LinkColumn, record: number): void {
    this.length = 0;
    const end = offsets[record + 1] as number;
    for (let i = offsets[record] as number; i < end; i++) {
      this.add(targets[i] as number, tags?.[i] ?? 0);
    }
  }

  equals(other: RecordLinks): boolean {
    if (this.length !== other.length) return false;
    for (let i = 0; i < this.length; i++) {
      if (this.targets[i] !== other.targets[i] || this.tags[i] !== other.tags[i]) return false;
    }
    return true;
  }
}

const LINKS_START = 1_024;

/**
 * Links to which those of further records are appended. The part of an array that a view has is never
 * written again, and an array that is too short is replaced by a longer copy.
 */
export class MutableLinks {
  readonly #memory: SharedMemory;
  #offsets: Uint32Array;
  #targets: Uint32Array;
  #tags: Uint16Array | undefined;

  constructor(memory: SharedMemory, capacity: number, hasTags: boolean) {
    this.#memory = memory;
    this.#offsets = memory.uint32(capacity + 1);
    this.#targets = memory.uint32(LINKS_START);
    this.#tags = hasTags ? memory.uint16(LINKS_START) : undefined;
  }

  /** Sets the links of the next record. */
  append(record: number, links: RecordLinks): void {
    const start = this.#offsets[record] as number;
    const end = start + links.length;
    if (end > this.#targets.length) {
      const capacity = Math.max(end, this.#targets.length * 2);
      this.#targets = this.#memory.copied32(this.#targets, capacity);
      this.#tags &&= this.#memory.copied16(this.#tags, capacity);
    }
    for (let i = 0; i < links.length; i++) {
      this.#targets[start + i] = links.targets[i] as number;
      if (this.#tags !== undefined) this.#tags[start + i] = links.tags[i] as number;
    }
    this.#offsets[record + 1] = end;
  }

  /** Makes room for so many records. */
  reserve(capacity: number): void {
    if (capacity >= this.#offsets.length) {
      this.#offsets = this.#memory.copied32(this.#offsets, capacity + 1);
    }
  }

  view(): LinkColumn {
    return { offsets: this.#offsets, targets: this.#targets, tags: this.#tags };
  }
}

/** The arrays of links, of which each has memory of its own. */
export function arraysOfLinks({ offsets, targets, tags }: LinkColumn) {
  return [offsets, targets, ...(tags === undefined ? [] : [tags])];
}
