import { withRoom } from './arrays.ts';
import type { RecordValues } from './record-values.ts';

/** The number of live records of an entity by value, and the values whose number changed. */
export class Totals {
  readonly #counts: Uint32Array[];
  /** By dimension and ordinal: 1 if the count has changed. */
  readonly #marks: Uint8Array[];
  /** Dimension and ordinal of each count that has changed. */
  #changed = new Uint32Array(256);
  #changedLength = 0;

  /** @param dimensionSlots above the highest number of a dimension */
  constructor(dimensionSlots: number) {
    this.#counts = Array.from({ length: dimensionSlots }, () => new Uint32Array(0));
    this.#marks = Array.from({ length: dimensionSlots }, () => new Uint8Array(0));
  }

  get bytes(): number {
    const sum = (arrays: readonly ArrayBufferView[]) =>
      arrays.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
    return sum(this.#counts) + sum(this.#marks) + this.#changed.byteLength;
  }

  /** Adds the values of a record, or subtracts them. */
  add(record: RecordValues, by: 1 | -1): void {
    for (let d = 1; d < this.#counts.length; d++) {
      const from = record.starts[d] as number;
      const to = record.starts[d + 1] as number;
      if (to === from) continue;
      // Ordinals ascend: the last is the highest.
      const length = (record.ordinals[to - 1] as number) + 1;
      const counts = withRoom(this.#counts[d] as Uint32Array, length);
      const marks = withRoom(this.#marks[d] as Uint8Array, length);
      this.#counts[d] = counts;
      this.#marks[d] = marks;
      for (let i = from; i < to; i++) {
        const ordinal = record.ordinals[i] as number;
        counts[ordinal] = (counts[ordinal] as number) + by;
        if (marks[ordinal] === 1) continue;
        marks[ordinal] = 1;
        this.#addChanged(d, ordinal);
      }
    }
  }

  /** Triples of dimension, ordinal and count of the values changed since the last call. */
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

  #addChanged(dimension: number, ordinal: number): void {
    this.#changed = withRoom(this.#changed, this.#changedLength + 2);
    this.#changed[this.#changedLength] = dimension;
    this.#changed[this.#changedLength + 1] = ordinal;
    this.#changedLength += 2;
  }
}
