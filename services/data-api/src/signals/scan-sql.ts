/** The statements that read a feed. They page by keyset: an index finds every position. */
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import {
  type Feed,
  type FeedRange,
  type Partitions,
  type Position,
  partitionCount,
  type Residual,
  type Scan,
  type SignalKeys,
} from './scan.ts';

type Scanned<By extends Partitions['by']> = Scan & {
  readonly partitions: Extract<Partitions, { by: By }>;
};

/**
 * One batch of a scan; returns one `ScanRow`. Sizes are part of the text: with placeholders the
 * planner would expect a tenth of the feed, and sort it instead of reading it in order.
 */
export function compileScan(feed: Feed, scan: Scan, residual: Residual): Statement {
  const { partitions } = scan;
  const sql = new FeedSql(feed, scan);
  const text =
    partitions.by === 'feed'
      ? feedScan(sql, { ...scan, partitions }, residual)
      : partitionScan(sql, { ...scan, partitions }, residual);
  return { text, values: sql.values.values, plan: 'generic' };
}

/** SQL of the order of a feed. */
class FeedSql {
  readonly values = new SqlValues();
  readonly feed: Feed;
  readonly range: FeedRange;
  readonly #isAscending: boolean;
  readonly #from: readonly string[];
  readonly #to: readonly string[];

  constructor(feed: Feed, { range, order }: Pick<Scan, 'range' | 'order'>) {
    this.feed = feed;
    this.range = range;
    this.#isAscending = order === 'asc';
    this.#from = this.#bound(range.from, '-infinity');
    this.#to = this.#bound(range.to, 'infinity');
  }

