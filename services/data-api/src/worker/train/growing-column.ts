type NumberArray = Uint8Array | Uint32Array | Int32Array | Float64Array;

const LENGTH_FIRST = 1_024;

/** An array of numbers whose length is not known before. */
export class GrowingColumn<T extends NumberArray> {
  readonly #create: new (
    length: number,
  ) => T;
  #array: T;
  #length = 0;

  constructor(create: new (length: number) => T) {
    this.#create = create;
    this.#array = new create(LENGTH_FIRST);
  }

  push(value: number): void {
    if (this.#length === this.#array.length) {
      const grown = new this.#create(this.#length * 2);
      grown.set(this.#array);
      this.#array = grown;
    }
    this.#array[this.#length] = value;
    this.#length += 1;
  }

  /** The values; a copy without the spare room. */
  done(): T {
    return this.#array.slice(0, this.#length) as T;
  }
}
