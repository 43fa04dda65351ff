import { LineError, type NoteTaker } from '../errors/line-error.ts';
import type { Address } from '../records/kinds.ts';
import { cleanCountry, cleanSpelling, cleanText, SPELLING_MAX } from './text.ts';

/** The parts of an address in the order they are kept, and whose spellings are settled. */
export const addressParts = [
  ['Street', undefined],
  ['PostalCode', undefined],
  ['City', 'city'],
  ['Region', 'region'],
  ['Country', 'country'],
] as const;

const PART_MAX = 500;

/** An address without its empty parts; null if all are empty. */
export function cleanAddress(address: Address, field: string, note: NoteTaker): Address | null {
  const kept: Record<string, string> = {};
  for (const [part, term] of addressParts) {
    const value = address[part];
    if (value === null || value === undefined) continue;
    const clean =
      term === undefined ? cleanText : term === 'country' ? cleanCountry : cleanSpelling;
    const text = clean(value, `${field}.${part}`, note);
    if (text === null) continue;
    const max = term === undefined ? PART_MAX : SPELLING_MAX;
    if ([...text].length > max) {
      throw new LineError(field, `${field}.${part} is longer than ${max} characters`);
    }
    kept[part] = text;
  }
  return Object.keys(kept).length === 0 ? null : kept;
}
