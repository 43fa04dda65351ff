import { createHash } from 'node:crypto';

const namespace = Buffer.from('5a2c9d1e7b645f089c3d2e41f6a0b8d7', 'hex');

/** A change of one record, as its writer describes it. */
export interface WrittenChange {
  readonly type: string;
  readonly subject: string;
  readonly object: string | null;
  readonly revision: number;
}

/** The expected id of its signal, computed without the database: a UUIDv5 (RFC 9562 §5.5). */
export function signalId({ type, subject, object, revision }: WrittenChange): string {
  const hash = createHash('sha1').update(namespace);
  const bytes = hash.update(`${type}/${subject}/${object ?? '-'}/${revision}`).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20)].join('-');
}

/** The record of a change or a signal. */
export function recordOf(change: Pick<WrittenChange, 'type' | 'subject' | 'object'>): string {
  const [kind] = change.type.split('.');
  return `${kind} ${kind === 'round' ? change.object : change.subject} ${change.object ?? ''}`;
}
