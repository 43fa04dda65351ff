import { hash } from 'node:crypto';
import type { RecordType } from './kinds.ts';

/** Permanent: every record Id depends on it. */
const NAMESPACE = Buffer.from('6f1d1f0e6a4c5d0b9f3a52c8e07b4d11', 'hex');

/**
 * The Id of a record: a UUIDv5 of (type, source, key), so that a source may use one key for records
 * of two types. The parts are joined by NUL, which no part contains. Relations are identified by
 * their pair of records, see `relationId`.
 */
export function recordId(type: RecordType, source: string, key: string): string {
  return uuidV5(`${type}\0${source}\0${key}`);
}

/** The Id of a record without a key: a UUIDv5 of its type and what identifies it, in order. */
export function relationId(type: RecordType, ...identity: readonly string[]): string {
  return uuidV5([type, ...identity].join('\0'));
}

/** RFC 9562 §5.5. */
function uuidV5(name: string): string {
  const hex = hash('sha1', Buffer.concat([NAMESPACE, Buffer.from(name, 'utf8')]), 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-` +
    `${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  );
}
