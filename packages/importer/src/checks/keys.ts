/** Is the key that a mapping takes from its rows unique in their file? */
import type pg from 'pg';
import { quote } from '../errors/quote.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { type MappingFault, mappingError, pointer } from '../mapping/mapping-fault.ts';
import type { RecordType } from '../records/kinds.ts';
import { layout, OP_CODES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

/** The lines that a file gave, by the numbers they were staged under. */
export interface StagedFile {
  readonly name: string;
  readonly mapping: Mapping | undefined;
  readonly first: number;
  readonly last: number;
}

const KEYS_SHOWN = 3;

/**
 * Looks for rows of one mapped file that give different values for one key, of which all but the
 * last would be lost. Rows with a date of their own are a history, and `repeats` allows others.
 *
 * @param repeated types with records that have several lines to apply.
 * @throws ImportError naming each such key with its place in the mapping.
 */
export async function checkKeys(
  client: pg.ClientBase,
  tables: StageTables,
  files: readonly StagedFile[],
  repeated: ReadonlySet<RecordType>,
): Promise<void> {
  for (const { name, mapping, first, last } of files) {
    if (mapping === undefined) continue;
    const faults: MappingFault[] = [];
    for (const type of repeated) {
      const places = keyPlaces(mapping, type);
      if (places.length === 0) continue;
      const { rows } = await client.query<{ key: string; lines: number; keys: number }>(
        `SELECT source_key AS key, count(*)::int AS lines, (count(*) OVER ())::int AS keys
         FROM ${tables.name(type)}
         WHERE n BETWEEN $1 AND $2 AND fate IS NULL AND op = ${OP_CODES.upsert}
           AND occurred_at IS NULL AND id IN (SELECT id FROM ${tables.name(`repeated_${type}`)})
         GROUP BY id, source_key HAVING count(*) > 1 ORDER BY min(n) LIMIT ${KEYS_SHOWN}`,
        [first, last],
      );
      const [found] = rows;
      if (found === undefined) continue;
      const shown = rows.map(({ key, lines }) => `${quote(key)} ${lines} times`).join(', ');
      const more = found.keys > rows.length ? `, … (${found.keys} keys)` : '';
      const advice = 'take a unique column, "op": "mention", "occurredAt" or "repeats": true';
      const message = `the key is not unique in ${name}, and its rows differ: ${shown}${more}; ${advice}`;
      faults.push(...places.map((at) => ({ at, message })));
    }
    if (faults.length > 0) throw mappingError(mapping.name, faults);
  }
}

/** Where a mapping states the key of records of a type that it gives in whole. */
function keyPlaces({ at, records }: Mapping, type: RecordType): readonly string[] {
  if (!layout(type).keyed) return [];
  const given = [...records.entries()].filter(
    ([, record]) => record.type === type && (record.op ?? 'upsert') === 'upsert',
  );
  if (given.some(([, { repeats }]) => repeats === true)) return [];
  return given.map(([index]) => pointer(at, 'records', index, 'key'));
}
