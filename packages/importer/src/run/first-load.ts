/**
 * The secondary indexes of tables that an import mostly fills. Inserting rows into them takes four
 * times as long as building them afterwards. The database stores the dropped ones, so if an import
 * ends early the next one builds them.
 */
import pg from 'pg';
import { recordTable } from '../checks/sql.ts';
import type { RecordType } from '../records/kinds.ts';
import { divide } from './sessions.ts';

/** Fewer lines of a type are inserted with all indexes. */
export const FIRST_LOAD_LINES_MIN = 20_000;

/**
 * Sessions that build indexes: each builds one without parallel workers, which take a quarter more
 * processor time together.
 */
export const BUILDING_SESSIONS = 4;

const LOCK_NOT_AVAILABLE = '55P03';

/** The records that those of a type update: a first load of rounds updates most companies. */
const UPDATED: Partial<Record<RecordType, readonly RecordType[]>> = {
  round: ['startup', 'fund', 'holding'],
};

/** Of the tables of updated companies: four times as many lines as for inserted ones. */
const UPDATES_WEIGHT = 4;

/**
 * Drops the secondary indexes of a type's table, except those that an import uses, if it has fewer
 * rows than half the lines of the type; then also those of the companies that the lines update, if
 * they are fewer than twice the lines. A table that other statements lock for seconds keeps them.
 */
export async function dropIndexes(
  client: pg.ClientBase,
  type: RecordType,
  lines: number,
): Promise<void> {
  const table = recordTable(type);
  const few = Math.ceil(lines / 2);
  const { rowCount } = await client.query(`SELECT FROM ${table} LIMIT $1`, [few]);
  if (rowCount === few) return;
  try {
    await client.query('SELECT venture.drop_secondary_indexes($1::regclass)', [table]);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== LOCK_NOT_AVAILABLE) throw error;
  }
  for (const updated of UPDATED[type] ?? []) {
    await dropIndexes(client, updated, UPDATES_WEIGHT * lines);
  }
}

/** The number of indexes that this import, or one before it, dropped and did not build. */
export async function countDropped(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ dropped: number }>(
    'SELECT count(*)::int AS dropped FROM venture.dropped_index',
  );
  return rows[0]?.dropped ?? 0;
}

/**
 * Builds the dropped indexes, each in a transaction of its own, on all sessions at a time: first the
 * GIN indexes, which take longest, so that the sessions end together.
 *
 * @returns how many there were.
 */
export async function buildIndexes(
  sessions: readonly pg.Client[],
  onProgress: (built: number, all: number) => void,
  signal?: AbortSignal,
): Promise<number> {
  const { rows } = (await sessions[0]?.query<{ name: string }>(
    `SELECT name FROM venture.dropped_index ORDER BY definition LIKE '% USING gin %' DESC, name`,
  )) ?? { rows: [] };
  let built = 0;
  const build = async (session: pg.Client, { name }: { readonly name: string }) => {
    onProgress(built, rows.length);
    await session.query('SELECT venture.build_dropped_index($1)', [name]);
    built += 1;
  };
  await divide(sessions, rows, build, signal);
  return built;
}

/** Merges the entries that an import added to GIN indexes in batches, on all sessions at a time. */
export async function mergePendingEntries(sessions: readonly pg.Client[]): Promise<void> {
  const { rows } = (await sessions[0]?.query<{ oid: number }>(
    `SELECT c.oid FROM pg_class c JOIN pg_am a ON a.oid = c.relam AND a.amname = 'gin'
     WHERE c.relnamespace = 'venture'::regnamespace AND c.relkind = 'i' ORDER BY c.relpages DESC`,
  )) ?? { rows: [] };
  await divide(sessions, rows, (session, { oid }) =>
    session.query('SELECT venture.merge_pending_entries($1::oid)', [oid]),
  );
}
