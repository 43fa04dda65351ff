/** The statements that read the feed. They page by keyset: an index finds every position. */
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { SignalExpand } from './query.ts';
import {
  type FeedRange,
  type Partitions,
  partitionCount,
  type Scan,
  type SignalKeys,
} from './scan.ts';
import { type ObjectType, SIGNAL_TYPES } from './signal-types.ts';

/** The conditions that the index does not guarantee: SQL on the row with this alias. */
export type Residual = (row: string, values: SqlValues) => string;

/** SQL of microseconds since 1970, in digits. */
export const usOf = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint::text`;
const positionOf = (row: string) =>
  `json_build_object('us', ${usOf(`${row}.detected_at`)}, 'position', ${row}.position::text)`;

/**
 * One batch of a scan; returns one `ScanRow`. Sizes are part of the text: with placeholders the
 * planner would expect a tenth of the feed, and sort it instead of reading it in order.
 */
export function compileScan(
  { partitions, ...scan }: Scan,
  residual: Residual,
  expands: readonly SignalExpand[],
): Statement {
  return partitions.by === 'feed'
    ? compileFeedScan({ ...scan, partitions }, residual, expands)
    : compilePartitionScan({ ...scan, partitions }, residual, expands);
}

// Reads no further than the last match of the page, because LIMIT keeps the order of the index.
function compileFeedScan(
  scan: Scan & { readonly partitions: Extract<Partitions, { by: 'feed' }> },
  residual: Residual,
  expands: readonly SignalExpand[],
): Statement {
  const { partitions, range, order, batchSize, limit } = scan;
  const values = new SqlValues();
  const to = timestampOf(range.toUs, 'infinity', values);
  const size = powerOfTwo(batchSize);
  const isOf = partitions.of === undefined ? 'true' : hasKey('c', partitions.of, values);
  const within = withinRange('s', range, to, values);
  const text = `
    WITH hit AS MATERIALIZED (
      SELECT c.* FROM (SELECT * FROM venture.signal s WHERE ${within}
        ORDER BY s.detected_at ${order} LIMIT ${size}) c
      WHERE ${isOf} AND ${residual('c', values)}
      ORDER BY c.detected_at ${order} LIMIT ${limit}
    ), watermark AS MATERIALIZED (
      SELECT s.detected_at AS at FROM venture.signal s
      WHERE ${within} AND (SELECT count(*) FROM hit) < ${limit}
      ORDER BY s.detected_at ${order} LIMIT 1 OFFSET ${size - 1}
    )
    ${resultOf(order, to, expands)}`;
  return { text, values: values.values, plan: 'generic' };
}

function compilePartitionScan(
  scan: Scan & { readonly partitions: Exclude<Partitions, { by: 'feed' }> },
  residual: Residual,
  expands: readonly SignalExpand[],
): Statement {
  const { partitions, range, order, batchSize, recordsMax, limit } = scan;
  const values = new SqlValues();
  const to = timestampOf(range.toUs, 'infinity', values);
  const size = powerOfTwo(batchSize);
  const [first, last, isReached, end] =
    order === 'asc' ? ['min', 'max', '<=', 'infinity'] : ['max', 'min', '>=', '-infinity'];
  const records = powerOfTwo(recordsMax);
  // Of many records, those whose first signal is not among the first ones are not read further.
  const isBounded = partitions.by === 'record' && partitionCount(partitions) > records;
  const bound = `bound AS MATERIALIZED (
      SELECT detected_at AS at FROM newest ORDER BY detected_at ${order} LIMIT 1 OFFSET ${records - 1}
    ),`;
  const isWithin = (row: string, limit: string) =>
    `${row}.detected_at ${isReached} coalesce((SELECT at FROM ${limit}), '${end}')`;
  const read = candidates(partitions, range, to, order, size, values);
  // Rows of their own; else the positions r, which have the order.
  const [ordered, rowsAt] =
    partitions.by === 'record' ? ['r', `r CROSS JOIN LATERAL (${SIGNAL_AT})`] : ['c', ''];
  const text = `
    WITH ${isBounded ? `newest AS MATERIALIZED (${read.first}), ${bound}` : ''}
    candidate AS MATERIALIZED (
      ${isBounded ? read.after(isWithin('p', 'bound')) : read.all}
    ), watermark AS MATERIALIZED (
      SELECT ${first}(last) AS at FROM (
        SELECT ${last}(detected_at) AS last FROM candidate GROUP BY partition HAVING count(*) >= ${size}
        ${isBounded ? 'UNION ALL SELECT at FROM bound' : ''}
      ) f
    ), hit AS MATERIALIZED (
      SELECT c.* FROM (
        SELECT DISTINCT ON (r.detected_at) r.* FROM candidate r
        WHERE ${isWithin('r', 'watermark')}
        ORDER BY r.detected_at ${order}
      ) ${rowsAt} c
      WHERE ${residual('c', values)}
      ORDER BY ${ordered}.detected_at ${order} LIMIT ${limit}
    )
    ${resultOf(order, to, expands)}`;
  return { text, values: values.values, plan: 'generic' };
}

function resultOf(order: string, to: string, expands: readonly SignalExpand[]): string {
  return `SELECT ${rowsOf('hit', order, expands)} AS rows,
      (SELECT ${positionOf('c')} FROM venture.signal c, watermark f WHERE c.detected_at = f.at)
        AS watermark, ${endBefore(to)} AS "end", ${NEWEST} AS newest`;
}

/** The signal of a candidate of which the index was read only. LIMIT keeps this one look-up each. */
const SIGNAL_AT = 'SELECT * FROM venture.signal s WHERE s.detected_at = r.detected_at LIMIT 1';

/** Sizes are rounded up, so that few texts of statements occur. */
function powerOfTwo(size: number): number {
  return 2 ** Math.ceil(Math.log2(size));
}

/**
 * All matching signals of the range, found by the index of one condition, if at most `max` signals
 * meet that condition; returns one `ScanRow` with `tooMany`.
 */
export function compileFallbackLookup(
  { range, order, limit }: Pick<Scan, 'range' | 'order' | 'limit'>,
  indexed: Residual,
  residual: Residual,
  expands: readonly SignalExpand[],
  max: number,
): Statement {
  const values = new SqlValues();
  const to = timestampOf(range.toUs, 'infinity', values);
  const text = `
    WITH candidate AS MATERIALIZED (
      SELECT * FROM venture.signal s WHERE ${indexed('s', values)} LIMIT ${max + 1}
    ), hit AS MATERIALIZED (
      SELECT c.* FROM candidate c
      WHERE ${withinRange('c', range, to, values)} AND ${residual('c', values)}
      ORDER BY c.detected_at ${order} LIMIT ${values.add(limit, 'bigint')}
    )
    SELECT (SELECT count(*) > ${max} FROM candidate) AS "tooMany",
      ${rowsOf('hit', order, expands)} AS rows, NULL AS watermark, ${endBefore(to)} AS "end",
      ${NEWEST} AS newest`;
  return { text, values: values.values, plan: 'custom' };
}

/** SQL of candidates, with their `partition`. */
interface Candidates {
  readonly all: string;
  /** The first one of each partition of records, with their `key`. */
  readonly first: string;
  /** Those of the partitions of `newest p` that meet a condition. */
  readonly after: (condition: string) => string;
}

// Each partition is read in the order of one index. A comparison of rows can be found by that index
// only: with separate conditions, the planner may read the whole feed in search of a rare type. Of
// records there may be thousands, so only the positions of their signals are read, without the rows.
function candidates(
  partitions: Exclude<Partitions, { by: 'feed' }>,
  range: FeedRange,
  to: string,
  order: string,
  size: number,
  values: SqlValues,
): Candidates {
  const from = timestampOf(range.fromUs, '-infinity', values);
  const lists =
    partitions.by === 'type'
      ? [['type', values.add(partitions.codes, 'smallint[]')] as const]
      : KEYS.map(([column, of]) => [column, values.add(partitions[of], 'uuid[]')] as const);
  const columns = partitions.by === 'record' ? 'detected_at' : '*';
  const signals = (column: string, rows: number) =>
    `CROSS JOIN LATERAL (SELECT ${columns} FROM venture.signal s
        WHERE (s.${column}, s.detected_at) >= (p.key, ${from})
          AND (s.${column}, s.detected_at) < (p.key, ${to})
        ORDER BY s.${column} ${order}, s.detected_at ${order} LIMIT ${rows}) s`;
  const each = (rows: number, key: string) =>
    lists.map(
      (
        [column, keys],
        list,
      ) => `SELECT ${list} + ${lists.length} * p.number AS partition, ${key} s.*
        FROM unnest(${keys}) WITH ORDINALITY AS p(key, number) ${signals(column, rows)}`,
    );
  const after = (condition: string) =>
    lists.map(
      ([column], list) => `SELECT p.partition, s.* FROM newest AS p ${signals(column, size)}
        WHERE p.partition % ${lists.length} = ${list} AND ${condition}`,
    );
  return {
    all: each(size, '').join(' UNION ALL '),
    first: each(1, 'p.key,').join(' UNION ALL '),
    after: (condition) => after(condition).join(' UNION ALL '),
  };
}

/** The columns of keys, and the lists of partitions with their values. */
const KEYS = [
  ['subject_id', 'subjects'],
  ['object_id', 'objects'],
] as const;

// IS TRUE keeps the subqueries conditions, each with a hash table: a join would not keep the order.
function hasKey(row: string, keys: SignalKeys, values: SqlValues): string {
  const lists = KEYS.filter(([, of]) => keys[of].length > 0);
  const terms = lists.map(
    ([column, of]) =>
      `${row}.${column} IN (SELECT k.id FROM unnest(${values.add(keys[of], 'uuid[]')}) AS k(id))`,
  );
  return terms.length === 0 ? 'false' : `(${terms.join(' OR ')}) IS TRUE`;
}

function withinRange(row: string, { fromUs }: FeedRange, to: string, values: SqlValues): string {
  const from = timestampOf(fromUs, '-infinity', values);
  return `${row}.detected_at >= ${from} AND ${row}.detected_at < ${to}`;
}

/** A moment as a parameter, exact to the microsecond. */
export function timestampOf(us: bigint | undefined, otherwise: string, values: SqlValues): string {
  return values.add(us === undefined ? otherwise : textOfUs(us), 'timestamptz');
}

function endBefore(to: string): string {
  return `(SELECT ${positionOf('e')} FROM (
    SELECT detected_at, position FROM venture.signal e WHERE e.detected_at < ${to}
    ORDER BY e.detected_at DESC LIMIT 1) e)`;
}

/** The last signal of the feed, in microseconds since 1970; null if there is none. */
const NEWEST = `(SELECT ${usOf('max(detected_at)')} FROM venture.signal)`;

function rowsOf(from: string, order: string, expands: readonly SignalExpand[]): string {
  const columns = [
    'h.position::text AS position',
    'h.id',
    'h.type',
    // Formatted by timestamps.ts: to_char takes more time than reading the signals.
    'h.detected_at AS "detectedAt"',
    'h.occurred_at AS "occurredAt"',
    'h.subject_type AS "subjectType"',
    'h.subject_id AS "subjectId"',
    'h.object_id AS "objectId"',
    'h.amount',
    'h.label',
    ...(expands.includes('subject') ? ['coalesce(hs.name, hf.name) AS "subjectName"'] : []),
    ...(expands.includes('subject') ? ['coalesce(hs.domain, hf.domain) AS "subjectDomain"'] : []),
    ...(expands.includes('object') ? [`${OBJECT_NAME} AS "objectName"`] : []),
  ];
  const subject = expands.includes('subject')
    ? `LEFT JOIN venture.startup hs ON h.subject_type = 1 AND hs.id = h.subject_id
       LEFT JOIN venture.fund hf ON h.subject_type = 2 AND hf.id = h.subject_id`
    : '';
  return `(SELECT coalesce(json_agg(p ORDER BY p."detectedAt" ${order}), '[]') FROM (
    SELECT ${columns.join(', ')} FROM ${from} h ${subject}) p)`;
}

/** The name of an object: its own, or derived from the name of its startup. */
const OBJECT_NAMES: Readonly<Record<ObjectType, string>> = {
  round: `SELECT concat_ws(' ', s.name, venture.round_label(r.series, r.stage))
    FROM venture.funding_round r JOIN venture.startup s ON s.id = r.startup_id
    WHERE r.id = h.object_id`,
  valuation: `SELECT concat_ws(' ', s.name, 'valuation', v.year)
    FROM venture.post_valuation v JOIN venture.startup s ON s.id = v.startup_id
    WHERE v.id = h.object_id`,
  startup: 'SELECT s.name FROM venture.startup s WHERE s.id = h.object_id',
  person: 'SELECT q.name FROM venture.person q WHERE q.id = h.object_id',
  news: 'SELECT n.title FROM venture.news n WHERE n.id = h.object_id',
};

const OBJECT_NAME = `CASE ${Object.entries(OBJECT_NAMES)
  .map(([type, sql]) => {
    const codes = SIGNAL_TYPES.filter(({ object }) => object === type).map(({ code }) => code);
    return `WHEN h.type IN (${codes.join(', ')}) THEN (${sql})`;
  })
  .join(' ')} END`;

function textOfUs(us: bigint): string {
  const micros = ((us % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const second = new Date(Number((us - micros) / 1000n)).toISOString().slice(0, 19);
  return `${second}.${String(micros).padStart(6, '0')}Z`;
}
