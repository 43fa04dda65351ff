import type { RecordValues } from './record-values.ts';
import { DIMENSION_SLOTS } from './segment.ts';

/** How many live records of an entity have each value, and which of these have changed. */
export class Totals {
  readonly #counts = emptyArrays((length) => new Uint32Array(length));
  /** By dimension and ordinal: 1 where the count has changed. */
  readonly #marks = emptyArrays((length) => new Uint8Array(length));
  /** Dimension and ordinal of each count that has changed. */
  #changed = new Uint32Array(256);
  #changedLength = 0;

  get bytes(): number {
    const sum = (arrays: readonly ArrayBufferView[]) =>
      arrays.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
    return sum(this.#counts) + sum(this.#marks) + this.#changed.byteLength;
  }

  /** Counts the values of a record that came, or went. */
  add(record: RecordValues, by: 1 | -1): void {
    for (let d = 1; d < DIMENSION_SLOTS; d++) {
      const from = record.starts[d] as number;
      const to = record.starts[d + 1] as number;
      if (to === from) continue;
      // Ordinals ascend: the last is the highest.
      this.#reserve(d, (record.ordinals[to - 1] as number) + 1);
      const counts = this.#counts[d] as Uint32Array;
      const marks = this.#marks[d] as Uint8Array;
      for (let i = from; i < to; i++) {
        const ordinal = record.ordinals[i] as number;
        counts[ordinal] = (counts[ordinal] as number) + by;
        if (marks[ordinal] === 1) continue;
        marks[ordinal] = 1;
        this.#note(d, ordinal);
      }
    }
  }

  /** Triples of dimension, ordinal and count: those that have changed since the last call. */
  changes(): Uint32Array {
    const triples = new Uint32Array((this.#changedLength / 2) * 3);
    for (let i = 0; i < this.#changedLength; i += 2) {
      const dimension = this.#changed[i] as number;
      const ordinal = this.#changed[i + 1] as number;
      const marks = this.#marks[dimension] as Uint8Array;
      marks[ordinal] = 0;
      triples.set([dimension, ordinal, this.#counts[dimension]?.[ordinal] ?? 0], (i / 2) * 3);
    }
    this.#changedLength = 0;
    return triples;
  }

  #note(dimension: number, ordinal: number): void {
    if (this.#changedLength + 2 > this.#changed.length) {
      const grown = new Uint32Array(this.#changed.length * 2);
      grown.set(this.#changed);
      this.#changed = grown;
    }
    this.#changed[this.#changedLength] = dimension;
    this.#changed[this.#changedLength + 1] = ordinal;
    this.#changedLength += 2;
  }

  #reserve(dimension: number, length: number): void {
    const counts = this.#counts[dimension] as Uint32Array;
    if (length <= counts.length) return;
    const grownLength = Math.max(length, counts.length * 2);
    const grown = new Uint32Array(grownLength);
    grown.set(counts);
    this.#counts[dimension] = grown;
    const marks = new Uint8Array(grownLength);
    marks.set(this.#marks[dimension] as Uint8Array);
    this.#marks[dimension] = marks;
  }
}

function emptyArrays<Kind>(make: (length: number) => Kind): Kind[] {
  return Array.from({ length: DIMENSION_SLOTS }, () => make(0));
}
