import { ENTITIES, type EntityId } from '@vcds/venture-model';
import type { Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';

/** The names of funds or startups by id, also of deleted ones; values that are no ids are left out. */
export async function namesOf(
  database: Pick<Database, 'rows'>,
  entity: EntityId,
  ids: readonly unknown[],
): Promise<ReadonlyMap<unknown, string>> {
  const wanted = ids.filter((each) => typeof each === 'string');
  if (wanted.length === 0) return new Map();
  const values = new SqlValues();
  const text = `SELECT id, name FROM ${ENTITIES[entity].table} WHERE id = ANY (${values.add(wanted, 'uuid[]')})`;
  const statement = { text, values: values.values, plan: 'generic' } as const;
  const rows = await database.rows<{ id: string; name: string }>(statement);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
