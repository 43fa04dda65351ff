import type pg from 'pg';
import type { TakenRows } from '../log-floor.ts';

/** Signals of one type with about the same delay. */
export interface PublishedShare {
  readonly type: string;
  readonly count: number;
  /** The mean time from the write to the publication; includes the rest of its transaction. */
  readonly delaySeconds: number;
}

/** The published changes, and their signals. */
export interface PublishedBatch extends TakenRows {
  readonly shares: readonly PublishedShare[];
}

/** Permanent: the id of every signal is derived from it. */
export const SIGNAL_NAMESPACE = '5a2c9d1e-7b64-5f08-9c3d-2e41f6a0b8d7';

/** Types of signals about an object with a date of its own, and its table. */
const DATED_OBJECTS = [
  { codes: [1, 2, 3], table: 'funding_round' },
  { codes: [4], table: 'post_valuation' },
  { codes: [12], table: 'news' },
] as const;
const DATED_CODES = DATED_OBJECTS.flatMap(({ codes }) => codes);

/**
 * The date of the object of a change `t` (docs/spec/signals.md 9.6) when the change is published:
 * the writer may have read an earlier one.
 */
const OBJECT_DAY = `CASE ${DATED_OBJECTS.map(
  ({ codes, table }) =>
    `WHEN t.type IN (${codes.join()}) THEN (SELECT r.date FROM venture.${table} r WHERE r.id = t.object_id)`,
).join(' ')} WHEN t.type = 0 THEN coalesce(${DATED_OBJECTS.map(
  ({ table }) => `(SELECT r.date FROM venture.${table} r WHERE r.id = t.object_id)`,
).join(', ')}) END`;

/**
 * Moves changes from the outbox to the end of the feed, lowest serial first. Visible changes are
 * committed, and the serials of a record increase in the order of its commits, so later batches
 * only find later changes.
 */
const PUBLISH_BATCH_SQL = `
  WITH leader AS (
    SELECT FROM venture.signal_publisher WHERE term = $3
  ), due AS (
    SELECT max(serial) AS last FROM (
      SELECT serial FROM venture.signal_outbox
      WHERE serial > $1 AND EXISTS (SELECT FROM leader) ORDER BY serial LIMIT $2) d
  ), taken AS (
    DELETE FROM venture.signal_outbox
    WHERE serial > $1 AND serial <= (SELECT last FROM due)
    RETURNING *
  ), begin AS MATERIALIZED (
    SELECT coalesce(l.position, 0) AS position, clock_timestamp() AS now,
      greatest(clock_timestamp(), l.detected_at + interval '1 microsecond') AS detected_at
    FROM (VALUES (1)) one LEFT JOIN (
      SELECT position, detected_at FROM venture.signal ORDER BY detected_at DESC LIMIT 1) l ON true
  ), moved AS MATERIALIZED (
    SELECT DISTINCT ON (object_id) object_id, ${OBJECT_DAY} AS day,
      CASE WHEN dated THEN occurred_at END AS given
    FROM taken t WHERE type = 0 ORDER BY object_id, serial DESC
  ), published AS (
    INSERT INTO venture.signal (detected_at, position, id, type, subject_type, subject_id,
      object_id, occurred_at, dated, amount, label)
    SELECT b.detected_at + (t.n - 1) * interval '1 microsecond', b.position + t.n,
      venture.uuid_generate_v5('${SIGNAL_NAMESPACE}', concat_ws('/', s.name, t.subject_id,
        coalesce(t.object_id::text, '-'), t.revision)),
      t.type, t.subject_type, t.subject_id, t.object_id,
      coalesce(venture.day_begins(t.day), CASE WHEN m.object_id IS NULL THEN t.occurred_at
        ELSE m.given END, t.written_at),
      t.day IS NOT NULL OR CASE WHEN m.object_id IS NULL THEN t.dated ELSE m.given IS NOT NULL END,
      t.amount, t.label
    FROM (SELECT *, ${OBJECT_DAY} AS day, row_number() OVER (ORDER BY serial) AS n
      FROM taken t WHERE type <> 0) t
    JOIN venture.signal_type s ON s.code = t.type
    LEFT JOIN moved m ON m.object_id = t.object_id AND t.type IN (${DATED_CODES.join()})
    CROSS JOIN begin b
    ORDER BY t.n
  ), dated AS (
    UPDATE venture.signal s SET dated = num_nonnulls(m.day, m.given) > 0,
      occurred_at = coalesce(venture.day_begins(m.day), m.given, s.detected_at)
    FROM moved m WHERE s.object_id = m.object_id AND s.type IN (${DATED_CODES.join()})
  ), shares AS (
    SELECT s.name AS type, count(*)::int AS count,
      greatest(0, avg(extract(epoch FROM b.now - t.written_at)::float8)) AS "delaySeconds"
    FROM taken t JOIN venture.signal_type s ON s.code = t.type CROSS JOIN begin b
    GROUP BY s.name, width_bucket(extract(epoch FROM b.now - t.written_at)::float8, 0, 10, 100)
  )
  SELECT EXISTS (SELECT FROM leader) AS "isLeader",
    (SELECT count(*)::int FROM taken) AS count, (SELECT last::text FROM due) AS "lastSerial",
    pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
    coalesce((SELECT json_agg(s) FROM shares s), '[]') AS shares`;

/** Begins a term, which ends all earlier ones. The session must hold the publishers' lock. */
export async function beginTerm(client: pg.ClientBase): Promise<bigint> {
  const { rows } = await client.query<{ term: string }>(
    'UPDATE venture.signal_publisher SET term = term + 1 RETURNING term::text AS term',
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The row of the signal publisher is missing.');
  return BigInt(row.term);
}

/**
 * Publishes the next changes in one statement, and so in one transaction.
 *
 * @param client the session that holds the publishers' lock; the lock must be older than the call.
 * @param term the term that began when the lock was taken.
 * @param after changes up to this serial are known to be published.
 * @param batchMax the most changes to publish.
 * @throws Error if a later term has begun; then it publishes nothing.
 */
export async function publishBatch(
  client: pg.ClientBase,
  term: bigint,
  after: bigint,
  batchMax: number,
): Promise<PublishedBatch> {
  const { rows } = await client.query<{
    isLeader: boolean;
    count: number;
    lastSerial: string | null;
    xmin: string;
    shares: readonly PublishedShare[];
  }>({
    name: 'publish signals',
    text: PUBLISH_BATCH_SQL,
    values: [String(after), batchMax, String(term)],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('The batch statement returned no row.');
  const { isLeader, count, lastSerial, xmin, shares } = row;
  if (!isLeader) throw new Error('Another process is the leader of the signal publishers.');
  return {
    count,
    last: lastSerial === null ? null : BigInt(lastSerial),
    xmin: BigInt(xmin),
    shares,
  };
}
