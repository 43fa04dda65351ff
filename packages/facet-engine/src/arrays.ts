type NumberArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/**
 * The array if it has `length` elements, else a copy of at least that length, and at least twice
 * its own, with zeros at the end.
 */
export function withRoom<Kind extends NumberArray>(array: Kind, length: number): Kind {
  if (length <= array.length) return array;
  const create = array.constructor as new (length: number) => Kind;
  const grown = new create(Math.max(length, array.length * 2));
  grown.set(array);
  return grown;
}

/** 32-bit integers in shared memory, all 0. */
export function sharedInt32(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
}
