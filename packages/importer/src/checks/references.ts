/**
 * Do the records that lines refer to exist? In the database, or made by a line of the same import:
 * of one that comes later, the line that refers to it is applied behind it.
 */
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import { layout, OP_CODES, OUTCOMES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { creates, position, recordTable } from './sql.ts';

/** A column with Ids of other records: of lines themselves, or of the investors they list. */
interface Reference {
  readonly field: string;
  readonly column: string;
  readonly to: RecordType;
  /** What to read the column from, as `l`, beside the line's own columns. */
  readonly from: string;
}

/** Types whose first lines are known to {@link firstLines}. */
export type FirstLines = Set<RecordType>;

/**
 * Rejects the lines of a type that refer to nothing, and moves those that refer forward. The types
 * it refers to have been through this already.
 *
 * @returns whether any line was moved.
 */
export async function checkReferences(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
  known: FirstLines,
): Promise<boolean> {
  let moved = false;
  for (const reference of referencesOf(tables, type)) {
    if (!(await refersBeyondDatabase(client, reference))) continue;
    if (tables.has(reference.to)) await firstLines(client, tables, reference.to, known);
    await rejectUnresolved(client, tables, type, reference);
    moved = (await moveForward(client, tables, type, reference)) || moved;
  }
  if (moved) await keepRecordOrder(client, tables, type);
  return moved;
}

function referencesOf(tables: StageTables, type: RecordType): readonly Reference[] {
  const shape = layout(type);
  const lines = `${tables.name(type)} l`;
  const own = shape.refs.map(({ field, column, to }) => ({
    field,
    column: `l.${column}`,
    to,
    from: `${lines} WHERE l.op <> ${OP_CODES.delete} AND l.fate IS NULL`,
  }));
  const list = shape.parts.find(({ row }) => row.kind === 'investors');
  if (list === undefined) return own;
  const listed = (['fund', 'person'] as const).map((to) => ({
    field: list.field,
    column: `i.${to}_id`,
    to,
    from: `${lines} JOIN ${tables.name('listed')} i USING (n) WHERE l.fate IS NULL`,
  }));
  return [...own, ...listed];
}

const unresolved = ({ column, to }: Reference): string =>
  `${column} IS NOT NULL AND NOT EXISTS (SELECT FROM ${recordTable(to)} r WHERE r.id = ${column})`;

async function refersBeyondDatabase(client: pg.ClientBase, reference: Reference): Promise<boolean> {
  const { rows } = await client.query<{ any: boolean }>(
    `SELECT EXISTS (SELECT FROM ${reference.from} AND ${unresolved(reference)}) AS any`,
  );
  return rows[0]?.any === true;
}

/** For each record that lines of the type make: the place of the first line that does. */
async function firstLines(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
  known: FirstLines,
): Promise<void> {
  if (known.has(type)) return;
  known.add(type);
  const table = tables.name(`first_${type}`);
  await client.query(
    `CREATE UNLOGGED TABLE ${table} AS
     SELECT DISTINCT ON (l.id) l.id, l.at, l.behind, l.n FROM ${tables.name(type)} l
     WHERE ${creates('l')} AND l.fate IS NULL ORDER BY l.id, l.at, l.behind, l.n`,
  );
  await client.query(`ANALYZE ${table}`);
}

async function rejectUnresolved(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
  reference: Reference,
): Promise<void> {
  const inFile = tables.has(reference.to)
    ? `AND NOT EXISTS (SELECT FROM ${tables.name(`first_${reference.to}`)} f
                       WHERE f.id = ${reference.column})`
    : '';
  await reject(
    client,
    tables,
    type,
    `SELECT DISTINCT l.n, 'unresolved' AS reason, '${reference.field}' AS field
     FROM ${reference.from} AND ${unresolved(reference)} ${inFile}`,
  );
}

async function moveForward(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
  reference: Reference,
): Promise<boolean> {
  if (!tables.has(reference.to)) return false;
  const first = tables.name(`first_${reference.to}`);
  const { rowCount } = await client.query(
    `UPDATE ${tables.name(type)} s SET at = m.at, behind = m.behind + 1
     FROM (
       SELECT DISTINCT ON (l.n) l.n, f.at, f.behind
       FROM (SELECT l.n, l.at, l.behind, ${reference.column} AS ref
             FROM ${reference.from} AND ${unresolved(reference)}) l
       JOIN ${first} f ON f.id = l.ref AND ${position('f')} > ${position('l')}
       ORDER BY l.n, f.at DESC, f.behind DESC
     ) m
     WHERE s.n = m.n`,
  );
  return (rowCount ?? 0) > 0;
}

/** No line of a record may overtake an earlier one that had to move. */
async function keepRecordOrder(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
): Promise<void> {
  const table = tables.name(type);
  await client.query(
    `UPDATE ${table} s SET at = m.place[1], behind = m.place[2]
     FROM (
       SELECT n, max(ARRAY[at, behind]) OVER (PARTITION BY id ORDER BY n) AS place FROM ${table}
       WHERE fate IS NULL AND id IN (SELECT id FROM ${table} WHERE at <> n)
     ) m
     WHERE s.n = m.n AND ARRAY[s.at, s.behind] < m.place`,
  );
}

/**
 * Gives lines their reason to be rejected; `select` finds each once, as n, reason and field.
 *
 * @returns how many were rejected.
 */
export async function reject(
  client: pg.ClientBase,
  tables: StageTables,
  type: RecordType,
  select: string,
): Promise<number> {
  const { rowCount } = await client.query(
    `WITH faulty AS MATERIALIZED (${select}), refused AS (
       UPDATE ${tables.name(type)} s SET fate = ${OUTCOMES.rejected} FROM faulty f
       WHERE s.fate IS NULL AND s.n = f.n RETURNING f.n, f.reason, f.field
     )
     INSERT INTO ${tables.name('rejection')} (type, n, reason, field)
     SELECT '${type}', n, reason, field FROM refused`,
  );
  return rowCount ?? 0;
}
