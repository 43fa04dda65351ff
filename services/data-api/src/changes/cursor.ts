import { type CursorCodec, createCursorCodec } from '../signals/cursor.ts';

/** After an entry of the feed of changes, or, before the first one that a call read, at a time. */
export interface ChangePosition {
  /** Microseconds since 1970, UTC. */
  readonly detectedAtUs: bigint;
  /** Whether an entry was detected then. A feed without it is not the one that issued the cursor. */
  readonly isEntry: boolean;
}

/** Encodes and decodes cursors. They never expire and survive dump and restore. */
export interface ChangeCursorCodec {
  /** The position as an opaque text. */
  encode(position: ChangePosition): string;
  /** Undefined for every text that these secrets did not authenticate. */
  decode(cursor: string): ChangePosition | undefined;
}

/** @param secrets the first encodes, all of them decode, so that one can be replaced. */
export function createChangeCursorCodec(secrets: readonly string[]): ChangeCursorCodec {
  const codec: CursorCodec = createCursorCodec(secrets, 'vcds changes cursor');
  return {
    encode: ({ detectedAtUs, isEntry }) =>
      codec.encode({ detectedAtUs, position: isEntry ? 1n : 0n }, 'asc'),
    decode: (cursor) => {
      const found = codec.decode(cursor);
      return found && { detectedAtUs: found.detectedAtUs, isEntry: found.position === 1n };
    },
  };
}