  #bound(at: Position | undefined, otherwise: string): readonly string[] {
    return this.feed.columns.map((_, n) =>
      timestampOf(at?.[n], at === undefined ? otherwise : '-infinity', this.values),
    );
  }

  columns(row: string): string {
    return this.feed.columns.map((column) => `${row}.${column}`).join(', ');
  }

  /** @param before another column that the index has before those of the order. */
  orderBy(row: string, before: readonly string[] = []): string {
    const direction = this.#isAscending ? 'ASC' : 'DESC';
    const columns = [...before, ...this.feed.columns.map((column) => `${row}.${column}`)];
    return `ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')}`;
  }

  /**
   * In the range. A comparison of rows can be found by the index of these columns only: with
   * separate conditions, the planner may read the whole feed in search of a rare type.
   *
   * @param before a column that the index has before those of the order, and its value.
   */
  isWithin(row: string, before?: readonly [column: string, value: string]): string {
    const [column, value] = before === undefined ? ['', ''] : before.map((each) => `${each}, `);
    const at = `(${column}${this.columns(row)})`;
    const [from, to] = [this.#from, this.#to].map((bound) => `(${value}${bound.join(', ')})`);
    const { only } = this.feed;
    return `${only === undefined ? '' : `${row}.${only} AND `}${at} >= ${from} AND ${at} < ${to}`;
  }

  /** Not after the position in a table of one row or none. */
  isUpTo(row: string, limit: string): string {
    const [at, operator] = [`(${this.columns(row)})`, this.#isAscending ? '<=' : '>='];
    return `coalesce(${at} ${operator} (SELECT ${this.columns('u')} FROM ${limit} u), true)`;
  }

  /** The end of the range of the change feed. */
  get to(): string {
    return this.#to[0] ?? '';
  }
}

// Reads no further than the last match of the page, because LIMIT keeps the order of the index.
function feedScan(sql: FeedSql, scan: Scanned<'feed'>, residual: Residual): string {
  const { partitions, skip, limit } = scan;
  const size = powerOfTwo(scan.batchSize);
  const isOf = partitions.of === undefined ? 'true' : hasKey('c', partitions.of, sql.values);
  const most = sql.values.add(skip + limit, 'bigint');
  return `
    WITH hit AS MATERIALIZED (
      SELECT c.* FROM (SELECT * FROM venture.signal s WHERE ${sql.isWithin('s')}
        ${sql.orderBy('s')} LIMIT ${size}) c
      WHERE ${isOf} AND ${residual('c', sql.values)}
      ${sql.orderBy('c')} LIMIT ${most}
    ), watermark AS MATERIALIZED (
      SELECT ${sql.columns('s')} FROM venture.signal s
      WHERE ${sql.isWithin('s')} AND (SELECT count(*) FROM hit) < ${most}
      ${sql.orderBy('s')} LIMIT 1 OFFSET ${size - 1}
    )
    SELECT ${resultOf(sql, skip)}`;
}

function partitionScan(sql: FeedSql, scan: Scanned<'type' | 'record'>, residual: Residual): string {
  const { partitions, skip, limit } = scan;
  const size = powerOfTwo(scan.batchSize);
  const records = powerOfTwo(scan.recordsMax);
  // Of many records, those whose first signal is not among the first ones are not read further.
  const isBounded = partitions.by === 'record' && partitionCount(partitions) > records;
  // Rows of their own; else the positions r, which have the order.
  const areRows = partitions.by === 'type' && sql.feed.isIndexed;
  const read = candidates(sql, partitions, areRows, size);
  const first = `newest AS MATERIALIZED (${read.first}), bound AS MATERIALIZED (
      SELECT ${sql.columns('n')} FROM newest n ${sql.orderBy('n')} LIMIT 1 OFFSET ${records - 1}
    ),`;
  return `
    WITH ${isBounded ? first : ''}
    candidate AS MATERIALIZED (
      ${isBounded ? read.after(sql.isUpTo('p', 'bound')) : read.all}
    ), watermark AS MATERIALIZED (
      SELECT * FROM (
        SELECT ${sql.columns('l')} FROM (
          SELECT *, row_number() OVER (PARTITION BY c.partition ${sql.orderBy('c')}) AS n
          FROM candidate c) l WHERE l.n = ${size}
        ${isBounded ? 'UNION ALL SELECT * FROM bound' : ''}) w
      ${sql.orderBy('w')} LIMIT 1
    ), hit AS MATERIALIZED (
      SELECT c.* FROM (
        SELECT DISTINCT ON (${sql.columns('r')}) r.* FROM candidate r
        WHERE ${sql.isUpTo('r', 'watermark')}
        ${sql.orderBy('r')}
      ) ${areRows ? 'c' : `r CROSS JOIN LATERAL (${SIGNAL_AT}) c`}
      WHERE ${residual('c', sql.values)}
      ${sql.orderBy(areRows ? 'c' : 'r')} LIMIT ${sql.values.add(skip + limit, 'bigint')}
    )
    SELECT ${resultOf(sql, skip)}`;
}

/**
 * All matching signals of the range, found by the index of one condition, if at most `max` signals
 * meet that condition; returns one `ScanRow` with `tooMany`.
 */
export function compileFallbackLookup(
  feed: Feed,
  scan: Pick<Scan, 'range' | 'order' | 'skip' | 'limit'>,
  indexed: Residual,
  residual: Residual,
  max: number,
): Statement {
  const sql = new FeedSql(feed, scan);
  const text = `
    WITH candidate AS MATERIALIZED (
      SELECT * FROM venture.signal s WHERE ${indexed('s', sql.values)} LIMIT ${max + 1}
    ), hit AS MATERIALIZED (
      SELECT c.* FROM candidate c
      WHERE ${sql.isWithin('c')} AND ${residual('c', sql.values)}
      ${sql.orderBy('c')} LIMIT ${sql.values.add(scan.skip + scan.limit, 'bigint')}
    )
    SELECT (SELECT count(*) > ${max} FROM candidate) AS "tooMany", ${resultOf(sql, scan.skip, false)}`;
  return { text, values: sql.values.values, plan: 'custom' };
}

/** The signal of a candidate of which the index was read only. LIMIT keeps this one look-up each. */
const SIGNAL_AT = 'SELECT * FROM venture.signal s WHERE s.detected_at = r.detected_at LIMIT 1';

/** Sizes are rounded up, so that few texts of statements occur. */
function powerOfTwo(size: number): number {
  return 2 ** Math.ceil(Math.log2(size));
}

/** SQL of candidates, with their `partition`. */
interface Candidates {
  readonly all: string;
  /** The first one of each partition of records, with their `key`. */
  readonly first: string;
  /** Those of the partitions of `newest p` that meet a condition. */
  readonly after: (condition: string) => string;
}

// Each partition is read in the order of one index, or sorted if there is none. Of records there may
// be thousands, so only the positions of their signals are read, without the rows.
function candidates(
  sql: FeedSql,
  partitions: Exclude<Partitions, { by: 'feed' }>,
  areRows: boolean,
  size: number,
): Candidates {
  const { typeCast } = sql.feed;
  const lists =
    partitions.by === 'type'
      ? [['type', sql.values.add(partitions.codes, 'smallint[]'), typeCast] as const]
      : KEYS.map(([column, of]) => [column, sql.values.add(partitions[of], 'uuid[]'), ''] as const);
  const signals = (column: string, cast: string, rows: number) => {
    const by = `s.${column}${cast}`;
    return `CROSS JOIN LATERAL (SELECT ${areRows ? '*' : sql.columns('s')} FROM venture.signal s
        WHERE ${sql.isWithin('s', [by, `p.key${cast}`])} ${sql.orderBy('s', [by])} LIMIT ${rows}) s`;
  };
  const each = (rows: number, key: string) =>
    lists.map(
      ([column, keys, cast], list) =>
        `SELECT ${list} + ${lists.length} * p.number AS partition, ${key} s.*
        FROM unnest(${keys}) WITH ORDINALITY AS p(key, number) ${signals(column, cast, rows)}`,
    );
  const after = (condition: string) =>
    lists.map(
      ([column, , cast], list) => `SELECT p.partition, s.*
        FROM newest AS p ${signals(column, cast, size)}
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

/** Microseconds since 1970, in digits. */
const usOf = (column: string) => `(extract(epoch FROM ${column}) * 1000000)::bigint::text`;

function resultOf(sql: FeedSql, skip: number, hasWatermark = true): string {
  const { columns, isIndexed } = sql.feed;
  const watermark = `(SELECT ARRAY[${columns.map((column) => usOf(`w.${column}`)).join(', ')}]
    FROM watermark w)`;
  const end = `(SELECT json_build_object('us', ${usOf('e.detected_at')}, 'position', e.position::text)
    FROM (SELECT detected_at, position FROM venture.signal e WHERE e.detected_at < ${sql.to}
      ORDER BY e.detected_at DESC LIMIT 1) e)`;
  return `(SELECT count(*)::integer FROM hit) AS hits, ${rowsOf(sql, skip)} AS rows,
      ${hasWatermark ? watermark : 'NULL'} AS watermark, ${isIndexed ? end : 'NULL'} AS "end",
      (SELECT ${usOf('max(detected_at)')} FROM venture.signal) AS newest`;
}

function rowsOf(sql: FeedSql, skip: number): string {
  const { columns, joins } = sql.feed.rows;
  const hits =
    skip === 0
      ? 'hit'
      : `(SELECT * FROM hit ${sql.orderBy('hit')} OFFSET ${sql.values.add(skip, 'bigint')})`;
  const own = [
    ...['h.id', 'h.type', 'h.subject_type AS "subjectType"', 'h.subject_id AS "subjectId"'],
    // Formatted by timestamps.ts: to_char takes more time than reading the signals.
    ...['h.detected_at AS "detectedAt"', 'h.occurred_at AS "occurredAt"'],
  ];
  return `(SELECT coalesce(json_agg(p), '[]') FROM (
    SELECT ${[...own, ...columns].join(', ')} FROM ${hits} h ${joins} ${sql.orderBy('h')}) p)`;
}

/** A moment as a parameter, exact to the microsecond. */
export function timestampOf(us: bigint | undefined, otherwise: string, values: SqlValues): string {
  return values.add(us === undefined ? otherwise : textOfUs(us), 'timestamptz');
}

function textOfUs(us: bigint): string {
  const micros = ((us % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const second = new Date(Number((us - micros) / 1000n)).toISOString().slice(0, 19);
  return `${second}.${String(micros).padStart(6, '0')}Z`;
}
