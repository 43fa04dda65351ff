import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ImportError } from '../errors/import-error.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { loadMapping, type MappingSet, mappingOf } from '../mapping/mapping-set.ts';
import { readJoins } from '../mapping/read-joins.ts';
import { Respellings } from '../report/respellings.ts';
import { SideFile } from '../report/side-file.ts';
import {
  fileBytes,
  type OpenSource,
  openFile,
  openInput,
  openStream,
  STDIN_NAME,
} from './open-source.ts';
import type { ImportOptions } from './run-import.ts';
import type { SideFiles } from './stage-sources.ts';

/**
 * Opens what an import is to read, and its mapping.
 * @throws ImportError when something cannot be read, there is nothing, or a file beside one would
 *   take the place of another.
 */
export async function openSources(options: ImportOptions) {
  const { files = [], stream, rejectedFolder } = options;
  const mapping =
    typeof options.mapping === 'string' ? await loadMapping(options.mapping) : options.mapping;
  const sources: OpenSource[] = [];
  for (const [path, mapped] of await mappedFiles(files, mapping)) {
    sources.push(
      path === STDIN_NAME
        ? openInput(options.input, mapped, rejectedFolder)
        : await openFile(path, mapped, rejectedFolder),
    );
  }
  if (stream !== undefined) sources.push(openStream(stream, rejectedFolder));
  if (sources.length === 0) throw new ImportError('file', 'There is nothing to import.');
  await refuseSharedSides(sources, files);
  return { mapping, sources };
}

/** Each file with the mapping that reads it, in the order in which the mapping applies them. */
async function mappedFiles(
  files: readonly string[],
  set: MappingSet | undefined,
): Promise<readonly (readonly [path: string, mapping: Mapping | undefined])[]> {
  if (set === undefined) return files.map((path) => [path, undefined]);
  const given = files.map((path) => [path, mappingOf(set, path)] as const);
  const joined = await readJoins(set, (mapping) =>
    given.flatMap(([path, own]) => (own === mapping ? [() => fileBytes(path)] : [])),
  );
  const place = (mapping: Mapping) => set.mappings.indexOf(mapping);
  return [...given]
    .sort(([, a], [, b]) => place(a) - place(b))
    .map(([path, mapping]) => [path, joined[place(mapping)] ?? mapping]);
}

const SIDE_NAMES = ['rejected', 'repaired'] as const;
const sideOf = ({ sidePath }: OpenSource, name: (typeof SIDE_NAMES)[number]) =>
  `${sidePath}.${name}.ndjson`;

/** Opening a side file removes what stood there, so each must be one file's alone. */
async function refuseSharedSides(
  sources: readonly OpenSource[],
  files: readonly string[],
): Promise<void> {
  const takenBy = new Map<string, string>();
  for (const file of files) {
    if (file !== STDIN_NAME) takenBy.set(await canonical(file), `${file} is to be imported`);
  }
  for (const source of sources) {
    for (const name of SIDE_NAMES) {
      const side = await canonical(sideOf(source, name));
      const taken = takenBy.get(side);
      if (taken !== undefined) {
        const what = `The ${name} lines of ${source.name} would go to ${side}, but ${taken}`;
        throw new ImportError('file', `${what}; import them apart, or rename one.`);
      }
      takenBy.set(side, `those of ${source.name} go there too`);
    }
  }
}

/** A path without links, as far as it is there. */
async function canonical(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** The files beside each source; what an earlier import left there goes. */
export async function openSides(sources: readonly OpenSource[]): Promise<readonly SideFiles[]> {
  const sides: SideFiles[] = [];
  for (const source of sources) {
    const rejected = await SideFile.at(sideOf(source, 'rejected'));
    const repaired = await SideFile.at(sideOf(source, 'repaired'));
    const respelled = new Respellings(repaired);
    const counts = { read: 0, readLast: 0, rejectedLast: 0 };
    sides.push({ name: source.name, rejected, repaired, respelled, ...counts });
  }
  return sides;
}
