/** Rows in ClickHouse's format `RowBinary`. */
const BYTES_START = 65_536;
const WORDS = 4;

export class RowBuffer {
  #bytes = Buffer.allocUnsafe(BYTES_START);
  length = 0;
  rows = 0;

  /** The rows so far; the buffer is then empty. */
  take(): Buffer {
    const bytes = this.#bytes.subarray(0, this.length);
    this.#bytes = Buffer.allocUnsafe(BYTES_START);
    this.length = 0;
    this.rows = 0;
    return bytes;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  uint16(value: number): void {
    this.#reserve(2);
    this.length = this.#bytes.writeUInt16LE(value, this.length);
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.length = this.#bytes.writeUInt32LE(value, this.length);
  }

  uint64(value: bigint): void {
    this.#reserve(8);
    this.length = this.#bytes.writeBigUInt64LE(value, this.length);
  }

  /** NaN is null. */
  nullableFloat(value: number): void {
    const isNull = Number.isNaN(value);
    this.byte(isNull ? 1 : 0);
    if (isNull) return;
    this.#reserve(8);
    this.length = this.#bytes.writeDoubleLE(value, this.length);
  }

  /** The length of an array or text, before its elements. */
  size(value: number): void {
    this.#reserve(5);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  text(value: string): void {
    const bytes = Buffer.byteLength(value);
    this.size(bytes);
    this.#reserve(bytes);
    this.length += this.#bytes.write(value, this.length);
  }

  /** A UUID of four words: two halves, each with its last byte first. */
  uuid(words: Uint32Array, at = 0): void {
    this.#reserve(4 * WORDS);
    for (const word of [1, 0, 3, 2]) {
      this.length = this.#bytes.writeUInt32LE(words[at + word] as number, this.length);
    }
  }

  #reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}
