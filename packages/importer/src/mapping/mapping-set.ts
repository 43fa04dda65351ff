import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { ImportError } from '../errors/import-error.ts';
import { inspectJoin, inspectMapping } from './inspect-mapping.ts';
import type { Mapping } from './mapping.ts';
import { type MappingError, mappingError, pointer } from './mapping-error.ts';
import { schemaErrors } from './schema-errors.ts';

/** A mapping file: makes records of the rows of one file, or of each file of an export. */
export interface MappingSet {
  /** The name of the mapping's file. */
  readonly name: string;
  readonly description?: string | undefined;
  /** In the order in which their files are applied. */
  readonly mappings: readonly [Mapping, ...Mapping[]];
}

/** The content of a mapping file that fits its schema. */
type Given = Partial<Omit<Mapping, 'name' | 'at' | 'shared' | 'file'>> & {
  readonly $schema?: string;
  readonly source: string;
  readonly files?: readonly (Partial<Mapping> & Pick<Mapping, 'file'>)[];
};

/**
 * Reads a mapping file.
 * @throws ImportError if it cannot be read or is not a valid mapping, with the positions.
 */
export async function loadMapping(path: string): Promise<MappingSet> {
  const name = basename(path);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new ImportError('mapping', `The mapping ${path} does not exist or is not readable.`);
  });
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportError('mapping', `The mapping ${name} is not JSON: ${reason}`);
  }
  return checkMapping(name, given);
}

/**
 * Checks a mapping, as far as that is possible without a row.
 * @throws ImportError listing every fault once, each with its position as a JSON Pointer.
 */
export function checkMapping(name: string, given: unknown): MappingSet {
  const unshaped = schemaErrors(given);
  if (unshaped.length > 0) throw mappingError(name, unshaped);
  const { files, records } = given as Given;
  if ((files === undefined) === (records === undefined)) {
    throw mappingError(name, [{ at: '', message: 'needs either "records" or "files"' }]);
  }
  const mappings = expand(name, given as Given);
  const [first, ...rest] = mappings;
  const faults = mappings.flatMap((one) => [...inspectMapping(one).faults]);
  faults.push(...outlineErrors(given as Given, mappings));
  if (first === undefined || faults.length > 0) throw mappingError(name, faults);
  return { name, description: (given as Given).description, mappings: [first, ...rest] };
}

/**
 * The mapping of a file: the first of an export whose `file` matches the name.
 * @throws ImportError if none does.
 */
export function mappingOf(set: MappingSet, path: string): Mapping {
  const [only] = set.mappings;
  if (only.file === undefined) return only;
  const found = set.mappings.find((mapping) => fits(mapping, path));
  if (found !== undefined) return found;
  const names = set.mappings.map(({ file }) => file).join(', ');
  throw new ImportError(
    'mapping',
    `The mapping ${set.name} describes no file ${path} (only ${names}).`,
  );
}

/** Whether the mapping reads a file, by its name without folder, `.gz` and `.zst`. */
export function fits({ file = '*' }: Pick<Mapping, 'file'>, path: string): boolean {
  const name = basename(path).replace(/\.(?:gz|zst)$/u, '');
  const [start = '', ...rest] = file.split('*');
  const end = rest.pop();
  if (end === undefined) return name === file;
  if (!name.startsWith(start) || !name.endsWith(end)) return false;
  let at = start.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at + end.length <= name.length;
}

function expand(name: string, given: Given): readonly Mapping[] {
  const { files, $schema: _, ...top } = given;
  const whole = (more: object, at: string, shared: ReadonlySet<string>) =>
    ({ ...top, ...more, name, at, shared }) as Mapping;
  if (files === undefined) return [whole({}, '', new Set())];
  return files.map((file, index) => {
    const shared = new Set(Object.keys(top).filter((member) => !Object.hasOwn(file, member)));
    const tables = { ...top.tables, ...file.tables };
    return whole({ records: [], ...file, tables }, pointer('', 'files', index), shared);
  });
}

/** Errors in the files and joins of a mapping file. */
function outlineErrors(
  { joins = {} }: Given,
  mappings: readonly Mapping[],
): readonly MappingError[] {
  const faults: MappingError[] = [];
  const joined = new Set(Object.values(joins).map(({ file }) => file));
  for (const { format, at, file, records } of mappings) {
    if (format === undefined) faults.push({ at, message: 'the member "format" is missing' });
    if (records.length > 0 || joined.has(file ?? '')) continue;
    faults.push({ at, message: 'the member "records" is missing, and no join reads the file' });
  }
  for (const [name, join] of Object.entries(joins)) {
    const at = pointer('', 'joins', name);
    const mapping = mappings.find(({ file }) => file === join.file);
    const message = `there is no file "${join.file}" in "files"`;
    if (mapping === undefined) faults.push({ at: pointer(at, 'file'), message });
    else faults.push(...inspectJoin(mapping, join, at).faults);
  }
  return faults;
}
