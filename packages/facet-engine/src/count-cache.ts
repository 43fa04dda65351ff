import type { SegmentView } from './segment.ts';

const BYTES_MAX = 16_777_216;

/** Memory of an entry beside its counts and key: objects of the array, the text and the map. */
const ENTRY_BYTES = 400;

type Tables = WeakMap<SegmentView, Map<string, Uint16Array>>;

/**
 * A cache of the counts of single segments under values of one dimension. A view of a segment never changes, and
 * each change of a segment makes a new view, so cached counts stay exact. When the younger half is
 * full, it replaces the older one, whose counts are dropped.
 */
export class CountCache {
  readonly #halfBytesMax: number;
  #young: Tables = new WeakMap();
  #old: Tables = new WeakMap();
  #youngBytes = 0;

  /** @param bytesMax of all entries */
  constructor(bytesMax: number = BYTES_MAX) {
    this.#halfBytesMax = bytesMax / 2;
  }

  /** The counts by ordinal of a view; undefined if the cache does not have them. */
  get(view: SegmentView, key: string): Uint16Array | undefined {
    const young = this.#young.get(view)?.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(view)?.get(key);
    if (old !== undefined) this.put(view, key, old);
    return old;
  }

  put(view: SegmentView, key: string, counts: Uint16Array): void {
    const bytes = counts.byteLength + 2 * key.length + ENTRY_BYTES;
    if (this.#youngBytes + bytes > this.#halfBytesMax) {
      this.#old = this.#young;
      this.#young = new WeakMap();
      this.#youngBytes = 0;
    }
    const ofView = this.#young.get(view) ?? new Map<string, Uint16Array>();
    this.#young.set(view, ofView.set(key, counts));
    this.#youngBytes += bytes;
  }
}
