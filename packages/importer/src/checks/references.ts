/**
 * Checks that the records that lines refer to exist in the database or are created by the import.
 * A line that refers to a record of a later line is applied after that line, and a line of an
 * investor after the earlier lines of its round, which may list the investor.
 */
import type { RecordType } from '../records/kinds.ts';
import { layout, OP_CODES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';
import { creates, position, recordTable, reject } from './sql.ts';

/** A column of Ids of other records: of the lines themselves, or of the investors they list. */
interface Reference {
  readonly field: string;
  readonly column: string;
  readonly to: RecordType;
  /** The tables and conditions to read the column from, with the line as `l`. */
  readonly from: string;
}

/**
 * Rejects the lines of a type that refer to records that do not exist, except deletes, and moves
 * those that refer to later lines. The types it refers to have been checked before.
 *
 * @param known types whose first lines are staged already; the check adds to it.
 * @returns whether any line was moved.
 */
export async function checkReferences(
  tables: StageTables,
  type: RecordType,
  known: Set<RecordType>,
): Promise<boolean> {
  let moved = false;
  for (const reference of referencesOf(tables, type)) {
    if (!(await tables.any(`${reference.from} AND ${unresolved(reference)}`))) continue;
    if (tables.has(reference.to)) await stageFirstLines(tables, reference.to, known);
    await rejectUnresolved(tables, type, reference);
    moved = (await moveBehind(tables, type, reference)) || moved;
  }
  if (type === 'investor') moved = (await moveBehindRounds(tables)) || moved;
  if (moved) await keepRecordOrder(tables, type);
  return moved;
}

function referencesOf(tables: StageTables, type: RecordType): readonly Reference[] {
  const shape = layout(type);
  const lines = `${tables.name(type)} l`;
  const own = shape.refs.map(({ field, column, to }) => ({
    field,
    column: `l.${column}`,
    to,
    from: `${lines} WHERE l.outcome IS NULL`,
  }));
  const list = shape.parts.find(({ row }) => row.kind === 'investors');
  if (list === undefined) return own;
  const listed = (['fund', 'person'] as const).map((to) => ({
    field: list.field,
    column: `i.${to}_id`,
    to,
    from: `${lines} JOIN ${tables.name('listed')} i USING (n) WHERE l.outcome IS NULL`,
  }));
  return [...own, ...listed];
}

const unresolved = ({ column, to }: Reference): string =>
  `${column} IS NOT NULL AND NOT EXISTS (SELECT FROM ${recordTable(to)} r WHERE r.id = ${column})`;

/** Creates the table of the first line that creates each record of a type. */
async function stageFirstLines(
  tables: StageTables,
  type: RecordType,
  known: Set<RecordType>,
): Promise<void> {
  if (known.has(type)) return;
  known.add(type);
  await tables.createAs(
    `first_${type}`,
    `SELECT DISTINCT ON (l.id) l.id, l.at, l.behind, l.n FROM ${tables.name(type)} l
     WHERE ${creates('l')} AND l.outcome IS NULL ORDER BY l.id, l.at, l.behind, l.n`,
  );
}

async function rejectUnresolved(
  tables: StageTables,
  type: RecordType,
  reference: Reference,
): Promise<void> {
  const inImport = tables.has(reference.to)
    ? `AND NOT EXISTS (SELECT FROM ${tables.name(`first_${reference.to}`)} f
                       WHERE f.id = ${reference.column})`
    : '';
  await reject(
    tables,
    type,
    `SELECT DISTINCT l.n, 'unresolved' AS reason, '${reference.field}' AS field
     FROM ${reference.from} AND l.op <> ${OP_CODES.delete} AND ${unresolved(reference)} ${inImport}`,
  );
}

async function moveBehind(
  tables: StageTables,
  type: RecordType,
  reference: Reference,
): Promise<boolean> {
  if (!tables.has(reference.to)) return false;
  const { rowCount } = await tables.client.query(
    `UPDATE ${tables.name(type)} s SET at = m.at, behind = m.behind + 1
     FROM (
       SELECT DISTINCT ON (l.n) l.n, f.at, f.behind
       FROM (SELECT l.n, l.at, l.behind, ${reference.column} AS ref
             FROM ${reference.from} AND ${unresolved(reference)}) l
       JOIN ${tables.name(`first_${reference.to}`)} f
         ON f.id = l.ref AND ${position('f')} > ${position('l')}
       ORDER BY l.n, f.at DESC, f.behind DESC
     ) m
     WHERE s.n = m.n`,
  );
  return (rowCount ?? 0) > 0;
}

/**
 * Moves the lines of investors whose round has earlier lines that were moved. They get the position
 * of these, so that the numbers of the lines order both.
 */
async function moveBehindRounds(tables: StageTables): Promise<boolean> {
  if (!tables.has('round')) return false;
  const [round, investor] = [tables.name('round'), tables.name('investor')];
  const moved = `${round} WHERE at <> n AND outcome IS NULL`;
  if (!(await tables.any(moved))) return false;
  const { rowCount } = await tables.client.query(
    `UPDATE ${investor} s SET at = m.place[1], behind = m.place[2]
     FROM (
       SELECT n, max(place) OVER (PARTITION BY round_id ORDER BY n) AS place
       FROM (
         SELECT n, id AS round_id, ARRAY[at, behind] AS place FROM ${moved}
         UNION ALL
         SELECT n, round_id, NULL FROM ${investor}
         WHERE outcome IS NULL AND round_id IN (SELECT id FROM ${moved})
       ) l
     ) m
     WHERE s.n = m.n AND ARRAY[s.at, s.behind] < m.place`,
  );
  return (rowCount ?? 0) > 0;
}

/** Moves the later lines of records whose earlier lines were moved, so that their order stays. */
async function keepRecordOrder(tables: StageTables, type: RecordType): Promise<void> {
  const table = tables.name(type);
  await tables.client.query(
    `UPDATE ${table} s SET at = m.place[1], behind = m.place[2]
     FROM (
       SELECT n, max(ARRAY[at, behind]) OVER (PARTITION BY id ORDER BY n) AS place FROM ${table}
       WHERE outcome IS NULL AND id IN (SELECT id FROM ${table} WHERE at <> n)
     ) m
     WHERE s.n = m.n AND ARRAY[s.at, s.behind] < m.place`,
  );
}
