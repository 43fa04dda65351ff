import { ApiError } from '@vcds/service-kit/api-errors';
import type { ChangeCursorCodec, ChangePosition } from './cursor.ts';
import type { ChangesQuery } from './query.ts';

/** A page of the feed of changes (docs/spec/replica.md 23.4). */
export interface ChangesPlan extends Omit<ChangesQuery, 'cursor'> {
  /** The page starts after it. */
  readonly after: ChangePosition | undefined;
}

/** @throws ApiError `bad_cursor`. */
export function planChanges(
  { cursor, ...query }: ChangesQuery,
  cursors: ChangeCursorCodec,
): ChangesPlan {
  if (cursor === undefined) return { ...query, after: undefined };
  const after = cursors.decode(cursor);
  if (after !== undefined) return { ...query, after };
  throw new ApiError(
    'bad_cursor',
    'Invalid cursor. Send nextCursor of a page of /changes or the cursor of a snapshot unchanged, or start without a cursor.',
    { parameter: 'cursor', value: cursor },
  );
}

/** A record in an entry needs the scope of its collection. */
export function partsOfChanges({ collections, includesRecords }: ChangesPlan) {
  if (!includesRecords) return [];
  return collections.map(({ name, rate }) => ({
    scope: rate.scope,
    ...{ parameter: 'collections', value: name },
  }));
}

/** The quarters of a credit of an entry, and of the record in it. */
export const ENTRY_QUARTERS = 1;

/** The most quarters that one entry costs. */
export function entryQuartersMax({ collections, includesRecords }: ChangesPlan): number {
  if (!includesRecords) return ENTRY_QUARTERS;
  return ENTRY_QUARTERS + Math.max(...collections.map(({ rate }) => rate.perRecordQuarters));
}
