/** The statement that reads one batch of the activity feed. */
import { LOG_POSITION } from '../postgres/log-position.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { Residual } from '../signals/scan-sql.ts';
import type { ActivityType } from './activity-types.ts';
import { type ActivityPosition, NIL } from './position.ts';
import { ACTIVITY_SOURCES, type ActivitySource, entryColumns } from './sources.ts';
import type { ActivityFacts } from './titles.ts';

/** One batch: the next entries of each type in the order of the feed. */
export interface ActivityBatch {
  readonly types: readonly ActivityType[];
  /** Only entries about these companies. */
  readonly subjects: readonly string[] | undefined;
  readonly fromDay: number | undefined;
  readonly toDay: number | undefined;
  /** The batch starts after it. */
  readonly after: ActivityPosition | undefined;
  /** Candidates to read of each type; rounded up to a power of two. */
  readonly size: number;
  /** Matching entries to skip, and the most to return. */
  readonly skip: number;
  readonly limit: number;
}

/** An entry as the statement returns it. */
export interface ActivityRow {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly type: number;
  readonly key1: string;
  readonly key2: string;
  readonly id: string;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly subjectType: number;
  readonly subjectId: string;
  readonly facts: ActivityFacts;
}

export interface ActivityBatchRow {
  /** Matching entries found, with those skipped. */
  readonly hits: number;
  readonly rows: readonly ActivityRow[];
  /** Every type was read up to here; null at the end of the range. */
  readonly watermark: Pick<ActivityRow, 'day' | 'type' | 'key1' | 'key2'> | null;
  /** The position of the write-ahead log that the server had reached, in digits. */
  readonly seen: string;
}

/** Permanent: the id of every entry is derived from it. */
const ACTIVITY_NAMESPACE = '0f6d3c1b-58e2-5c47-8a0f-93d17b6e24ca';
const EPOCH = "date '1970-01-01'";
/** Days of the first and last year that a date can have: 0001 and 9999. */
const DAYS = { first: -719_162, afterLast: 2_932_897 } as const;
const SIZE_MIN = 32;
const ORDER = 'day DESC, type, key1 DESC, key2 DESC';
const POSITION = `'day', day - ${EPOCH}, 'type', type, 'key1', key1, 'key2', key2`;

/**
 * Reads the next candidates of each type by the index of its order, or those about the subjects;
 * returns one {@link ActivityBatchRow}. The number of candidates is part of the text, so that a
 * generic plan reads the index.
 */
export function compileActivityBatch(batch: ActivityBatch, residual: Residual): Statement {
  const values = new SqlValues();
  const size = 2 ** Math.ceil(Math.log2(Math.max(batch.size, SIZE_MIN)));
  const ids = batch.subjects && values.add(batch.subjects, 'uuid[]');
  const candidates = batch.types.map((type) => candidatesOf(type, batch, ids, size, values));
  const skip = values.add(batch.skip, 'bigint');
  const limit = values.add(batch.limit, 'bigint');
  const text = `
    WITH candidate AS MATERIALIZED (
      SELECT *, row_number() OVER (ORDER BY ${ORDER}) AS n
      FROM (${candidates.join(' UNION ALL ')}) u
    ), watermark AS MATERIALIZED (
      SELECT min(last) AS n FROM (
        SELECT max(n) AS last FROM candidate GROUP BY type HAVING count(*) >= ${size}) t
    ), hit AS MATERIALIZED (
      SELECT e.* FROM candidate e, watermark w
      WHERE (w.n IS NULL OR e.n <= w.n) AND ${liveOf(batch.types)} AND ${residual('e', values)}
      ORDER BY e.n LIMIT ${skip} + ${limit}
    ), page AS MATERIALIZED (
      SELECT * FROM hit ORDER BY n OFFSET ${skip}
    )
    SELECT (SELECT count(*)::int FROM hit) AS hits,
      (SELECT coalesce(json_agg(json_build_object(${POSITION}, 'id', ${idOf(batch.types)},
          'date', to_char(day, 'YYYY-MM-DD'), 'subjectType', subject_type,
          'subjectId', subject_id, 'facts', ${factsOf(batch.types)}) ORDER BY n), '[]')
        FROM page e) AS rows,
      (SELECT json_build_object(${POSITION}) FROM candidate c, watermark w WHERE c.n = w.n)
        AS watermark, ${LOG_POSITION} AS seen`;
  return { text, values: values.values, plan: batch.subjects === undefined ? 'generic' : 'custom' };
}

function candidatesOf(
  type: ActivityType,
  batch: ActivityBatch,
  ids: string | undefined,
  size: number,
  values: SqlValues,
): string {
  const source = ACTIVITY_SOURCES[type.name];
  const columns = entryColumns(source, type.code);
  const where = `${source.listed} AND ${withinRange(source, type.code, batch, values)}`;
  const order = [source.day, ...source.keys].map((column) => `${column} DESC`).join(', ');
  if (ids === undefined) {
    const { from } = source;
    return `(SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${size})`;
  }
  // OFFSET 0 makes the planner look up the companies one by one, by index.
  const found = source.ofCompany.map(
    ({ from, on }) => `SELECT f.* FROM unnest(${ids}) AS i(id) CROSS JOIN LATERAL (
      SELECT ${columns} FROM ${from} WHERE ${on('i.id')} AND ${where} OFFSET 0) f`,
  );
  return `(SELECT * FROM (${found.join(' UNION ')}) f ORDER BY ${ORDER} LIMIT ${size})`;
}

/** The part of the order that an index finds: after the position and within the days. */
function withinRange(
  { day, keys }: ActivitySource,
  code: number,
  { after, fromDay, toDay }: ActivityBatch,
  values: SqlValues,
): string {
  const nils = keys.map(() => NIL);
  let bound = { day: toDay ?? DAYS.afterLast, keys: nils };
  if (after !== undefined && after.day < bound.day) {
    // Entries of a day are in the order of their types.
    if (code < after.type) bound = { day: after.day, keys: nils };
    else if (code > after.type) bound = { day: after.day + 1, keys: nils };
    else bound = { day: after.day, keys: after.keys.slice(0, keys.length) };
  }
  const dayOf = (days: number) => `${EPOCH} + ${values.add(days, 'int')}`;
  const position = [dayOf(bound.day), ...bound.keys.map((key) => values.add(key, 'uuid'))];
  return `(${[day, ...keys].join(', ')}) < (${position.join(', ')})
    AND ${day} >= ${dayOf(fromDay ?? DAYS.first)}`;
}

function liveOf(types: readonly ActivityType[]): string {
  const terms = types.flatMap(({ name, code }) => {
    const { live } = ACTIVITY_SOURCES[name];
    return live === undefined ? [] : [`WHEN ${code} THEN ${live}`];
  });
  return terms.length === 0 ? 'true' : `CASE e.type ${terms.join(' ')} ELSE true END`;
}

function factsOf(types: readonly ActivityType[]): string {
  const terms = types.map(
    ({ name, code }) => `WHEN ${code} THEN (${ACTIVITY_SOURCES[name].facts})`,
  );
  return `CASE e.type ${terms.join(' ')} END`;
}

function idOf(types: readonly ActivityType[]): string {
  const names = types.map(({ name, code }) => `WHEN ${code} THEN '${name}'`);
  return `venture.uuid_generate_v5('${ACTIVITY_NAMESPACE}',
    concat_ws('/', CASE e.type ${names.join(' ')} END, key1, nullif(key2, '${NIL}')))`;
}
