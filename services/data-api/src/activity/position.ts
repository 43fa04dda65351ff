import { createPageCursorCodec, type PageCursorCodec } from '../collections/cursor.ts';
import { createByteCodec } from '../request/authenticated-bytes.ts';
import { type CursorCodec, createCursorCodec } from '../signals/cursor.ts';

/**
 * The position of an entry: entries are in descending order of the day, then in ascending order of
 * the type, then in descending order of the keys.
 */
export interface ActivityPosition {
  /** Days since 1970-01-01. */
  readonly day: number;
  /** The code of the type. */
  readonly type: number;
  /** The id of the record, or the two ids of a pair; {@link NIL} in place of a second id. */
  readonly keys: readonly [string, string];
}

/** The lowest key. */
export const NIL = '00000000-0000-0000-0000-000000000000';

const VERSION = 1;
const AT = { version: 0, type: 1, day: 2, keys: [6, 22], seen: 38 } as const;
const BYTES = 46;
const KEY_BYTES = 16;

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

function createActivityCursorCodec(secrets: readonly string[]) {
  const codec = createByteCodec(secrets, 'vcds activity cursor', BYTES);
  return {
    encode({ day, type, keys, seen }: ActivityCursor): string {
      const bytes = Buffer.alloc(BYTES);
      bytes.writeUInt8(VERSION, AT.version);
      bytes.writeUInt8(type, AT.type);
      bytes.writeInt32BE(day, AT.day);
      for (const [index, key] of keys.entries()) {
        bytes.write(key.replaceAll('-', ''), AT.keys[index] ?? 0, 'hex');
      }
      bytes.writeBigInt64BE(seen, AT.seen);
      return codec.encode(bytes);
    },
    /** Undefined for every text that these secrets did not authenticate. */
    decode(cursor: string): ActivityCursor | undefined {
      const bytes = codec.decode(cursor);
      if (bytes?.readUInt8(AT.version) !== VERSION) return undefined;
      const [first, second] = AT.keys;
      return {
        day: bytes.readInt32BE(AT.day),
        type: bytes.readUInt8(AT.type),
        keys: [uuidAt(bytes, first), uuidAt(bytes, second)],
        seen: bytes.readBigInt64BE(AT.seen),
      };
    },
  };
}

function uuidAt(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + KEY_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
