/** Buffers are handed out in multiples of this. */
const GRAIN_BYTES = 4_096;
/** A buffer is used again for what leaves at most this share of it unused. */
const WASTE_SHARE_MAX = 0.25;
/** Of what is held, at most this share lies idle; the rest is left to the garbage collector. */
const IDLE_SHARE_MAX = 0.125;
const IDLE_BYTES_MIN = 33_554_432;

/** Says up to which version no reader has anything older any more. */
export type Acknowledged = () => number;

/**
 * The shared memory of a store. What readers may still be looking at is used again only once all
 * of them have acknowledged the version in which it is gone: garbage collectors do not see how
 * much shared memory hangs on the little objects they let lie.
 */
export class SharedMemory {
  readonly #acknowledged: Acknowledged;
  readonly #retired: { version: number; buffers: SharedArrayBuffer[] }[] = [];
  #idle: SharedArrayBuffer[] = [];
  #leaving: SharedArrayBuffer[] = [];
  /** Handed out since the last version: readers have not seen them. */
  readonly #unseen = new Set<SharedArrayBuffer>();
  #idleBytes = 0;
  #heldBytes = 0;
  #version = 0;

  /** @param acknowledged by default nobody ever acknowledges: nothing is used again */
  constructor(acknowledged: Acknowledged = () => 0) {
    this.#acknowledged = acknowledged;
  }

  /** Bytes in use, retired or idle. */
  get bytes(): number {
    return this.#heldBytes;
  }

  /** A buffer of at least so many bytes, all 0. */
  allocate(bytes: number): SharedArrayBuffer {
    this.#reclaim();
    const known = this.#fitting(bytes);
    if (known !== undefined) {
      new Uint8Array(known).fill(0);
      this.#unseen.add(known);
      return known;
    }
    const buffer = new SharedArrayBuffer(Math.ceil(bytes / GRAIN_BYTES) * GRAIN_BYTES);
    this.#heldBytes += buffer.byteLength;
    this.#unseen.add(buffer);
    return buffer;
  }

  uint16(length: number): Uint16Array {
    return new Uint16Array(this.allocate(length * Uint16Array.BYTES_PER_ELEMENT), 0, length);
  }

  uint32(length: number): Uint32Array {
    return new Uint32Array(this.allocate(length * Uint32Array.BYTES_PER_ELEMENT), 0, length);
  }

  /** A longer array with the same beginning; the old one stays as it is for its readers. */
  grown16(array: Uint16Array, length: number): Uint16Array {
    const grown = this.uint16(length);
    grown.set(array);
    this.retire(array);
    return grown;
  }

  /** As {@link grown16}. */
  grown32(array: Uint32Array, length: number): Uint32Array {
    const grown = this.uint32(length);
    grown.set(array);
    this.retire(array);
    return grown;
  }

  /**
   * The writer has no more use for the buffer of an array, of which nothing else lives. Readers who
   * have seen it may use it until they take the next version.
   */
  retire({ buffer }: Uint16Array | Uint32Array): void {
    if (!(buffer instanceof SharedArrayBuffer)) return;
    if (this.#unseen.delete(buffer)) this.#lay(buffer);
    else this.#leaving.push(buffer);
  }

  /** The number of the version that readers are about to be given. */
  nextVersion(): number {
    this.#version += 1;
    this.#unseen.clear();
    if (this.#leaving.length > 0) {
      this.#retired.push({ version: this.#version, buffers: this.#leaving });
      this.#leaving = [];
    }
    return this.#version;
  }

  #reclaim(): void {
    const acknowledged = this.#acknowledged();
    while ((this.#retired[0]?.version ?? Number.POSITIVE_INFINITY) <= acknowledged) {
      for (const buffer of this.#retired.shift()?.buffers ?? []) {
        this.#lay(buffer);
      }
    }
    const idleMax = Math.max(IDLE_BYTES_MIN, this.#heldBytes * IDLE_SHARE_MAX);
    while (this.#idleBytes > idleMax) {
      const bytes = this.#idle.shift()?.byteLength ?? 0;
      this.#idleBytes -= bytes;
      this.#heldBytes -= bytes;
    }
  }

  #lay(buffer: SharedArrayBuffer): void {
    this.#idle.push(buffer);
    this.#idleBytes += buffer.byteLength;
  }

  #fitting(bytes: number): SharedArrayBuffer | undefined {
    const bytesMax = Math.max(bytes / (1 - WASTE_SHARE_MAX), bytes + GRAIN_BYTES);
    const place = this.#idle.findIndex(
      ({ byteLength }) => byteLength >= bytes && byteLength <= bytesMax,
    );
    if (place < 0) return undefined;
    const [buffer] = this.#idle.splice(place, 1);
    this.#idleBytes -= buffer?.byteLength ?? 0;
    return buffer;
  }
}
