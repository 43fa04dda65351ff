/** Checks that the keys that a mapping takes from its rows are unique in their file. */
import { quote } from '../errors/quote.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { type MappingError, mappingError, pointer } from '../mapping/mapping-error.ts';
import type { RecordType } from '../records/kinds.ts';
import { layout, OP_CODES } from '../staging/layout.ts';
import type { StageTables } from '../staging/stage-tables.ts';

/** The staged lines of a file, by their numbers. */
export interface StagedFile {
  readonly name: string;
  readonly mapping: Mapping | undefined;
  readonly first: number;
  readonly last: number;
}

const KEYS_SHOWN = 3;

/**
 * Checks for rows of one mapped file that have different values for one key: all but the last would
 * be lost. Rows with a date of their own are a history, and `repeats` allows others.
 *
 * @param repeated types with records that have several lines to apply.
 * @throws ImportError naming each such key with its position in the mapping.
 */
export async function checkKeys(
  tables: StageTables,
  files: readonly StagedFile[],
  repeated: ReadonlySet<RecordType>,
): Promise<void> {
  for (const { name, mapping, first, last } of files) {
    if (mapping === undefined) continue;
    const faults: MappingError[] = [];
    for (const type of repeated) {
      const pointers = keyPointers(mapping, type);
      if (pointers.length === 0) continue;
      const { rows } = await tables.client.query<{ key: string; lines: number; keys: number }>(
        `SELECT source_key AS key, count(*)::int AS lines, (count(*) OVER ())::int AS keys
         FROM ${tables.name(type)}
         WHERE n BETWEEN $1 AND $2 AND outcome IS NULL AND op = ${OP_CODES.upsert}
           AND occurred_at IS NULL AND id IN (SELECT id FROM ${tables.name(`repeated_${type}`)})
         GROUP BY id, source_key HAVING count(*) > 1 ORDER BY min(n) LIMIT ${KEYS_SHOWN}`,
        [first, last],
      );
      const [found] = rows;
      if (found === undefined) continue;
      const shown = rows.map(({ key, lines }) => `${quote(key)} ${lines} times`).join(', ');
      const more = found.keys > rows.length ? `, … (${found.keys} keys)` : '';
      const advice = 'use a unique column, "op": "mention", "occurredAt" or "repeats": true';
      const message = `the key is not unique in ${name}, and its rows differ: ${shown}${more}; ${advice}`;
      faults.push(...pointers.map((at) => ({ at, message })));
    }
    if (faults.length > 0) throw mappingError(mapping.name, faults);
  }
}

/** The positions in a mapping of the keys of upserts of a type. */
function keyPointers({ at, records }: Mapping, type: RecordType): readonly string[] {
  if (!layout(type).keyed) return [];
  const given = [...records.entries()].filter(
    ([, record]) => record.type === type && (record.op ?? 'upsert') === 'upsert',
  );
  if (given.some(([, { repeats }]) => repeats === true)) return [];
  return given.map(([index]) => pointer(at, 'records', index, 'key'));
}
