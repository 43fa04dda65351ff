import { withRoom } from './arrays.ts';
import { ID_WORDS, type Id, IdTable } from './id-table.ts';

/**
 * The numbers of the records that links refer to, from 0 in the order in which their ids first occur. A
 * number never changes, unlike the position of a record, and an id may have one before its record is
 * read, or after it was deleted.
 */
export class NumberTable {
  #ids = new Uint32Array(1_024 * ID_WORDS);
  #count = 0;
  readonly #table = new IdTable((part) => this.#ids.subarray(part * 65_536 * ID_WORDS));

  /** The number of ids. */
  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#ids.byteLength + this.#table.bytes;
  }

  /** The number of an id, a new one for a new id. */
  numberOf(id: Id): number {
    const known = this.#table.find(id);
    if (known >= 0) return known;
    const number = this.#count;
    this.#ids = withRoom(this.#ids, (number + 1) * ID_WORDS);
    this.#ids.set(id, number * ID_WORDS);
    this.#count = number + 1;
    this.#table.set(id, number);
    return number;
  }
}
