import { type Column, type JsonObject, members, nested, type Table } from '../tables/csv.ts';
import type { SignalsPlan } from './plan.ts';
import type { SignalExpand } from './query.ts';
import { type FeedRow, subjectTypeOf } from './scan.ts';
import { signalTypeCoded } from './signal-types.ts';
import { instantOf } from './timestamps.ts';

/** A signal as the statements return it. */
export interface SignalRow extends FeedRow {
  readonly position: string;
  readonly objectId: string | null;
  readonly amount: number | null;
  readonly label: string | null;
  readonly subjectName?: string | null;
  readonly subjectDomain?: string | null;
  readonly objectName?: string | null;
}

/**
 * A page of signals as a table. The header `X-Next-Cursor` has the cursor, also at the end of the feed.
 *
 * @param expands whose names are returned.
 */
export function signalsTable({ expands }: Pick<SignalsPlan, 'expands'>): Table {
  const columnsOf = (name: SignalExpand, ...added: readonly string[]): readonly Column[] =>
    nested(name, members('type', 'id', ...(expands.includes(name) ? added : [])));
  return {
    columns: [
      ...members('id', 'type', 'detectedAt', 'occurredAt'),
      ...columnsOf('subject', 'name', 'domain'),
      ...columnsOf('object', 'name'),
      ...members('amount', 'label'),
    ],
    rows: ({ signals }) => signals as readonly JsonObject[],
    headers: ({ nextCursor }) => ({ 'X-Next-Cursor': String(nextCursor) }),
  };
}

/** The dictionary of types as a table. */
export const SIGNAL_TYPES_TABLE: Table = {
  columns: members('type', 'subjects', 'object', 'carriesAmount', 'description'),
  rows: ({ types }) => types as readonly JsonObject[],
};

/** A signal as JSON. An undisclosed amount is null. */
export function signalJson(row: SignalRow): object {
  const type = signalTypeCoded(row.type);
  return {
    id: row.id,
    type: type.name,
    detectedAt: instantOf(row.detectedAt, 6),
    occurredAt: instantOf(row.occurredAt, 3),
    subject: {
      type: subjectTypeOf(row.subjectType),
      id: row.subjectId,
      ...(row.subjectName === undefined
        ? {}
        : { name: row.subjectName, domain: row.subjectDomain ?? null }),
    },
    ...(type.object === null
      ? {}
      : {
          object: {
            type: type.object,
            id: row.objectId,
            ...(row.objectName === undefined ? {} : { name: row.objectName }),
          },
        }),
    ...(type.carriesAmount ? { amount: row.amount } : {}),
    ...(type.carriesLabel ? { label: row.label } : {}),
  };
}
