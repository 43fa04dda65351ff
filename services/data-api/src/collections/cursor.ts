import { hash } from 'node:crypto';
import { createByteCodec } from '../serve/request/authenticated-bytes.ts';

/** The value of one key of an order at a position: the text that PostgreSQL writes for it, or null. */
export type KeyValue = string | null;

/** A position in the order of a collection: directly after a record. */
export interface PagePosition {
  /** One value per key of the order; the last one is the tie-break of the record. */
  readonly keys: readonly KeyValue[];
  /** A position of the write-ahead log: a server that has not reached it may lack records. */
  readonly seen: bigint;
}

/** Encodes and decodes the cursors of collections. They never expire. */
export type PageCursorCodec = ReturnType<typeof createPageCursorCodec>;

const VERSION = 2;
const AT = { version: 0, query: 1, seen: 13, keys: 21 } as const;
/** The longest keys are a field and a source of 700 characters, or a name of 500: 4 bytes each. */
const KEYS_BYTES_MAX = 4_096;

/** The most characters of a cursor. */
export const CURSOR_LENGTH_MAX = 6_000;

/** @param secrets the first encodes, all of them decode, so that one can be replaced. */
export function createPageCursorCodec(secrets: readonly string[]) {
  const codec = createByteCodec(
    secrets,
    'vcds collection cursor',
    AT.keys,
    AT.keys + KEYS_BYTES_MAX,
  );
  return {
    /** @param query identifies the records and their order; the cursor is valid for no other one. */
    encode({ keys, seen }: PagePosition, query: string): string {
      const head = Buffer.alloc(AT.keys);
      head.writeUInt8(VERSION, AT.version);
      digestOf(query).copy(head, AT.query);
      head.writeBigInt64BE(seen, AT.seen);
      return codec.encode(Buffer.concat([head, Buffer.from(JSON.stringify(keys))]));
    },
    /**
     * The position; `invalid` for a text that these secrets did not authenticate, `other` for the
     * cursor of another query.
     */
    decode(cursor: string, query: string): PagePosition | 'invalid' | 'other' {
      const bytes = codec.decode(cursor);
      if (bytes?.readUInt8(AT.version) !== VERSION) return 'invalid';
      if (!bytes.subarray(AT.query, AT.seen).equals(digestOf(query))) return 'other';
      return {
        keys: JSON.parse(bytes.toString('utf8', AT.keys)),
        seen: bytes.readBigInt64BE(AT.seen),
      };
    },
  };
}

function digestOf(query: string): Buffer {
  return Buffer.from(hash('sha256', query, 'hex').slice(0, 2 * (AT.seen - AT.query)), 'hex');
}
