type NumberArray = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array;

const LENGTH_FIRST = 1024;

/** An array of numbers whose length is not known before. */
export class Growing<T extends NumberArray> {
  length = 0;
  readonly #create: new (
    length: number,
  ) => T;
  #items: T;

  constructor(create: new (length: number) => T) {
    this.#create = create;
    this.#items = new create(LENGTH_FIRST);
  }

  push(item: number): void {
    if (this.length === this.#items.length) {
      const longer = new this.#create(2 * this.length);
      longer.set(this.#items);
      this.#items = longer;
    }
    this.#items[this.length++] = item;
  }

  /** The numbers; a copy without the spare room. */
  done(): T {
    return this.#items.slice(0, this.length) as T;
  }
}
