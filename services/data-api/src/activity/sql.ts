/** The statement that reads one batch of the activity feed: of the signals with a market date. */
import { LOG_POSITION } from '../postgres/log-position.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { SignalKeys } from '../signals/scan.ts';
import { type Residual, timestampOf, usOf } from '../signals/scan-sql.ts';
import { ENTRY_FACTS, IS_ENTRY } from './facts.ts';
import type { ActivityPosition } from './position.ts';
import type { ActivityFacts } from './titles.ts';

/** One batch: the next signals of each type in the order of the feed. */
export interface ActivityBatch {
  /** The codes of the types. */
  readonly types: readonly number[];
  /** Only signals with these subjects or objects. */
  readonly keys: SignalKeys | undefined;
  /** From the first, inclusive, to the second, exclusive; microseconds since 1970. */
  readonly fromUs: bigint | undefined;
  readonly toUs: bigint | undefined;
  /** The batch starts after it. */
  readonly after: ActivityPosition | undefined;
  /** Candidates to read of each type; rounded up to a power of two. */
  readonly size: number;
  /** Entries to skip, and the most to return. */
  readonly skip: number;
  readonly limit: number;
}

/** A position as the statement returns it: microseconds since 1970 in digits. */
export interface ActivityPositionRow {
  readonly occurred: string;
  readonly detected: string;
}

/** An entry as the statement returns it. */
export interface ActivityRow extends ActivityPositionRow {
  readonly type: number;
  readonly id: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly subjectType: number;
  readonly subjectId: string;
  readonly facts: ActivityFacts;
}

export interface ActivityBatchRow {
  /** Entries found, with those skipped. */
  readonly hits: number;
  readonly rows: readonly ActivityRow[];
  /** Every type was read up to here; null at the end of the range. */
  readonly watermark: ActivityPositionRow | null;
  /** The position of the write-ahead log that the server had reached, in digits. */
  readonly seen: string;
}

const SIZE_MIN = 32;
const ORDER = 'occurred_at DESC, detected_at DESC';
/** The columns of the index of the feed. */
const KEY = 's.type::integer, s.occurred_at, s.detected_at';
const POSITION = `'occurred', ${usOf('occurred_at')}, 'detected', ${usOf('detected_at')}`;

/**
 * Reads the next candidates of each type by the index of their order, or all those of some subjects
 * and objects; returns one {@link ActivityBatchRow}. The number of candidates is part of the text,
 * so that a generic plan reads the index.
 */
export function compileActivityBatch(batch: ActivityBatch, residual: Residual): Statement {
  const values = new SqlValues();
  const size = 2 ** Math.ceil(Math.log2(Math.max(batch.size, SIZE_MIN)));
  const [skip, limit] = [values.add(batch.skip, 'bigint'), values.add(batch.limit, 'bigint')];
  const text = `
    WITH candidate AS MATERIALIZED (
      SELECT *, row_number() OVER (ORDER BY ${ORDER}) AS n FROM (${candidates(batch, size, values)}) u
    ), watermark AS MATERIALIZED (
      SELECT min(last) AS n FROM (
        SELECT max(n) AS last FROM candidate GROUP BY type HAVING count(*) >= ${size}) t
    ), hit AS MATERIALIZED (
      SELECT e.*, c.n FROM (SELECT * FROM candidate ORDER BY n OFFSET 0) c
      CROSS JOIN LATERAL (
        SELECT * FROM venture.signal s WHERE s.detected_at = c.detected_at LIMIT 1) e
      WHERE c.n <= coalesce((SELECT w.n FROM watermark w), c.n)
        AND ${residual('e', values)} AND ${IS_ENTRY}
      ORDER BY c.n LIMIT ${skip} + ${limit}
    ), page AS MATERIALIZED (
      SELECT * FROM hit ORDER BY n OFFSET ${skip}
    )
    SELECT (SELECT count(*)::int FROM hit) AS hits,
      (SELECT coalesce(json_agg(json_build_object(${POSITION}, 'id', id, 'type', type,
          'date', to_char(occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD'),
          'subjectType', subject_type, 'subjectId', subject_id, 'facts', ${ENTRY_FACTS})
        ORDER BY n), '[]') FROM page e) AS rows,
      (SELECT json_build_object(${POSITION}) FROM candidate c, watermark w WHERE c.n = w.n)
        AS watermark, ${LOG_POSITION} AS seen`;
  return { text, values: values.values, plan: batch.keys === undefined ? 'generic' : 'custom' };
}

function candidates(batch: ActivityBatch, size: number, values: SqlValues): string {
  const { keys, after, fromUs, toUs } = batch;
  const types = values.add(batch.types, 'smallint[]');
  const from = timestampOf(fromUs, '-infinity', values);
  // The end of the range is exclusive; after a position, the rest of its instant follows.
  const isLater = after !== undefined && (toUs === undefined || after.occurredAtUs < toUs);
  const to = timestampOf(isLater ? after.occurredAtUs : toUs, 'infinity', values);
  const toDetected = timestampOf(isLater ? after.detectedAtUs : undefined, '-infinity', values);
  if (keys === undefined) {
    return `SELECT s.* FROM unnest(${types}) AS p(type) CROSS JOIN LATERAL (
      SELECT s.type, s.occurred_at, s.detected_at FROM venture.signal s
      WHERE s.dated AND (${KEY}) >= (p.type::integer, ${from}, '-infinity')
        AND (${KEY}) < (p.type::integer, ${to}, ${toDetected})
      ORDER BY s.type::integer DESC, s.occurred_at DESC, s.detected_at DESC LIMIT ${size}) s`;
  }
  const within = `s.dated AND s.type = ANY (${types}) AND s.occurred_at >= ${from}
    AND (s.occurred_at, s.detected_at) < (${to}, ${toDetected})`;
  // OFFSET 0 makes the planner look up the records one by one, by index.
  const of = (column: string, ids: readonly string[]) =>
    `SELECT s.* FROM unnest(${values.add(ids, 'uuid[]')}) AS p(id) CROSS JOIN LATERAL (
      SELECT s.type, s.occurred_at, s.detected_at FROM venture.signal s
      WHERE s.${column} = p.id AND ${within} OFFSET 0) s`;
  const found = `${of('subject_id', keys.subjects)} UNION ${of('object_id', keys.objects)}`;
  return `SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY type ORDER BY ${ORDER}) AS rank
    FROM (${found}) f) f WHERE rank <= ${size}`;
}
