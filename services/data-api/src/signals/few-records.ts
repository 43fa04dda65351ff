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
  const lists = new Map<string, readonly string[]>();
  for (const alternatives of records) {
    const few = await firstOfFew(
      alternatives.filter((each) => kinds.includes(each.as)),
      max,
      database,
      lists,
    );
    if (few === undefined) return undefined;
    for (const id of few.ids) found[few.as].add(id);
  }
  if (found.subjects.size + found.objects.size > max) return undefined;
  return { subjects: [...found.subjects], objects: [...found.objects] };
}

/** @param lists by statement: several groups of signals may have the same records. */
async function firstOfFew(
  alternatives: readonly NarrowedRecords[],
  max: number,
  database: Pick<Database, 'rows'>,
  lists: Map<string, readonly string[]>,
) {
  for (const { as, ids } of alternatives) {
    const values = new SqlValues();
    // One text: a row for each id costs both sides more.
    const text = `SELECT string_agg(s.id::text, ' ') AS ids FROM (
      SELECT id FROM (${ids(values)}) s LIMIT ${max + 1}) s`;
    const key = JSON.stringify([text, values.values]);
    const list = lists.get(key) ?? (await idsOf(text, values, database));
    lists.set(key, list);
    if (list.length <= max) return { as, ids: list };
  }
  return undefined;
}

async function idsOf(text: string, { values }: SqlValues, database: Pick<Database, 'rows'>) {
  const [row] = await database.rows<{ ids: string | null }>({ text, values, plan: 'custom' });
  return row?.ids?.split(' ') ?? [];
}
