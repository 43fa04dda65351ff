import type { Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { Statement } from '../postgres/statement.ts';
import type { NarrowedSignals } from './narrow-signals.ts';

/**
 * The ids of the subjects that meet the narrowings; undefined if there are more than `max`, or if a
 * narrowing applies to objects.
 */
export async function fewSubjects(
  { subjects }: NarrowedSignals,
  max: number,
  database: Database,
): Promise<readonly string[] | undefined> {
  if (subjects === undefined) return undefined;
  const values = new SqlValues();
  const text = `SELECT id FROM (${subjects(values)}) s LIMIT ${max + 1}`;
  const statement: Statement = { text, values: values.values, plan: 'custom' };
  const rows = await database.rows<{ id: string }>(statement);
  return rows.length > max ? undefined : [...new Set(rows.map(({ id }) => id))];
}
