import { ApiError } from '@vcds/service-kit/api-errors';
import type { Answer, Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import {
  CHANGE_COLLECTIONS,
  type ChangeCollection,
  collectionCoded,
  fieldsOfColumns,
  OPS,
  type Op,
  recordOf,
  rowsOf,
} from '../replica/collections.ts';
import { timestampOf } from '../signals/scan-sql.ts';
import { instantOf, microsecondsOf } from '../signals/timestamps.ts';
import type { ChangeCursorCodec, ChangePosition } from './cursor.ts';
import { type ChangesPlan, ENTRY_QUARTERS } from './plan.ts';

/** The dependencies of reading changes. */
export interface ChangesSources {
  readonly database: Database;
  readonly cursors: { readonly changes: ChangeCursorCodec };
}

/** An entry as JSON of PostgreSQL. */
interface ChangeRow {
  readonly id: string;
  readonly collection: number;
  readonly op: number;
  readonly recordId: string;
  readonly otherId: string | null;
  readonly intoId: string | null;
  readonly revision: number;
  readonly detectedAt: string;
  readonly columns: readonly string[] | null;
  /** The text of its JSON. */
  readonly record?: string | null;
}

interface PageRow {
  readonly entries: readonly ChangeRow[];
  /** Whether the feed has the entry of the cursor. */
  readonly isKnown: boolean;
  /** When the last entry of the feed was detected; null if there is none. */
  readonly newest: string | null;
}

/** Permanent: the id of every entry derives from it. */
const CHANGE_NAMESPACE = '0b8de1f6-52c4-5b1e-8a6f-97c3d2a4e510';
const OP_NAMES = new Map(Object.entries(OPS).map(([name, code]) => [code as number, name as Op]));

/**
 * Reads a page of the feed. `records` are the quarters of a credit that it costs.
 *
 * @throws ApiError `cursor_lost` if the database was restored from a backup without the entry of the
 *   cursor; `unavailable`.
 */
export async function readChanges(plan: ChangesPlan, sources: ChangesSources): Promise<Answer> {
  const { after, limit, includesRecords } = plan;
  const requiredUs = after?.isEntry === true ? after.detectedAtUs : 0n;
  const [page] = await sources.database.rows<PageRow>(
    compileChanges(plan),
    ([row]) => usOf(row?.newest ?? null) >= requiredUs,
  );
  if (page === undefined) throw new Error('The statement returned no row.');
  if (!page.isKnown) throw lostCursor();
  const shown = page.entries.slice(0, limit);
  const hasMore = page.entries.length > limit;
  const nextCursor = sources.cursors.changes.encode(reachedBy(plan, page, shown, hasMore));
  const texts = shown.map((row) => entryText(row, includesRecords));
  return {
    body: `{"changes":[${texts.join(',')}],"nextCursor":${JSON.stringify(nextCursor)},"hasMore":${hasMore}}`,
    records: shown.reduce((sum, row) => sum + quartersOf(row), 0),
    more: hasMore,
    ...(hasMore && { next: nextCursor }),
  };
}

function lostCursor(): ApiError {
  return new ApiError(
    'cursor_lost',
    'The feed does not have the change of this cursor: the database was restored from an older ' +
      'backup. Load the newest snapshot and continue with its cursor, or start without a cursor.',
    { parameter: 'cursor', see: '/snapshots' },
  );
}

/** The last entry of the page; of the last page the end of the feed, whatever the collections. */
function reachedBy(
  { after, sinceUs }: ChangesPlan,
  { newest }: PageRow,
  shown: readonly ChangeRow[],
  hasMore: boolean,
): ChangePosition {
  const last = hasMore ? shown.at(-1)?.detectedAt : newest;
  const reached = { detectedAtUs: usOf(last ?? null), isEntry: last != null };
  // A time after the end of the feed.
  const earliest = sinceUs === undefined ? undefined : { detectedAtUs: sinceUs, isEntry: false };
  const from = after ?? earliest;
  return from !== undefined && from.detectedAtUs > reached.detectedAtUs ? from : reached;
}

function usOf(detectedAt: string | null): bigint {
  return detectedAt === null ? 0n : microsecondsOf(detectedAt);
}

function quartersOf({ collection, record }: ChangeRow): number {
  if (record == null) return ENTRY_QUARTERS;
  return ENTRY_QUARTERS + collectionCoded(collection).rate.perRecordQuarters;
}

function entryText(row: ChangeRow, includesRecords: boolean): string {
  const { id, collection, recordId, otherId, intoId, columns } = row;
  const op = OP_NAMES.get(row.op);
  if (op === undefined) throw new RangeError(`Unknown operation ${row.op}.`);
  const isThere = op === 'upsert' || op === 'split';
  const text = JSON.stringify({
    id,
    collection: collectionCoded(collection).name,
    recordId: otherId === null ? recordId : `${recordId}/${otherId}`,
    op,
    revision: row.revision,
    detectedAt: instantOf(row.detectedAt, 6),
    fields: !isThere ? [] : columns && fieldsOfColumns(collection, columns),
    ...(intoId === null ? {} : { into: intoId }),
  });
  return includesRecords ? `${text.slice(0, -1)},"record":${row.record ?? 'null'}}` : text;
}

function compileChanges({ collections, after, sinceUs, limit, includesRecords }: ChangesPlan) {
  const values = new SqlValues();
  const afterUs = after?.detectedAtUs;
  // Of both bounds the later one; entries are in whole microseconds.
  const fromUs = [afterUs === undefined ? 0n : afterUs + 1n, sinceUs ?? 0n].reduce((a, b) =>
    a > b ? a : b,
  );
  const from = timestampOf(fromUs, '-infinity', values);
  const count = limit + 1;
  const rows =
    collections.length === CHANGE_COLLECTIONS.length
      ? `SELECT * FROM venture.change WHERE detected_at >= ${from} ORDER BY detected_at LIMIT ${count}`
      : `SELECT c.* FROM unnest(${values.add(
          collections.map(({ code }) => code),
          'smallint[]',
        )}) AS k(code) CROSS JOIN LATERAL (
          SELECT * FROM venture.change WHERE collection = k.code AND detected_at >= ${from}
          ORDER BY detected_at LIMIT ${count}) c ORDER BY c.detected_at LIMIT ${count}`;
  const record = includesRecords
    ? `, CASE h.collection ${collections.map(recordSql).join(' ')} END AS record`
    : '';
  const known =
    after?.isEntry === true
      ? `EXISTS (SELECT FROM venture.change WHERE detected_at = ${timestampOf(afterUs, 'infinity', values)})`
      : 'true';
  const text = `WITH page AS MATERIALIZED (${rows})
    SELECT ${known} AS "isKnown", (SELECT to_json(max(detected_at)) FROM venture.change) AS newest,
      (SELECT coalesce(json_agg(e), '[]') FROM (
        SELECT venture.uuid_generate_v5('${CHANGE_NAMESPACE}', concat_ws('/', h.collection,
            h.record_id, h.other_id, extract(epoch FROM h.detected_at))) AS id,
          h.collection, h.op, h.record_id AS "recordId", h.other_id AS "otherId",
          h.into_id AS "intoId", h.revision, h.detected_at AS "detectedAt", h.columns${record}
        FROM page h ORDER BY h.detected_at) e) AS entries`;
  return { text, values: values.values, plan: 'generic' } as const;
}

function recordSql(collection: ChangeCollection): string {
  const [id, other] = collection.key;
  const isIt = `r.${id} = h.record_id${other === undefined ? '' : ` AND r.${other} = h.other_id`}`;
  return `WHEN ${collection.code} THEN
    (SELECT ${recordOf(collection)} FROM ${rowsOf(collection)} AND ${isIt})`;
}
