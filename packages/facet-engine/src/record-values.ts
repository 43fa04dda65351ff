import { withRoom } from './arrays.ts';
import { type Dictionary, IGNORED } from './dictionary.ts';

/** The values of one record by dimension, in arrays that are reused for every record. */
export class RecordValues {
  /** Dimension d has the ordinals from `starts[d]` to before `starts[d + 1]`, ascending. */
  readonly starts: Uint32Array;
  ordinals = new Uint32Array(256);
  readonly #next: Uint32Array;

  /** @param dimensionSlots above the highest number of a dimension */
  constructor(dimensionSlots: number) {
    this.starts = new Uint32Array(dimensionSlots + 1);
    this.#next = new Uint32Array(dimensionSlots);
  }

  /** The number of values of all dimensions. */
  get length(): number {
    return this.starts[this.#next.length] as number;
  }

  /**
   * Reads the first `length` codes, ascending and distinct.
   *
   * @throws UnknownCodeError if the dictionary does not contain one of them.
   */
  read(codes: Int32Array, length: number, dictionary: Dictionary): void {
    const { starts } = this;
    const next = this.#next;
    starts.fill(0);
    for (let i = 0; i < length; i++) {
      const dimension = dictionary.dimensionOf(codes[i] as number);
      if (dimension === IGNORED) continue;
      const slot = dimension + 1;
      starts[slot] = (starts[slot] as number) + 1;
    }
    for (let d = 0; d < this.#next.length; d++) {
      next[d] = starts[d] as number;
      starts[d + 1] = (starts[d + 1] as number) + (starts[d] as number);
    }
    this.ordinals = withRoom(this.ordinals, length);
    for (let i = 0; i < length; i++) {
      const code = codes[i] as number;
      const d = dictionary.dimensionOf(code);
      if (d === IGNORED) continue;
      const index = next[d] as number;
      this.ordinals[index] = dictionary.ordinalOf(code);
      next[d] = index + 1;
    }
  }

  /** Starts a record; its dimensions are then added in ascending order. */
  clear(): void {
    this.starts.fill(0);
  }

  /** Adds the values of the next dimension. */
  add(dimension: number, values: Uint32Array, from: number, to: number): void {
    const start = this.length;
    this.ordinals = withRoom(this.ordinals, start + to - from);
    for (let i = from; i < to; i++) this.ordinals[start + i - from] = values[i] as number;
    this.starts.fill(start + to - from, dimension + 1);
  }

  equals(other: RecordValues): boolean {
    for (let d = 0; d <= this.#next.length; d++) {
      if (this.starts[d] !== other.starts[d]) return false;
    }
    for (let i = 0; i < this.length; i++) {
      if (this.ordinals[i] !== other.ordinals[i]) return false;
    }
    return true;
  }
}
