/**
 * Cuts what is to be applied into transactions: at most {@link CHUNK_LINES_MAX} lines in the order of
 * the file, never two lines of one record.
 */
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import { layout } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

/** Longer transactions would hold up the feed. */
export const CHUNK_LINES_MAX = 5000;
const PAGE_ROWS = 10_000;

/** A place in the order of applying. */
export interface Position {
  readonly at: string;
  readonly behind: number;
  readonly n: string;
}

/** One transaction's share: from a place to the next chunk's. */
export interface Chunk {
  readonly from: Position;
  readonly to: Position;
  /** To be applied when every earlier chunk is committed, and before any later one begins. */
  readonly alone: boolean;
}

const END: Position = { at: '9223372036854775807', behind: 0, n: '0' };

/**
 * Writes the chunks of everything that is to be applied to the run's table `chunk`.
 * `inOrder`: nothing was moved and no record has two lines, so that places can simply be counted.
 */
export async function cutChunks(
  client: pg.ClientBase,
  tables: StageTables,
  inOrder: boolean,
): Promise<void> {
  await tables.create(client, 'chunk', [
    { name: 'number', type: 'integer' },
    { name: 'at', type: 'bigint' },
    { name: 'behind', type: 'smallint' },
    { name: 'n', type: 'bigint' },
    { name: 'alone', type: 'boolean' },
  ]);
  if (tables.types.length === 0) return;
  if (inOrder) await countOff(client, tables);
  else await cutAtRepeats(client, tables);
  await client.query(`CREATE INDEX ON ${tables.name('chunk')} (number)`);
}

/** Reads the chunks back in order, a page at a time. */
export async function* chunks(client: pg.ClientBase, tables: StageTables): AsyncGenerator<Chunk> {
  interface Row extends Position {
    readonly number: number;
    readonly alone: boolean;
  }
  let previous: Row | undefined;
  for (let after = 0; ; ) {
    const { rows } = await client.query<Row>(
      `SELECT number, at, behind, n, alone FROM ${tables.name('chunk')}
       WHERE number > $1 ORDER BY number LIMIT 1000`,
      [after],
    );
    for (const row of rows) {
      if (previous !== undefined) yield { from: previous, to: row, alone: previous.alone };
      previous = row;
      after = row.number;
    }
    if (rows.length === 0) break;
  }
  if (previous !== undefined) yield { from: previous, to: END, alone: previous.alone };
}

/** Types whose records change nothing but themselves, and may be applied side by side. */
export const isIndependent = (type: RecordType): boolean => layout(type).refs.length === 0;

async function countOff(client: pg.ClientBase, tables: StageTables): Promise<void> {
  const bounds = tables.types
    .map((type) => `SELECT min(n) AS least, max(n) AS most FROM ${tables.name(type)}`)
    .join(' UNION ALL ');
  const dependent = tables.types
    .filter((type) => !isIndependent(type))
    .map(
      (type) =>
        `EXISTS (SELECT FROM ${tables.name(type)} l
                 WHERE l.at >= g AND l.at < g + ${CHUNK_LINES_MAX} AND l.fate IS NULL)`,
    );
  await client.query(
    `INSERT INTO ${tables.name('chunk')} (number, at, behind, n, alone)
     SELECT row_number() OVER (ORDER BY g), g, 0, 0, ${dependent.join(' OR ') || 'false'}
     FROM (SELECT min(least) AS least, max(most) AS most FROM (${bounds}) b) b,
       generate_series(b.least, b.most, ${CHUNK_LINES_MAX}) g`,
  );
}

interface OrderRow extends Position {
  readonly rank: string;
  /** The place in the order of the record's line before this one. */
  readonly previous: string | null;
  readonly dependent: boolean;
}

async function cutAtRepeats(client: pg.ClientBase, tables: StageTables): Promise<void> {
  const lines = tables.types
    .map(
      (type) =>
        `SELECT at, behind, n, id, ${!isIndependent(type)} AS dependent
         FROM ${tables.name(type)} WHERE fate IS NULL`,
    )
    .join(' UNION ALL ');
  await client.query('BEGIN');
  await client.query(
    `DECLARE line NO SCROLL CURSOR FOR
     SELECT rank, at, behind, n, dependent,
       lag(rank) OVER (PARTITION BY id ORDER BY rank) AS previous
     FROM (SELECT *, row_number() OVER (ORDER BY at, behind, n) AS rank FROM (${lines}) l) l
     ORDER BY rank`,
  );
  const cutter = new Cutter(client, tables.name('chunk'));
  for (;;) {
    const { rows } = await client.query<OrderRow>(`FETCH ${PAGE_ROWS} FROM line`);
    if (rows.length === 0) break;
    for (const row of rows) cutter.take(row);
    await cutter.write();
  }
  cutter.close();
  await cutter.write();
  await client.query('CLOSE line');
  await client.query('COMMIT');
}

/** Cuts greedily: a chunk ends where it is full, or where a record of it comes again. */
class Cutter {
  readonly #client: pg.ClientBase;
  readonly #table: string;
  #number = 0;
  #start: OrderRow | undefined;
  #alone = false;
  #cut: { number: number; position: Position; alone: boolean }[] = [];

  constructor(client: pg.ClientBase, table: string) {
    this.#client = client;
    this.#table = table;
  }

  take(row: OrderRow): void {
    const start = Number(this.#start?.rank ?? 0);
    const full = Number(row.rank) - start >= CHUNK_LINES_MAX;
    const again = row.previous !== null && Number(row.previous) >= start;
    if (this.#start === undefined || full || again) {
      this.close();
      this.#start = row;
      this.#alone = false;
    }
    this.#alone ||= row.dependent || row.previous !== null;
  }

  close(): void {
    if (this.#start === undefined) return;
    this.#number += 1;
    this.#cut.push({ number: this.#number, position: this.#start, alone: this.#alone });
    this.#start = undefined;
  }

  async write(): Promise<void> {
    const cut = this.#cut;
    this.#cut = [];
    await this.#client.query(
      `INSERT INTO ${this.#table} (number, at, behind, n, alone)
       SELECT * FROM unnest($1::int[], $2::bigint[], $3::int[], $4::bigint[], $5::boolean[])`,
      [
        cut.map(({ number }) => number),
        cut.map(({ position }) => position.at),
        cut.map(({ position }) => position.behind),
        cut.map(({ position }) => position.n),
        cut.map(({ alone }) => alone),
      ],
    );
  }
}
