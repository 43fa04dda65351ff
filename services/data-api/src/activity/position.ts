import { createPageCursorCodec, type PageCursorCodec } from '../collections/cursor.ts';
import { createByteCodec } from '../serve/request/authenticated-bytes.ts';
import { type CursorCodec, createCursorCodec } from '../signals/cursor.ts';

/** The position of an entry: entries are in descending order of both; microseconds since 1970. */
export interface ActivityPosition {
  readonly occurredAtUs: bigint;
  /** Of the signal; unique. */
  readonly detectedAtUs: bigint;
}

/** A position, and the state of the database in which its page was read. */
export interface ActivityCursor extends ActivityPosition {
  /** A position of the write-ahead log: a server that has not reached it may lack entries. */
  readonly seen: bigint;
}

export type ActivityCursorCodec = ReturnType<typeof createActivityCursorCodec>;

/** The cursors of both feeds and of collections. */
export interface Cursors {
  readonly signals: CursorCodec;
  readonly activity: ActivityCursorCodec;
  readonly pages: PageCursorCodec;
}

/** @param secrets the first encodes, all of them decode, so that one can be replaced. */
export function createCursors(secrets: readonly string[]): Cursors {
  return {
    signals: createCursorCodec(secrets),
    activity: createActivityCursorCodec(secrets),
    pages: createPageCursorCodec(secrets),
  };
}

const VERSION = 2;
const AT = { version: 0, occurredAt: 1, detectedAt: 9, seen: 17 } as const;
const BYTES = 25;

function createActivityCursorCodec(secrets: readonly string[]) {
  const codec = createByteCodec(secrets, 'vcds activity cursor', BYTES);
  return {
    encode({ occurredAtUs, detectedAtUs, seen }: ActivityCursor): string {
      const bytes = Buffer.alloc(BYTES);
      bytes.writeUInt8(VERSION, AT.version);
      bytes.writeBigInt64BE(occurredAtUs, AT.occurredAt);
      bytes.writeBigInt64BE(detectedAtUs, AT.detectedAt);
      bytes.writeBigInt64BE(seen, AT.seen);
      return codec.encode(bytes);
    },
    /** Undefined for every text that these secrets did not authenticate. */
    decode(cursor: string): ActivityCursor | undefined {
      const bytes = codec.decode(cursor);
      if (bytes?.readUInt8(AT.version) !== VERSION) return undefined;
      return {
        occurredAtUs: bytes.readBigInt64BE(AT.occurredAt),
        detectedAtUs: bytes.readBigInt64BE(AT.detectedAt),
        seen: bytes.readBigInt64BE(AT.seen),
      };
    },
  };
}
