/** Typed arrays in shared memory. */

export function sharedUint16(length: number): Uint16Array {
  return new Uint16Array(new SharedArrayBuffer(length * Uint16Array.BYTES_PER_ELEMENT));
}

export function sharedUint32(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT));
}

/** A longer array with the same beginning; the old one stays as it is for those who read it. */
export function grownUint16(array: Uint16Array, length: number): Uint16Array {
  const grown = sharedUint16(length);
  grown.set(array);
  return grown;
}

/** As {@link grownUint16}. */
export function grownUint32(array: Uint32Array, length: number): Uint32Array {
  const grown = sharedUint32(length);
  grown.set(array);
  return grown;
}

/** Copies arrays into one piece of shared memory: one allocation, and one handle to send. */
export class Packer {
  private readonly buffer: SharedArrayBuffer;
  private used = 0;

  constructor(bytes: number) {
    this.buffer = new SharedArrayBuffer(bytes);
  }

  /** Room that 16-bit numbers take. */
  static bytes16(length: number): number {
    return Math.ceil(length / 2) * 4;
  }

  /** Room that 32-bit numbers take. */
  static bytes32(length: number): number {
    return length * 4;
  }

  uint16(length: number): Uint16Array {
    const array = new Uint16Array(this.buffer, this.used, length);
    this.used += Packer.bytes16(length);
    return array;
  }

  uint32(length: number): Uint32Array {
    const array = new Uint32Array(this.buffer, this.used, length);
    this.used += Packer.bytes32(length);
    return array;
  }
}
