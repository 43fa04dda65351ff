import { createByteCodec } from '../serve/request/authenticated-bytes.ts';

/** A position in the activity feed, which is in descending order of both; microseconds since 1970. */
export interface ActivityCursor {
  readonly occurredAtUs: bigint;
  /** Of the signal; unique. */
  readonly detectedAtUs: bigint;
  /** When the last signal was detected that the page before could have: a server must have it. */
  readonly seenUs: bigint;
}

export type ActivityCursorCodec = ReturnType<typeof createActivityCursorCodec>;

const VERSION = 3;
const AT = { version: 0, occurredAt: 1, detectedAt: 9, seen: 17 } as const;
const BYTES = 25;
/** Version 1 had days and the ids of records, later with 8 bytes more. */
const OLD_BYTES_MAX = 46;
const DAY_US = 86_400_000_000n;

/** @param secrets the first encodes, all of them decode, so that one can be replaced. */
export function createActivityCursorCodec(secrets: readonly string[]) {
  const codec = createByteCodec(secrets, 'vcds activity cursor', BYTES, OLD_BYTES_MAX);
  return {
    encode({ occurredAtUs, detectedAtUs, seenUs }: ActivityCursor): string {
      const bytes = Buffer.alloc(BYTES);
      bytes.writeUInt8(VERSION, AT.version);
      bytes.writeBigInt64BE(occurredAtUs, AT.occurredAt);
      bytes.writeBigInt64BE(detectedAtUs, AT.detectedAt);
      bytes.writeBigInt64BE(seenUs, AT.seen);
      return codec.encode(bytes);
    },
    /** Undefined for every text that these secrets did not authenticate. */
    decode(cursor: string): ActivityCursor | undefined {
      const bytes = codec.decode(cursor);
      if (bytes === undefined) return undefined;
      const version = bytes.readUInt8(AT.version);
      // Within a day, the order was another one: all its entries follow.
      if (version === 1) {
        const end = BigInt(bytes.readInt32BE(2) + 1) * DAY_US;
        return { occurredAtUs: end, detectedAtUs: 0n, seenUs: 0n };
      }
      return {
        occurredAtUs: bytes.readBigInt64BE(AT.occurredAt),
        detectedAtUs: bytes.readBigInt64BE(AT.detectedAt),
        // Version 2 had a position of the log of one server.
        seenUs: version === VERSION ? bytes.readBigInt64BE(AT.seen) : 0n,
      };
    },
  };
}
