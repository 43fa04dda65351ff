import type pg from 'pg';
import { CHANGE_COLLECTIONS, OPS } from '../../replica/collections.ts';
import type { TakenRows } from '../log-floor.ts';

/** The changes that were published. */
export interface PublishedChanges extends TakenRows {
  /** Entries of the feed: one for each record of the batch. */
  readonly entries: number;
}

/** The state of each record of a batch, read by its key. */
const STATES = CHANGE_COLLECTIONS.map(
  ({ code, published: { from, live } }) => `
    SELECT r.*, s.revision, coalesce(s.live, false) AS live
    FROM records r LEFT JOIN LATERAL (
      SELECT t.revision, ${live} AS live FROM ${from} OFFSET 0) s ON true
    WHERE r.collection = ${code}`,
).join(' UNION ALL ');

/**
 * Moves changes from the outbox to the end of the feed, lowest serial first, one entry for each
 * record. The operation is the state of the record in the snapshot of the statement. If two
 * transactions changed what a record derives from at the same time, each has a change in the outbox,
 * and the batch of the later one reads both.
 */
const PUBLISH_CHANGES_SQL = `
  WITH leader AS (
    SELECT FROM venture.signal_publisher WHERE term = $3
  ), next AS MATERIALIZED (
    SELECT serial, sum(cardinality(ids)) OVER (ORDER BY serial) AS records
    FROM (SELECT serial, ids FROM venture.change_outbox
      WHERE serial > $1 AND EXISTS (SELECT FROM leader) ORDER BY serial LIMIT $2) n
  ), due AS (
    SELECT coalesce(max(serial) FILTER (WHERE records <= $2), min(serial)) AS last,
      max(serial) AS seen, count(*) AS count
    FROM next
  ), taken AS (
    DELETE FROM venture.change_outbox
    WHERE serial > $1 AND serial <= (SELECT last FROM due)
    RETURNING *
  ), records AS MATERIALIZED (
    SELECT t.collection, k.id, k.other, min(t.serial) AS serial,
      CASE WHEN bool_and(t.columns IS NOT NULL) THEN array_agg(DISTINCT u.name) END AS columns,
      (array_agg(t.op ORDER BY t.serial DESC) FILTER (WHERE t.op IS NOT NULL))[1] AS op,
      (array_agg(t.into_id ORDER BY t.serial DESC) FILTER (WHERE t.op IS NOT NULL))[1] AS into_id
    FROM taken t CROSS JOIN LATERAL ROWS FROM (unnest(t.ids), unnest(t.others)) AS k(id, other)
    LEFT JOIN LATERAL unnest(t.columns) AS u(name) ON true
    GROUP BY t.collection, k.id, k.other
  ), states AS (${STATES}
  ), ops AS (
    SELECT s.*, CASE
      WHEN s.live THEN CASE s.op WHEN ${OPS.split} THEN ${OPS.split} ELSE ${OPS.upsert} END
      ELSE CASE s.op WHEN ${OPS.merge} THEN ${OPS.merge} ELSE ${OPS.delete} END END AS result,
      row_number() OVER (ORDER BY s.serial, s.collection, s.id, s.other) AS n
    FROM states s WHERE s.revision IS NOT NULL
  ), begin AS MATERIALIZED (
    SELECT greatest(clock_timestamp(), (SELECT max(detected_at) FROM venture.change)
      + interval '1 microsecond') AS detected_at
  ), published AS (
    INSERT INTO venture.change
      (detected_at, collection, op, record_id, other_id, into_id, revision, columns)
    SELECT b.detected_at + (o.n - 1) * interval '1 microsecond', o.collection, o.result, o.id,
      o.other, CASE WHEN o.result = o.op THEN o.into_id END, o.revision,
      CASE WHEN o.result = ${OPS.upsert} THEN o.columns END
    FROM ops o CROSS JOIN begin b ORDER BY o.n
    RETURNING 1
  )
  SELECT EXISTS (SELECT FROM leader) AS "isLeader",
    (SELECT count(*)::int FROM published) AS entries,
    (SELECT CASE WHEN last < seen THEN $2 ELSE count END::int FROM due) AS count,
    (SELECT last::text FROM due) AS "lastSerial",
    pg_snapshot_xmin(pg_current_snapshot())::text AS xmin`;

/**
 * Publishes the next changes of records in one statement, as {@link publishBatch} publishes signals.
 *
 * @param batchMax the most records, unless the first row of the outbox has more.
 * @throws Error if a later term has begun; then it publishes nothing.
 */
export async function publishChanges(
  client: pg.ClientBase,
  term: bigint,
  after: bigint,
  batchMax: number,
): Promise<PublishedChanges> {
  const { rows } = await client.query<{
    isLeader: boolean;
    entries: number;
    count: number;
    lastSerial: string | null;
    xmin: string;
  }>({
    name: 'publish changes',
    text: PUBLISH_CHANGES_SQL,
    values: [String(after), batchMax, String(term)],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('The batch statement returned no row.');
  const { isLeader, entries, count, lastSerial, xmin } = row;
  if (!isLeader) throw new Error('Another process is the leader of the signal publishers.');
  const last = lastSerial === null ? null : BigInt(lastSerial);
  return { entries, count, last, xmin: BigInt(xmin) };
}

/**
 * Adds the next records that existed before the feed to the outbox.
 *
 * @returns false when all are in the feed.
 */
export async function backfillChanges(client: pg.ClientBase, recordsMax: number): Promise<boolean> {
  const { rows } = await client.query<{ more: boolean }>(
    'SELECT venture.backfill_changes($1) AS more',
    [recordsMax],
  );
  return rows[0]?.more === true;
}
