/** The position of a copy: its generation, and the last batch of changes in it. */
import { ClickHouseFailure, type Connection } from './client.ts';
import { type Generation, type Tables, text } from './tables.ts';

export interface Position {
  readonly generation: Generation;
  readonly version: string;
  /** When the copy last had all that was committed; milliseconds since the epoch. */
  readonly ms: number;
}

/** No such table, or database, by the numbers of ClickHouse. */
const ABSENT = new Set<number | undefined>([60, 81]);
/** In place of a layout: a row asks that a new generation is loaded. */
const REBUILD = 'rebuild';

/** The newest position of a layout; undefined before the first load. */
export async function readPosition(
  connection: Connection,
  { positions, layout }: Tables,
  signal?: AbortSignal,
): Promise<Position | undefined> {
  // Before the first load there is no table.
  const rows = connection.rows<{ generation: string; version: string; ms: number }>(
    `SELECT toString(generation) AS generation, toString(version) AS version, at AS ms
     FROM ${positions} WHERE layout = ${text(layout)}
     ORDER BY facet_position.generation DESC, facet_position.version DESC, at DESC LIMIT 1`,
    {},
    signal,
  );
  const [row] = await rows.catch((error: unknown) => {
    if (error instanceof ClickHouseFailure && ABSENT.has(error.code)) return [];
    throw error;
  });
  return row;
}

/** Whether a load was asked for after that of a generation began. */
export async function isRebuildAsked(
  connection: Connection,
  { positions }: Tables,
  generation: Generation,
): Promise<boolean> {
  const rows = await connection.rows(
    `SELECT 1 FROM ${positions} WHERE layout = ${text(REBUILD)} AND generation > ${generation} LIMIT 1`,
  );
  return rows.length > 0;
}

export async function storePosition(
  connection: Connection,
  { positions, layout }: Tables,
  { generation, version, ms }: Position,
): Promise<void> {
  await connection.run(
    `INSERT INTO ${positions} (layout, generation, version, at)
     VALUES (${text(layout)}, ${generation}, ${version}, ${ms})`,
  );
}

/** The generations to which some process of any layout added since a time. */
export async function usedGenerations(
  connection: Connection,
  { positions }: Tables,
  sinceMs: number,
): Promise<readonly Generation[]> {
  const rows = await connection.rows<{ generation: string }>(
    `SELECT DISTINCT toString(facet_position.generation) AS generation FROM ${positions}
     WHERE at > ${sinceMs} AND layout <> ${text(REBUILD)}`,
  );
  return rows.map(({ generation }) => generation);
}
