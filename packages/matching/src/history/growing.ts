const FIRST_CAPACITY = 1024;

/** A `Uint32Array` to which numbers are appended. */
export class GrowingUint32 {
  length = 0;
  #items = new Uint32Array(FIRST_CAPACITY);

  push(item: number): void {
    if (this.length === this.#items.length) {
      const longer = new Uint32Array(2 * this.length);
      longer.set(this.#items);
      this.#items = longer;
    }
    this.#items[this.length++] = item;
  }

  toArray(): Uint32Array {
    return this.#items.slice(0, this.length);
  }
}

/** A `Float32Array` to which numbers are appended. */
export class GrowingFloat32 {
  length = 0;
  #items = new Float32Array(FIRST_CAPACITY);

  push(item: number): void {
    if (this.length === this.#items.length) {
      const longer = new Float32Array(2 * this.length);
      longer.set(this.#items);
      this.#items = longer;
    }
    this.#items[this.length++] = item;
  }

  toArray(): Float32Array {
    return this.#items.slice(0, this.length);
  }
}
