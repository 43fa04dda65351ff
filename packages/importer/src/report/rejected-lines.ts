/** Which rejected lines would have made the records that other rejected lines refer to. */
import type pg from 'pg';
import type { RecordType } from '../records/kinds.ts';
import type { Place } from '../sources/source-item.ts';
import { OUTCOMES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

/** A record by its type and Id. */
export interface Referred {
  readonly type: RecordType;
  readonly id: string;
}

/** Finds, for each of the records, the first rejected line about it. */
export async function refusedLines(
  client: pg.ClientBase,
  tables: StageTables,
  referred: readonly Referred[],
): Promise<ReadonlyMap<string, Place>> {
  const found = new Map<string, Place>();
  if (referred.length === 0) return found;
  const { rows } = await client.query<Place & { id: string }>(
    `SELECT DISTINCT ON (id) id, file, line::float8 AS line FROM ${tables.name('refused')}
     WHERE id = ANY ($1::uuid[]) ORDER BY id, file, line`,
    [referred.map(({ id }) => id)],
  );
  for (const { id, file, line } of rows) found.set(id, { file, line });
  for (const type of new Set(referred.map((each) => each.type))) {
    if (!tables.has(type)) continue;
    const staged = await client.query<{ id: string; raw: string }>(
      `SELECT DISTINCT ON (id) id, raw FROM ${tables.name(type)}
       WHERE fate = ${OUTCOMES.rejected} AND id = ANY ($1::uuid[]) ORDER BY id, n`,
      [referred.flatMap((each) => (each.type === type ? each.id : []))],
    );
    for (const { id, raw } of staged.rows) {
      const { file, line }: Place = JSON.parse(raw);
      if (!found.has(id)) found.set(id, { file, line });
    }
  }
  return found;
}
