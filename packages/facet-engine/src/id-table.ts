/** 32-bit words of an id, a UUID. */
export const ID_WORDS = 4;

const PARTITIONS = 256;
const SLOTS_START = 16;
const FREE = 0;
const REMOVED = 0xffff_ffff;
/** A partition grows when a larger share of its slots is used. */
const LOAD_MAX = 0.7;

/** An id: four 32-bit words. */
export type Id = Uint32Array;

/** The words of an id as text. */
export function idWords(text: string): Id {
  const digits = text.replaceAll('-', '');
  return Uint32Array.from([0, 8, 16, 24], (at) => Number.parseInt(digits.slice(at, at + 8), 16));
}

interface Partition {
  /** Position + 1, or FREE, or REMOVED. */
  slots: Uint32Array;
  /** A byte of each entry's hash; it spares most comparisons of ids. */
  tags: Uint8Array;
  /** Slots that are not FREE. */
  used: number;
}

/**
 * The positions of records by id, in 5 bytes per entry; the ids themselves are stored with the
 * records. A hash table with open addressing in 256 partitions, so that growing one takes little
 * time.
 */
export class IdTable {
  readonly #partitions: Partition[] = Array.from({ length: PARTITIONS }, () => ({
    slots: new Uint32Array(SLOTS_START),
    tags: new Uint8Array(SLOTS_START),
    used: 0,
  }));
  readonly #idsOf: (segment: number) => Uint32Array;

  /** @param idsOf the ids of a segment's records, four words each */
  constructor(idsOf: (segment: number) => Uint32Array) {
    this.#idsOf = idsOf;
  }

  get bytes(): number {
    return this.#partitions.reduce((sum, { slots }) => sum + slots.byteLength + slots.length, 0);
  }

  /** The position of an id, or -1: slot of the segment · 65,536 + number of the record. */
  find(id: Id): number {
    const hash = hashOf(id, 0);
    const partition = this.#partitionOf(hash);
    const slot = this.#slotOf(partition, hash, id);
    return slot < 0 ? -1 : (partition.slots[slot] as number) - 1;
  }

  /** Sets the position of an id; the id must already be stored with the record. */
  set(id: Id, position: number): void {
    const hash = hashOf(id, 0);
    const partition = this.#partitionOf(hash);
    const slot = this.#slotOf(partition, hash, id);
    if (slot >= 0) {
      partition.slots[slot] = position + 1;
      return;
    }
    if (partition.used + 1 > partition.slots.length * LOAD_MAX) this.#rebuild(partition);
    put(partition, hash, position + 1);
    partition.used += 1;
  }

  remove(id: Id): void {
    const hash = hashOf(id, 0);
    const partition = this.#partitionOf(hash);
    const slot = this.#slotOf(partition, hash, id);
    if (slot >= 0) partition.slots[slot] = REMOVED;
  }

  #partitionOf(hash: number): Partition {
    return this.#partitions[hash >>> 24] as Partition;
  }

  #slotOf({ slots, tags }: Partition, hash: number, id: Id): number {
    const tag = tagOf(hash);
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const entry = slots[slot] as number;
      if (entry === FREE) return -1;
      if (tags[slot] === tag && entry !== REMOVED && this.#isAt(entry - 1, id)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isAt(position: number, id: Id): boolean {
    const ids = this.#idsOf(position >>> 16);
    const at = (position & 0xffff) * ID_WORDS;
    return (
      ids[at] === id[0] && ids[at + 1] === id[1] && ids[at + 2] === id[2] && ids[at + 3] === id[3]
    );
  }

  #rebuild(partition: Partition): void {
    const entries = partition.slots.filter((entry) => entry !== FREE && entry !== REMOVED);
    let length = partition.slots.length;
    while (entries.length * 2 > length * LOAD_MAX) length *= 2;
    const grown = { slots: new Uint32Array(length), tags: new Uint8Array(length) };
    for (const entry of entries) {
      const ids = this.#idsOf((entry - 1) >>> 16);
      const at = ((entry - 1) & 0xffff) * ID_WORDS;
      put(grown, hashOf(ids, at), entry);
    }
    partition.slots = grown.slots;
    partition.tags = grown.tags;
    partition.used = entries.length;
  }
}

/** Puts an entry into the first free slot. */
function put({ slots, tags }: Omit<Partition, 'used'>, hash: number, entry: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== FREE) slot = (slot + 1) & mask;
  slots[slot] = entry;
  tags[slot] = tagOf(hash);
}

/** Bits of the hash that determine neither the partition nor, mostly, the slot. */
function tagOf(hash: number): number {
  return (hash >>> 16) & 0xff;
}

/** The hash of the id at an index of an array; it also distributes ids that are not random. */
function hashOf(ids: Uint32Array, at: number): number {
  const second = ids[at + 1] as number;
  let hash = Math.imul((ids[at] as number) ^ (second >>> 16) ^ (second << 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ (ids[at + 2] as number), 0xc2b2_ae35);
  hash = Math.imul(hash ^ (hash >>> 16) ^ (ids[at + 3] as number), 0x27d4_eb2f);
  hash = Math.imul(hash ^ (hash >>> 15), 0x1656_67b1);
  return (hash ^ (hash >>> 13)) >>> 0;
}
