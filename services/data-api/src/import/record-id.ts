import { createHash } from 'node:crypto';
import type { RecordType } from './records/kinds.ts';

/** Fixed for ever: every Id that imports make hangs on it. */
const namespace = Buffer.from('6f1d1f0e6a4c5d0b9f3a52c8e07b4d11', 'hex');

/**
 * The Id of a record that a source knows by a key: a UUIDv5 of (type, source, key), so that a
 * source may use one key for records of two types. The parts are joined by NUL, which no part may
 * hold. Relations have no source and key of their own: see `relationId`.
 */
export function recordId(type: RecordType, source: string, key: string): string {
  return uuidV5(`${type}\0${source}\0${key}`);
}

/** What a relation is known by: its type and the Ids of the two records it ties, in order. */
export function relationId(type: RecordType, firstId: string, secondId: string): string {
  return uuidV5(`${type}\0${firstId}\0${secondId}`);
}

/** RFC 9562 §5.5. */
function uuidV5(name: string): string {
  const digest = createHash('sha1').update(namespace).update(name, 'utf8').digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
