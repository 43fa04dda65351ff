import { createByteCodec } from '../serve/request/authenticated-bytes.ts';

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
const AT = { version: 0, order: 1, detectedAt: 2, position: 10 } as const;
const BYTES = 18;

/**
 * @param secrets the first encodes, all of them decode, so that one can be replaced.
 * @param feed a cursor of another feed is invalid.
 */
export function createCursorCodec(secrets: readonly string[], feed = 'vcds signals cursor') {
  const codec = createByteCodec(secrets, feed, BYTES);
  return {
    /** The position as an opaque text of 46 characters. */
    encode({ detectedAtUs, position }: FeedPosition, order: FeedOrder): string {
      const bytes = Buffer.alloc(BYTES);
      bytes.writeUInt8(VERSION, AT.version);
      bytes.writeUInt8(ORDERS.indexOf(order), AT.order);
      bytes.writeBigInt64BE(detectedAtUs, AT.detectedAt);
      bytes.writeBigInt64BE(position, AT.position);
      return codec.encode(bytes);
    },
    /** Undefined for every text that these secrets did not authenticate. */
    decode(cursor: string): (FeedPosition & { readonly order: FeedOrder }) | undefined {
      const bytes = codec.decode(cursor);
      const order = ORDERS[bytes?.readUInt8(AT.order) ?? -1];
      if (bytes?.readUInt8(AT.version) !== VERSION || order === undefined) return undefined;
      return {
        order,
        detectedAtUs: bytes.readBigInt64BE(AT.detectedAt),
        position: bytes.readBigInt64BE(AT.position),
      };
    },
  };
}
