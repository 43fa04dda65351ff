import type { ImportLine } from '@vcds/importer';
import { dateOf } from './days.ts';
import { type Company, refTo, type Stamp } from './profile.ts';

type Seen = readonly [
  /** The first observation of a page is an upsert. */
  op: 'upsert' | 'patch',
  kind: 'site' | 'social',
  state: 'alive' | 'parked' | 'dead',
  /** The age of the newest post; without it the page shows none. */
  quietDays?: number,
];

/** An observation of the site of a company, or of its account in an invented network. */
export function observationLine(
  { kind, index, label }: Company,
  { day, stamp }: { readonly day: number; readonly stamp: Stamp },
  [op, Kind, State, quietDays]: Seen,
): ImportLine {
  return {
    ...{ op, type: 'observation', ...stamp },
    Company: { type: kind, ...refTo(kind, index) },
    Kind,
    Url: Kind === 'site' ? `https://${label}.example/` : `https://posts.example/${label}`,
    State,
    LastPostAt: quietDays === undefined ? null : dateOf(day - quietDays),
  };
}
