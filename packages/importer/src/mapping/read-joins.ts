/** Reads the tables of values that a mapping joins from files of the export. */
import { ImportError } from '../errors/import-error.ts';
import { LineError } from '../errors/line-error.ts';
import { compileCondition } from './condition.ts';
import { ExpressionCompiler } from './expression.ts';
import { inspectJoin } from './inspect-mapping.ts';
import type { RowMapper } from './map-row.ts';
import type { Join, Mapping, TableValue } from './mapping.ts';
import { pointer } from './mapping-error.ts';
import type { MappingSet } from './mapping-set.ts';
import { readMapped } from './read-mapped.ts';

/** The maximum number of keys of a join, which are held in memory. */
const KEYS_MAX = 1_000_000;

/**
 * Reads the joins of a mapping, and adds them to the mapping of each file.
 *
 * @param bytesOf the bytes of the files given for one mapping of the set.
 * @throws ImportError if a file is missing, cannot be read, or has too many keys.
 */
export async function readJoins(
  set: MappingSet,
  bytesOf: (mapping: Mapping) => readonly (() => AsyncIterable<Buffer>)[],
): Promise<readonly Mapping[]> {
  const joins = Object.entries(set.mappings[0].joins ?? {});
  if (joins.length === 0) return set.mappings;
  const joined = new Map<string, ReadonlyMap<string, TableValue>>();
  for (const [name, join] of joins) {
    const mapping = set.mappings.find(({ file }) => file === join.file);
    const files = mapping === undefined ? [] : bytesOf(mapping);
    if (mapping === undefined || files.length === 0) {
      const message = `The mapping ${set.name} joins "${join.file}": pass this file too.`;
      throw new ImportError('mapping', message);
    }
    const values = new Map<string, TableValue>();
    const mapper = joinMapper(mapping, join, pointer('', 'joins', name), values);
    for (const bytes of files) await drain(readMapped(0, bytes(), mapping, mapper), mapping);
    joined.set(name, values);
  }
  return set.mappings.map((mapping) => ({ ...mapping, joined }));
}

async function drain(items: AsyncIterable<unknown>, { name, file }: Mapping): Promise<void> {
  let batches = 0;
  for await (const _ of items) batches += 1;
  if (batches === 0) throw new ImportError('file', `${name}: ${file ?? 'the file'} has no rows.`);
}

/** Rows that are skipped, or whose key or value is unknown, add nothing. */
function joinMapper(
  mapping: Mapping,
  join: Join,
  at: string,
  values: Map<string, TableValue>,
): RowMapper {
  const compiler = new ExpressionCompiler(mapping);
  const skips = (mapping.skip ?? []).map(({ when }) => compileCondition(when, compiler));
  const key = compiler.compileKey(join.key);
  const value = compiler.compile(join.value);
  return {
    columns: inspectJoin(mapping, join, at).columns,
    concerns: () => true,
    map(row, { line }) {
      if (skips.some((skip) => skip(row))) return [];
      const given = { row, note: () => undefined, currency: undefined };
      try {
        const found = key.evaluate({ ...given, field: 'key' });
        const known = value.evaluate({ ...given, field: 'value' });
        if (found === null || known === null) return [];
        values.set(String(found), known as TableValue);
      } catch (error) {
        if (!(error instanceof LineError)) throw error;
        const message = `${at}: line ${line} of ${mapping.file}: ${error.message}`;
        throw new ImportError('mapping', `The mapping ${mapping.name}, ${message}.`);
      }
      if (values.size > KEYS_MAX) {
        throw new ImportError('mapping', `${mapping.name}: a join has more than ${KEYS_MAX} keys.`);
      }
      return [];
    },
  };
}
