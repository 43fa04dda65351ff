import { DIMENSION_SLOTS } from './segment.ts';

/** A record has a code that the dictionary lacks: the data read do not belong together. */
export class UnknownCodeError extends Error {
  constructor(code: number) {
    super(`A record has the dimension value ${code}, which venture.dimension_value has not.`);
    this.name = 'UnknownCodeError';
  }
}

/** Codes above this are refused: the tables by code would not be worth their memory. */
const CODE_MAX = 50_000_000;

/**
 * What codes stand for. The values of a dimension have ordinals from 0 in the order of their
 * codes, so that codes in ascending order give ordinals in ascending order.
 */
export class Dictionary {
  #dimensions = new Uint8Array(1_024);
  #ordinals = new Uint32Array(1_024);
  readonly #counts = new Uint32Array(DIMENSION_SLOTS);
  #last = 0;

  /** The highest code; 0 before the first. */
  get lastCode(): number {
    return this.#last;
  }

  get bytes(): number {
    return this.#dimensions.byteLength + this.#ordinals.byteLength;
  }

  /**
   * Adds a value; codes come in ascending order.
   *
   * @throws RangeError when one does not, or is out of bounds.
   */
  add(code: number, dimension: number): void {
    if (code <= this.#last || code > CODE_MAX)
      throw new RangeError(`Code ${code} is out of order.`);
    if (dimension < 1 || dimension >= DIMENSION_SLOTS) {
      throw new RangeError(`There is no dimension ${dimension}.`);
    }
    if (code >= this.#dimensions.length) this.#grow(code);
    const ordinal = this.#counts[dimension] as number;
    this.#dimensions[code] = dimension;
    this.#ordinals[code] = ordinal;
    this.#counts[dimension] = ordinal + 1;
    this.#last = code;
  }

  /** @throws UnknownCodeError */
  dimensionOf(code: number): number {
    const dimension = this.#dimensions[code] ?? 0;
    if (dimension === 0) throw new UnknownCodeError(code);
    return dimension;
  }

  /** The ordinal of a code that has a dimension. */
  ordinalOf(code: number): number {
    return this.#ordinals[code] as number;
  }

  /** How many values the dimension has. */
  size(dimension: number): number {
    return this.#counts[dimension] ?? 0;
  }

  #grow(code: number): void {
    const length = Math.max(code + 1, this.#dimensions.length * 2);
    const dimensions = new Uint8Array(length);
    dimensions.set(this.#dimensions);
    const ordinals = new Uint32Array(length);
    ordinals.set(this.#ordinals);
    this.#dimensions = dimensions;
    this.#ordinals = ordinals;
  }
}
