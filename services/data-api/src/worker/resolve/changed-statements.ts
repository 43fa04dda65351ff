import type { EntityNumber } from '@vcds/resolution';
import type pg from 'pg';

type Database = Pick<pg.Pool, 'query'>;

/** Tables of the evidence of a statement that have a column of its id. */
const OF_COMPANY: Readonly<Record<EntityNumber, readonly string[]>> = {
  1: ['funding_round', 'news', 'holding', 'startup_person'],
  2: ['news', 'holding', 'fund_person'],
};
const NAME: Readonly<Record<EntityNumber, 'startup' | 'fund'>> = { 1: 'startup', 2: 'fund' };

/**
 * The statements whose evidence may be another one than a run has seen: rows of them are of its first unknown
 * transaction or a later one. Reads the rows of the tables once; writes nothing. A row keeps its
 * transaction in a copy of the database, so that a copy may find too few: the next run of all statements finds them.
 *
 * @param seenUntil the first transaction whose rows may be unknown, as a decimal number.
 * @returns at most `max + 1` ids; `null` if that transaction is too long ago to compare with.
 */
export async function changedStatements(
  database: Database,
  entity: EntityNumber,
  { seenUntil, max }: { readonly seenUntil: string; readonly max: number },
): Promise<readonly string[] | null> {
  const { rows } = await database.query<{ isNear: boolean; first: string }>(
    `SELECT pg_snapshot_xmax(pg_current_snapshot())::text::numeric - $1::numeric BETWEEN 0 AND 1e9 AS "isNear",
       ($1::numeric % 4294967296)::text AS first`,
    [seenUntil],
  );
  if (rows[0]?.isNear !== true) return null;
  const { rows: changed } = await database.query<{ id: string }>(
    `SELECT DISTINCT id FROM (${unionOf(entity)}) x WHERE id IS NOT NULL LIMIT ${max + 1}`,
    [rows[0].first],
  );
  return changed.map(({ id }) => id);
}

function unionOf(entity: EntityNumber): string {
  const own = NAME[entity];
  const [other, otherEntity] = entity === 1 ? ['fund', 2] : ['startup', 1];
  const isNew = (row: string): string => `age(${row}.xmin) <= age($1::text::xid)`;
  const both = (select: (schema: string) => string): string[] => ['venture', 'stated'].map(select);
  const selects = [
    ...both((schema) => `SELECT t.id FROM ${schema}.${own} t WHERE ${isNew('t')}`),
    ...OF_COMPANY[entity].flatMap((table) =>
      both((schema) => `SELECT t.${own}_id FROM ${schema}.${table} t WHERE ${isNew('t')}`),
    ),
    // Those that it is linked with are evidence by their names.
    ...both(
      (schema) => `SELECT h.${own}_id FROM venture.${other} o
        LEFT JOIN venture.compared_statement c ON c.statement_id = o.id AND c.entity = ${otherEntity}
        JOIN ${schema}.holding h ON h.${other}_id = o.id
        WHERE ${isNew('o')} AND c.name_hash IS DISTINCT FROM hashtext(o.name)`,
    ),
    ...both(
      (schema) => `SELECT h.${own}_id FROM venture.person p
        JOIN ${schema}.${own}_person h ON h.person_id = p.id WHERE ${isNew('p')}`,
    ),
  ];
  if (entity === 1) {
    selects.push(
      ...both(
        (schema) => `SELECT r.startup_id FROM ${schema}.round_investor i
          JOIN ${schema}.funding_round r ON r.id = i.round_id
          WHERE i.person_id IS NOT NULL AND ${isNew('i')}`,
      ),
      ...both(
        (schema) => `SELECT r.startup_id FROM venture.person p
          JOIN ${schema}.round_investor i ON i.person_id = p.id
          JOIN ${schema}.funding_round r ON r.id = i.round_id WHERE ${isNew('p')}`,
      ),
    );
  }
  return selects.join('\n UNION ALL ');
}
