import { type JsonObject, members, nested, type Table } from '../tables/csv.ts';
import type { ChangesPlan } from './plan.ts';

/**
 * A page of changes as a table. The header `X-Next-Cursor` has the cursor, also at the end of the feed. The record of
 * one collection has a column for each field; those of several ones are JSON in a cell.
 */
export function changesTable({ collections, includesRecords }: ChangesPlan): Table {
  const [only, ...others] = collections;
  const fields = others.length > 0 ? [] : (only?.fields ?? []);
  const recordColumns = fields.flatMap(({ name, members: inside }) =>
    inside === undefined ? members(name) : nested(name, members(...inside.map((m) => m.name))),
  );
  const record = recordColumns.length > 0 ? nested('record', recordColumns) : members('record');
  return {
    columns: [
      ...members('id', 'collection', 'recordId', 'op', 'revision', 'detectedAt', 'fields', 'into'),
      ...(includesRecords ? record : []),
    ],
    rows: ({ changes }) => changes as readonly JsonObject[],
    headers: ({ nextCursor }) => ({ 'X-Next-Cursor': String(nextCursor) }),
  };
}
