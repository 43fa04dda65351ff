/** The fields that only observations have. */
import { type ObservedKind, observationAddress, readInstant } from '@vcds/venture-model';
import { LineError, type NoteTaker } from '../errors/line-error.ts';
import { cleanSite } from '../normalise/site.ts';
import type { ValidLine } from '../schema/line-validator.ts';

/** A longer address does not fit into an entry of the primary key's index. */
const ADDRESS_BYTES_MAX = 2600;

/**
 * The URL of an observed page, normalized.
 * @throws LineError for an invalid URL: it identifies the record.
 */
export function cleanPage(value: unknown, field: string, note: NoteTaker): string {
  const site = cleanSite(String(value), field, note);
  if (site === null) throw new LineError(field, `${field} is not a valid URL`);
  return site.url;
}

/**
 * The address under which observations of a page are summarized.
 * @throws LineError if it is too long.
 */
export function addressOf({ fields }: ValidLine): string {
  const kind = String(fields.Kind) as ObservedKind;
  const page = cleanPage(fields.Url, 'Url', () => undefined);
  const address = observationAddress(kind, page) ?? '';
  if (Buffer.byteLength(address) > ADDRESS_BYTES_MAX) {
    throw new LineError('Url', 'Url must have at most 2,600 bytes of UTF-8 in host and path');
  }
  return address;
}

/** @throws LineError for an observation that is older than its newest post. */
export function assertPosted({ type, fields }: ValidLine, moment: string): void {
  if (type !== 'observation') return;
  const posted = typeof fields.LastPostAt === 'string' ? readInstant(fields.LastPostAt) : undefined;
  if (posted !== undefined && posted > moment) {
    throw new LineError('LastPostAt', 'LastPostAt must not be after occurredAt');
  }
}
