/**
 * Divides the lines to apply into chunks, one transaction each: at most {@link CHUNK_LINES_MAX}
 * lines in the order of their positions, and never two lines of one record.
 */
import type { RecordType } from '../records/kinds.ts';
import { layout } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

/** Longer transactions would delay the change feed. */
export const CHUNK_LINES_MAX = 5000;
const PAGE_ROWS = 10_000;
/** Repeated lines move to the end of their range of so many lines. */
const RANGE_LINES = 4 * CHUNK_LINES_MAX;
/** Greater than `behind` of lines that follow a line that they refer to. */
const BEHIND_REFERENCES = 100;

/** A position in the order of applying. */
export interface Position {
  readonly at: string;
  readonly behind: number;
  readonly n: string;
}

/** The lines of one transaction: from a position to that of the next chunk. */
export interface Chunk {
  readonly from: Position;
  readonly to: Position;
  /**
   * The type of all its lines, if it may be applied at the same time as its neighbors of this type.
   * Otherwise null: all earlier chunks must be committed before it begins, and later ones wait for it.
   */
  readonly type: RecordType | null;
}

const END: Position = { at: '9223372036854775807', behind: 0, n: '0' };

/**
 * Writes the chunks of all lines to apply to the run's table `chunk`.
 *
 * @param repeated types with records that have several lines to apply.
 * @param moved whether lines were moved behind those that they refer to.
 */
export async function writeChunks(
  tables: StageTables,
  repeated: ReadonlySet<RecordType>,
  moved: boolean,
): Promise<void> {
  await tables.create('chunk', 'number integer, at bigint, behind integer, n bigint, type text');
  if (tables.types.length === 0) return;
  for (const type of repeated) await spreadRepeats(tables, type);
  if (moved || repeated.size > 0) await cutInOrder(tables);
  else await cutByNumber(tables);
  await tables.client.query(`CREATE INDEX ON ${tables.name('chunk')} (number)`);
}

/** Reads the chunks in order, a page at a time. */
export async function* readChunks(tables: StageTables): AsyncGenerator<Chunk> {
  interface Row extends Position {
    readonly number: number;
    readonly type: RecordType | null;
  }
  let previous: Row | undefined;
  for (let after = 0; ; ) {
    const { rows } = await tables.client.query<Row>(
      `SELECT number, at, behind, n, type FROM ${tables.name('chunk')}
       WHERE number > $1 ORDER BY number LIMIT 1000`,
      [after],
    );
    for (const row of rows) {
      if (previous !== undefined) yield { from: previous, to: row, type: previous.type };
      previous = row;
      after = row.number;
    }
    if (rows.length === 0) break;
  }
  if (previous !== undefined) yield { from: previous, to: END, type: previous.type };
}

/**
 * Whether chunks of lines of this type alone may run in parallel. Records without references lock
 * only their own rows and then, in the order of ids, those of companies that copy their name or
 * whether they are deleted. Chunks of two such types would lock the rows of both in different orders.
 */
const isIndependent = (type: RecordType): boolean => layout(type).refs.length === 0;

/**
 * Moves the second lines of the records in a range of lines to the end of the range, the third
 * lines behind them, and so on. Otherwise a file with adjacent lines of one record would need a
 * transaction for each line. The order of the lines of each record stays, and records are still
 * created before lines that refer to them, because the creating line of a record is its first.
 * Rounds stay where lines of type investor may change what their lists of investors add.
 */
async function spreadRepeats(tables: StageTables, type: RecordType): Promise<void> {
  if (type === 'round' && tables.has('investor')) return;
  const table = tables.name(type);
  await tables.client.query(
    `UPDATE ${table} s
     SET at = m.last, behind = ${BEHIND_REFERENCES} + m.number
     FROM (
       SELECT n, (at / ${RANGE_LINES} + 1) * ${RANGE_LINES} - 1 AS last,
         row_number() OVER (PARTITION BY id, at / ${RANGE_LINES} ORDER BY n) AS number
       FROM ${table}
       WHERE outcome IS NULL AND id IN (SELECT id FROM ${tables.name(`repeated_${type}`)})
     ) m
     WHERE s.n = m.n AND m.number > 1`,
  );
}

/** Without moved or repeated lines, positions are consecutive numbers. */
async function cutByNumber(tables: StageTables): Promise<void> {
  const bounds = tables.types
    .map((type) => `SELECT min(n) AS least, max(n) AS most FROM ${tables.name(type)}`)
    .join(' UNION ALL ');
  const types = tables.types.map(
    (type) =>
      `CASE WHEN EXISTS (
         SELECT FROM ${tables.name(type)} l
         WHERE l.at >= g AND l.at < g + ${CHUNK_LINES_MAX} AND l.outcome IS NULL) THEN '${type}' END`,
  );
  await tables.client.query(
    `INSERT INTO ${tables.name('chunk')} (number, at, behind, n, type)
     SELECT row_number() OVER (ORDER BY g), g, 0, 0,
       CASE WHEN cardinality(types) = 1 AND types <@ $1 THEN types[1] END
     FROM (SELECT min(least) AS least, max(most) AS most FROM (${bounds}) b) b,
       generate_series(b.least, b.most, ${CHUNK_LINES_MAX}) g,
       array_remove(ARRAY[${types.join(', ')}], NULL) AS types`,
    [tables.types.filter(isIndependent)],
  );
}

interface OrderRow extends Position {
  readonly rank: string;
  /** The rank of the previous line of the record. */
  readonly previous: string | null;
  /** Null for a type of which each chunk runs alone. */
  type: RecordType | null;
}

/** Ends a chunk when it is full, or before a second line of a record. */
async function cutInOrder(tables: StageTables): Promise<void> {
  const { client } = tables;
  const lines = tables.types
    .map(
      (type) =>
        `SELECT at, behind, n, id, ${isIndependent(type) ? `'${type}'` : 'NULL'} AS type
         FROM ${tables.name(type)} WHERE outcome IS NULL`,
    )
    .join(' UNION ALL ');
  await client.query('BEGIN');
  await client.query(
    `DECLARE line NO SCROLL CURSOR FOR
     SELECT rank, at, behind, n, type,
       lag(rank) OVER (PARTITION BY id ORDER BY rank) AS previous
     FROM (SELECT *, row_number() OVER (ORDER BY at, behind, n) AS rank FROM (${lines}) l) l
     ORDER BY rank`,
  );
  let open: (OrderRow & { readonly number: number }) | undefined;
  for (;;) {
    const { rows } = await client.query<OrderRow>(`FETCH ${PAGE_ROWS} FROM line`);
    const closed: object[] = [];
    for (const row of rows) {
      const start = Number(open?.rank ?? 0);
      const isFull = Number(row.rank) - start >= CHUNK_LINES_MAX;
      const isRepeated = row.previous !== null && Number(row.previous) >= start;
      if (open === undefined || isFull || isRepeated) {
        if (open !== undefined) closed.push(open);
        open = { ...row, number: (open?.number ?? 0) + 1 };
      }
      if (row.type !== open.type || row.previous !== null) open.type = null;
    }
    if (rows.length === 0 && open !== undefined) closed.push(open);
    await client.query(
      `INSERT INTO ${tables.name('chunk')}
       SELECT * FROM json_populate_recordset(NULL::${tables.name('chunk')}, $1)`,
      [JSON.stringify(closed)],
    );
    if (rows.length === 0) break;
  }
  await client.query('COMMIT');
}
