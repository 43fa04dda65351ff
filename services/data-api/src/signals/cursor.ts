import { createHmac, timingSafeEqual } from 'node:crypto';

export type FeedOrder = 'asc' | 'desc';

/** A place in the feed: behind the signal with that clock and position. */
export interface FeedPlace {
  /** Microseconds since 1970, UTC. */
  readonly detectedAtUs: bigint;
  /** From 1; 0 is before the first signal. */
  readonly position: bigint;
}

/** Before the first signal. */
export const FEED_START: FeedPlace = Object.freeze({ detectedAtUs: 0n, position: 0n });

/** Writes and reads cursors. They never expire and hold nothing that a dump would not keep. */
export interface CursorSeal {
  /** The place as an opaque text of 46 characters. */
  seal(place: FeedPlace, order: FeedOrder): string;
  /** Undefined for anything this seal did not write, down to the last bit. */
  open(cursor: string): (FeedPlace & { readonly order: FeedOrder }) | undefined;
}

const VERSION = 1;
const ORDERS: readonly FeedOrder[] = ['asc', 'desc'];
const AT = { version: 0, order: 1, detectedAt: 2, position: 10, mac: 18 } as const;
const MAC_BYTES = 16;
const BYTES = AT.mac + MAC_BYTES;

/**
 * Cursors authenticated with HMAC-SHA-256, cut to 128 bits.
 *
 * @param secrets the first seals, all of them open, so that one can be replaced.
 */
export function createCursorSeal(secrets: readonly string[]): CursorSeal {
  const [first] = secrets;
  if (first === undefined) throw new RangeError('Cursors need a secret.');
  return {
    seal({ detectedAtUs, position }, order) {
      const bytes = Buffer.alloc(BYTES);
      bytes.writeUInt8(VERSION, AT.version);
      bytes.writeUInt8(ORDERS.indexOf(order), AT.order);
      bytes.writeBigInt64BE(detectedAtUs, AT.detectedAt);
      bytes.writeBigInt64BE(position, AT.position);
      macOf(first, bytes).copy(bytes, AT.mac);
      return bytes.toString('base64url');
    },
    open(cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // The alphabet is lenient (padding, stray bits): only what we write is taken.
      if (bytes.length !== BYTES || bytes.toString('base64url') !== cursor) return undefined;
      const mac = bytes.subarray(AT.mac);
      if (!secrets.some((secret) => timingSafeEqual(macOf(secret, bytes), mac))) return undefined;
      const order = ORDERS[bytes.readUInt8(AT.order)];
      if (bytes.readUInt8(AT.version) !== VERSION || order === undefined) return undefined;
      return {
        order,
        detectedAtUs: bytes.readBigInt64BE(AT.detectedAt),
        position: bytes.readBigInt64BE(AT.position),
      };
    },
  };
}

function macOf(secret: string, bytes: Buffer): Buffer {
  const mac = createHmac('sha256', secret).update('vcds signals cursor\0');
  return mac.update(bytes.subarray(0, AT.mac)).digest().subarray(0, MAC_BYTES);
}
