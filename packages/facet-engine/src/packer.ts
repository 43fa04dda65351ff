/** Places several arrays in one shared buffer: one allocation, and one handle to post. */
export class Packer {
  readonly #buffer: SharedArrayBuffer;
  #used = 0;

  constructor(buffer: SharedArrayBuffer) {
    this.#buffer = buffer;
  }

  /** Bytes that so many 16-bit numbers take. */
  static bytes16(length: number): number {
    return Math.ceil(length / 2) * 4;
  }

  /** Bytes that so many 32-bit numbers take. */
  static bytes32(length: number): number {
    return length * 4;
  }

  uint16(length: number): Uint16Array {
    const array = new Uint16Array(this.#buffer, this.#used, length);
    this.#used += Packer.bytes16(length);
    return array;
  }

  uint32(length: number): Uint32Array {
    const array = new Uint32Array(this.#buffer, this.#used, length);
    this.#used += Packer.bytes32(length);
    return array;
  }
}
