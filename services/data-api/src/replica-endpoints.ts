/** The rows of endpoints for a copy of the data (docs/spec/replica.md). */
import { entryQuartersMax, partsOfChanges, planChanges } from './changes/plan.ts';
import { CHANGES_CURSOR, CHANGES_PARAMETERS, parseChangesQuery } from './changes/query.ts';
import { readChanges } from './changes/read-changes.ts';
import { changesTable } from './changes/table.ts';
import { type Endpoint, endpoint } from './serve/endpoint.ts';
import { listSnapshots, SNAPSHOTS_TABLE } from './snapshots/read-snapshots.ts';

export const REPLICA_ENDPOINTS: readonly Endpoint[] = [
  endpoint(
    '/changes',
    {
      ...{ id: 'listChanges', tag: 'replica', summary: 'The changes of records' },
      description:
        'Every change of a record once, in the order of `detectedAt`: added, changed, deleted and restored ones. To keep a copy, load a snapshot and follow from its `cursor`: store `nextCursor`, and send it as `cursor` with the next call.',
      example: '?collections=startups,fundingrounds&limit=2',
      body: 'ChangePage',
      errors: ['cursor_lost'],
    },
    {
      accepts: CHANGES_PARAMETERS,
      cursor: CHANGES_CURSOR,
      table: changesTable,
      parse: ({ reader, today }) => parseChangesQuery(reader, today),
      plan: (query, { cursors }) => planChanges(query, cursors.changes),
      price: (plan) => ({
        ceilingRecords: plan.limit * entryQuartersMax(plan),
        unitsPerItem: entryQuartersMax(plan),
      }),
      parts: partsOfChanges,
      read: readChanges,
    },
  ),
  endpoint(
    '/snapshots',
    {
      ...{ id: 'listSnapshots', tag: 'replica', summary: 'The snapshots' },
      description:
        'The files with all records of each of the last seven nights, newest first, with their digests, and the `cursor` from which `/changes` continues.',
      body: 'SnapshotList',
    },
    {
      accepts: [],
      table: () => SNAPSHOTS_TABLE,
      parse: () => undefined,
      plan: () => undefined,
      run: (_, sources) => listSnapshots(sources),
    },
  ),
  endpoint(
    '/snapshots/:snapshot/:file',
    {
      ...{ id: 'getSnapshotFile', tag: 'replica', summary: 'A file of a snapshot' },
      description:
        'Parquet, or JSON lines with gzip. Supports `Range` and `If-None-Match`; follow redirects, because another store may have the file.',
      example: '?quote=true',
      media: ['application/vnd.apache.parquet', 'application/gzip'],
      errors: ['not_found', 'bad_range'],
    },
    {
      accepts: [],
      parse: ({ path: { snapshot = '', file = '' } }) => ({ snapshot, file }),
      plan: (query) => query,
      run: ({ snapshot, file }, { snapshots }) => snapshots.find(snapshot, file),
    },
  ),
];
