import { createHmac, timingSafeEqual } from 'node:crypto';

export type FeedOrder = 'asc' | 'desc';

/** A position in the feed: directly after the signal with that clock and position. */
export interface FeedPosition {
  /** Microseconds since 1970, UTC. */
  readonly detectedAtUs: bigint;
  /** From 1; 0 is before the first signal. */
  readonly position: bigint;
}

/** Before the first signal. */
export const FEED_START: FeedPosition = Object.freeze({ detectedAtUs: 0n, position: 0n });

/** Encodes and decodes cursors. They never expire and survive dump and restore. */
export type CursorCodec = ReturnType<typeof createCursorCodec>;

const VERSION = 1;
const ORDERS: readonly FeedOrder[] = ['asc', 'desc'];
const AT = { version: 0, order: 1, detectedAt: 2, position: 10, mac: 18 } as const;
const MAC_BYTES = 16;
const BYTES = AT.mac + MAC_BYTES;

/**
 * Cursors authenticated with HMAC-SHA-256, cut to 128 bits.
 *
 * @param secrets the first encodes, all of them decode, so that one can be replaced.
 */
export function createCursorCodec(secrets: readonly string[]) {
  const [first] = secrets;
  if (first === undefined) throw new RangeError('A cursor codec requires a secret.');
  return {
    /** The position as an opaque text of 46 characters. */
    encode({ detectedAtUs, position }: FeedPosition, order: FeedOrder): string {
      const bytes = Buffer.alloc(BYTES);
      bytes.writeUInt8(VERSION, AT.version);
      bytes.writeUInt8(ORDERS.indexOf(order), AT.order);
      bytes.writeBigInt64BE(detectedAtUs, AT.detectedAt);
      bytes.writeBigInt64BE(position, AT.position);
      macOf(first, bytes).copy(bytes, AT.mac);
      return bytes.toString('base64url');
    },
    /** Undefined for every text that these secrets did not authenticate, down to the last bit. */
    decode(cursor: string): (FeedPosition & { readonly order: FeedOrder }) | undefined {
      const bytes = Buffer.from(cursor, 'base64url');
      // Base64 decoding ignores padding and stray bits: accept only the canonical text.
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
