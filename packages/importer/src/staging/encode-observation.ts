/** The fields that only observations have. */
import { type ObservedKind, observationAddress, readInstant } from '@vcds/venture-model';
import { LineError, type NoteTaker } from '../errors/line-error.ts';
import { cleanSite } from '../normalise/site.ts';
import type { ValidLine } from '../schema/line-validator.ts';

/**
 * The URL of an observed page, normalized.
 * @throws LineError for an invalid URL: it identifies the record.
 */
export function cleanPage(value: unknown, field: string, note: NoteTaker): string {
  const site = cleanSite(String(value), field, note);
  if (site === null) throw new LineError(field, `${field} is not a valid URL`);
  return site.url;
}

/** The address under which observations of a page are summarized. */
export function addressOf({ fields }: ValidLine): string {
  const kind = String(fields.Kind) as ObservedKind;
  return (
    observationAddress(
      kind,
      cleanPage(fields.Url, 'Url', () => undefined),
    ) ?? ''
  );
}

/** @throws LineError for an observation that is older than its newest post. */
export function assertPosted({ type, fields }: ValidLine, moment: string): void {
  if (type !== 'observation') return;
  const posted = typeof fields.LastPostAt === 'string' ? readInstant(fields.LastPostAt) : undefined;
  if (posted !== undefined && posted > moment) {
    throw new LineError('LastPostAt', 'LastPostAt must not be after occurredAt');
  }
}
