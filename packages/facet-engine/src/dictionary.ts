import { withRoom } from './arrays.ts';

/** A record has a code without a value: the rows are not of one snapshot. */
export class UnknownCodeError extends Error {
  constructor(code: number) {
    super(`A record has the code ${code}, which the table of values does not contain.`);
    this.name = 'UnknownCodeError';
  }
}

/** Higher codes are rejected: arrays by code would take too much memory. */
const CODE_MAX = 50_000_000;

/** In place of the number of an unknown dimension. */
export const IGNORED = 0xffff;

/**
 * The dimension and ordinal of each code. The values of a dimension have ordinals from 0 in the
 * order of their codes, so ascending codes have ascending ordinals.
 */
export class Dictionary {
  #dimensions = new Uint16Array(1_024);
  #ordinals = new Uint32Array(1_024);
  readonly #counts: Uint32Array;
  #last = 0;

  /** @param dimensionSlots above the highest number of a dimension */
  constructor(dimensionSlots: number) {
    this.#counts = new Uint32Array(dimensionSlots);
  }

  /** The highest code; 0 before the first. */
  get lastCode(): number {
    return this.#last;
  }

  get bytes(): number {
    return this.#dimensions.byteLength + this.#ordinals.byteLength;
  }

  /**
   * Adds a value; codes must ascend. Of a dimension that this version does not have, because a later
   * one writes the tables during an upgrade, records have no values.
   *
   * @returns whether the dimension is known
   * @throws RangeError for a code that is out of order or out of bounds.
   */
  add(code: number, dimension: number): boolean {
    if (code <= this.#last || code > CODE_MAX)
      throw new RangeError(`Code ${code} is out of order.`);
    this.#dimensions = withRoom(this.#dimensions, code + 1);
    this.#ordinals = withRoom(this.#ordinals, code + 1);
    this.#last = code;
    const ordinal = this.#counts[dimension];
    if (dimension < 1 || ordinal === undefined) {
      this.#dimensions[code] = IGNORED;
      return false;
    }
    this.#dimensions[code] = dimension;
    this.#ordinals[code] = ordinal;
    this.#counts[dimension] = ordinal + 1;
    return true;
  }

  /**
   * The dimension of a code, {@link IGNORED} if this version does not have it.
   *
   * @throws UnknownCodeError
   */
  dimensionOf(code: number): number {
    const dimension = this.#dimensions[code] ?? 0;
    if (dimension === 0) throw new UnknownCodeError(code);
    return dimension;
  }

  /** The ordinal of a code that has a dimension. */
  ordinalOf(code: number): number {
    return this.#ordinals[code] as number;
  }
}
