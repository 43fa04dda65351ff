import { randomUUID } from 'node:crypto';

const TIME_DIGITS = 12;

/**
 * A new UUID of version 7 (RFC 9562, section 5.7): 48 bits of time, then 74 random bits. Rows that
 * are stored under ids of about the same time change the same pages of an index; a random id changes
 * a page of its own, which PostgreSQL writes to its log as a whole after each checkpoint.
 *
 * @param nowMs milliseconds since the epoch.
 */
export function timeOrderedId(nowMs: number = Date.now()): string {
  const time = nowMs.toString(16).padStart(TIME_DIGITS, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
