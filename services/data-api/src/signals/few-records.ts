import type { Database } from '../postgres/database.ts';
import { SqlValues } from '../postgres/sql-values.ts';
import type { NarrowedRecords, NarrowedSignals } from './narrow-signals.ts';
import type { SignalKeys } from './scan.ts';

const KINDS = ['subjects', 'objects'] as const;

/**
 * Records such that all signals that meet the narrowings have one of them as their subject or
 * object; undefined if there are more than `max`.
 *
 * @param kinds look only for subjects, or only for objects.
 */
export async function fewRecords(
  { records }: NarrowedSignals,
  max: number,
  database: Pick<Database, 'rows'>,
  kinds: readonly (keyof SignalKeys)[] = KINDS,
): Promise<SignalKeys | undefined> {
  const found = { subjects: new Set<string>(), objects: new Set<string>() };
  for (const alternatives of records) {
    const few = await firstOfFew(
      alternatives.filter((each) => kinds.includes(each.as)),
      max,
      database,
    );
    if (few === undefined) return undefined;
    for (const id of few.ids) found[few.as].add(id);
  }
  if (found.subjects.size + found.objects.size > max) return undefined;
  return { subjects: [...found.subjects], objects: [...found.objects] };
}

async function firstOfFew(
  alternatives: readonly NarrowedRecords[],
  max: number,
  database: Pick<Database, 'rows'>,
) {
  for (const { as, ids } of alternatives) {
    const values = new SqlValues();
    const text = `SELECT id FROM (${ids(values)}) s LIMIT ${max + 1}`;
    const statement = { text, values: values.values, plan: 'custom' } as const;
    const rows = await database.rows<{ id: string }>(statement);
    if (rows.length <= max) return { as, ids: rows.map(({ id }) => id) };
  }
  return undefined;
}
