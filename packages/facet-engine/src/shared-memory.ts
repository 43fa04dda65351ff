/** Buffers have multiples of this size. */
const GRAIN_BYTES = 4_096;
/** A buffer is reused if at most this share of it stays unused. */
const WASTE_SHARE_MAX = 0.25;
/** At most this share of all memory is idle; the garbage collector gets the rest. */
const IDLE_SHARE_MAX = 0.125;
const IDLE_BYTES_MIN = 33_554_432;

/** The version that all readers have applied. */
export type Acknowledged = () => number;

/**
 * The shared memory of a column store. A buffer that readers may still use is reused only after
 * all of them have acknowledged the version that drops it. Leaving it to garbage collection is no
 * alternative: the small objects that hold shared memory do not trigger a collection in time.
 */
export class SharedMemory {
  readonly #acknowledged: Acknowledged;
  readonly #retired: { version: number; buffers: SharedArrayBuffer[] }[] = [];
  #idle: SharedArrayBuffer[] = [];
  /** Retired since the last version. */
  #retiring: SharedArrayBuffer[] = [];
  /** Allocated since the last version: no reader has received them. */
  readonly #unpublished = new Set<SharedArrayBuffer>();
  #idleBytes = 0;
  #heldBytes = 0;
  #version = 0;

  /** @param acknowledged by default always 0: published memory is never reused */
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
    const idle = this.#takeIdle(bytes);
    const size = Math.ceil(bytes / GRAIN_BYTES) * GRAIN_BYTES;
    const buffer = idle ?? new SharedArrayBuffer(size);
    if (idle === undefined) this.#heldBytes += size;
    else new Uint8Array(idle).fill(0);
    this.#unpublished.add(buffer);
    return buffer;
  }

  uint16(length: number): Uint16Array {
    return new Uint16Array(this.allocate(length * Uint16Array.BYTES_PER_ELEMENT), 0, length);
  }

  uint32(length: number): Uint32Array {
    return new Uint32Array(this.allocate(length * Uint32Array.BYTES_PER_ELEMENT), 0, length);
  }

  float64(length: number): Float64Array {
    return new Float64Array(this.allocate(length * Float64Array.BYTES_PER_ELEMENT), 0, length);
  }

  /** A copy of at least the same length; retires the array, which stays unchanged for readers. */
  copied16(array: Uint16Array, length: number): Uint16Array {
    const copy = this.uint16(length);
    copy.set(array);
    this.retire(array);
    return copy;
  }

  /** As {@link copied16}. */
  copied32(array: Uint32Array, length: number): Uint32Array {
    const copy = this.uint32(length);
    copy.set(array);
    this.retire(array);
    return copy;
  }

  /** As {@link copied16}. */
  copied64(array: Float64Array, length: number): Float64Array {
    const copy = this.float64(length);
    copy.set(array);
    this.retire(array);
    return copy;
  }

  /** Releases the whole buffer of an array; readers may use it until they apply the next version. */
  retire({ buffer }: Uint16Array | Uint32Array | Float64Array): void {
    if (!(buffer instanceof SharedArrayBuffer)) return;
    if (this.#unpublished.delete(buffer)) this.#addIdle(buffer);
    else this.#retiring.push(buffer);
  }

  /** The number of the version that readers receive next. */
  nextVersion(): number {
    this.#version += 1;
    this.#unpublished.clear();
    if (this.#retiring.length > 0) {
      this.#retired.push({ version: this.#version, buffers: this.#retiring });
      this.#retiring = [];
    }
    return this.#version;
  }

  #reclaim(): void {
    const acknowledged = this.#acknowledged();
    while ((this.#retired[0]?.version ?? Number.POSITIVE_INFINITY) <= acknowledged) {
      for (const buffer of this.#retired.shift()?.buffers ?? []) this.#addIdle(buffer);
    }
    const idleMax = Math.max(IDLE_BYTES_MIN, this.#heldBytes * IDLE_SHARE_MAX);
    while (this.#idleBytes > idleMax) {
      const bytes = this.#idle.shift()?.byteLength ?? 0;
      this.#idleBytes -= bytes;
      this.#heldBytes -= bytes;
    }
  }

  #addIdle(buffer: SharedArrayBuffer): void {
    this.#idle.push(buffer);
    this.#idleBytes += buffer.byteLength;
  }

  #takeIdle(bytes: number): SharedArrayBuffer | undefined {
    const bytesMax = Math.max(bytes / (1 - WASTE_SHARE_MAX), bytes + GRAIN_BYTES);
    const index = this.#idle.findIndex(
      ({ byteLength }) => byteLength >= bytes && byteLength <= bytesMax,
    );
    if (index < 0) return undefined;
    const [buffer] = this.#idle.splice(index, 1);
    this.#idleBytes -= buffer?.byteLength ?? 0;
    return buffer;
  }
}
