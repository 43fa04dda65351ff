/** Words of an id: a uuid's 128 bits. */
export const ID_WORDS = 4;

const PARTITIONS = 256;
const SLOTS_START = 16;
const FREE = 0;
const REMOVED = 0xffff_ffff;
/** Filled beyond this, a partition grows. */
const LOAD_MAX = 0.7;

/** An id: four 32-bit words. */
export type Id = Uint32Array;

interface Partition {
  /** Position + 1, or FREE, or REMOVED. */
  slots: Uint32Array;
  /** A byte of each entry's hash: most others are told apart by it, without a look at ids. */
  tags: Uint8Array;
  /** Slots that are not FREE. */
  used: number;
}

/**
 * Where the record of an id is: 5 bytes an entry beside the ids, which stand with the records.
 * Open addressing in 256 parts, so that growing one never takes long.
 */
export class IdTable {
  readonly #parts: Partition[] = Array.from({ length: PARTITIONS }, () => ({
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
    return this.#parts.reduce((sum, { slots }) => sum + slots.byteLength + slots.length, 0);
  }

  /** The position of an id, or -1. A position is the segment's slot · 65,536 + the number in it. */
  find(id: Id): number {
    const mixed = mix(id[0] as number, id[1] as number, id[2] as number, id[3] as number);
    const part = this.#part(mixed);
    const place = this.#placeOf(part, mixed, id);
    return place < 0 ? -1 : (part.slots[place] as number) - 1;
  }

  /** Sets the position of an id, be it new or known. Its id stands with the record by then. */
  set(id: Id, position: number): void {
    const mixed = mix(id[0] as number, id[1] as number, id[2] as number, id[3] as number);
    const part = this.#part(mixed);
    const known = this.#placeOf(part, mixed, id);
    if (known >= 0) {
      part.slots[known] = position + 1;
      return;
    }
    if (part.used + 1 > part.slots.length * LOAD_MAX) this.#rebuild(part);
    put(part, mixed, position + 1);
    part.used += 1;
  }

  /** Forgets an id. */
  remove(id: Id): void {
    const mixed = mix(id[0] as number, id[1] as number, id[2] as number, id[3] as number);
    const part = this.#part(mixed);
    const place = this.#placeOf(part, mixed, id);
    if (place >= 0) part.slots[place] = REMOVED;
  }

  #part(mixed: number): Partition {
    return this.#parts[mixed >>> 24] as Partition;
  }

  #placeOf({ slots, tags }: Partition, mixed: number, id: Id): number {
    const tag = tagOf(mixed);
    const mask = slots.length - 1;
    let place = mixed & mask;
    for (;;) {
      const entry = slots[place] as number;
      if (entry === FREE) return -1;
      if (tags[place] === tag && entry !== REMOVED && this.#isAt(entry - 1, id)) return place;
      place = (place + 1) & mask;
    }
  }

  #isAt(position: number, id: Id): boolean {
    const ids = this.#idsOf(position >>> 16);
    const at = (position & 0xffff) * ID_WORDS;
    return (
      ids[at] === id[0] && ids[at + 1] === id[1] && ids[at + 2] === id[2] && ids[at + 3] === id[3]
    );
  }

  #rebuild(part: Partition): void {
    const entries = part.slots.filter((entry) => entry !== FREE && entry !== REMOVED);
    let length = part.slots.length;
    while (entries.length * 2 > length * LOAD_MAX) length *= 2;
    const grown = { slots: new Uint32Array(length), tags: new Uint8Array(length) };
    for (const entry of entries) {
      const ids = this.#idsOf((entry - 1) >>> 16);
      const at = ((entry - 1) & 0xffff) * ID_WORDS;
      const words = [ids[at], ids[at + 1], ids[at + 2], ids[at + 3]] as const;
      const mixed = mix(words[0] ?? 0, words[1] ?? 0, words[2] ?? 0, words[3] ?? 0);
      put(grown, mixed, entry);
    }
    part.slots = grown.slots;
    part.tags = grown.tags;
    part.used = entries.length;
  }
}

/** Puts an entry into the first free slot. */
function put({ slots, tags }: Omit<Partition, 'used'>, mixed: number, entry: number): void {
  const mask = slots.length - 1;
  let place = mixed & mask;
  while (slots[place] !== FREE) place = (place + 1) & mask;
  slots[place] = entry;
  tags[place] = tagOf(mixed);
}

/** Bits that neither the part nor, mostly, the place follows from. */
function tagOf(mixed: number): number {
  return (mixed >>> 16) & 0xff;
}

/** Spreads ids that are not random, such as counted ones, too. */
function mix(a: number, b: number, c: number, d: number): number {
  let mixed = Math.imul(a ^ (b >>> 16) ^ (b << 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13) ^ c, 0xc2b2_ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16) ^ d, 0x27d4_eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x1656_67b1);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
