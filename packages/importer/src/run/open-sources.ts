import { createReadStream } from 'node:fs';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ImportError } from '../errors/import-error.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { loadMapping, type MappingSet, mappingOf } from '../mapping/mapping-set.ts';
import { readJoins } from '../mapping/read-joins.ts';
import { readMapped } from '../mapping/read-mapped.ts';
import type { ImportLine } from '../records/lines.ts';
import { Respellings } from '../report/respellings.ts';
import { SideFile } from '../report/side-file.ts';
import { decompress } from '../sources/decompress.ts';
import { readIterable, readNdjson } from '../sources/read-lines.ts';
import type { SourceItems } from '../sources/source-item.ts';
import type { SideFiles } from './stage-sources.ts';

/** Something to import, which can be read once. */
export interface OpenSource {
  readonly name: string;
  /** The path that the names of its side files begin with. */
  readonly sidePath: string;
  /** The mapping that makes lines of its rows. */
  readonly mapping?: Mapping | undefined;
  /** Whether it is an error if it is empty. */
  readonly isFile: boolean;
  items(file: number): SourceItems;
}

/** Lines made by a program. */
export interface LineStream {
  /** The name in reports. */
  readonly name: string;
  readonly lines: AsyncIterable<string | ImportLine> | Iterable<string | ImportLine>;
}

/** The input of an import. */
export interface Sources {
  /** Files to read, together one import: NDJSON, or files of the mapping; `-` is `input`. */
  readonly files?: readonly string[];
  /** Lines made by a program, after the files. */
  readonly stream?: LineStream;
  /** A mapping, or the path of a mapping file. */
  readonly mapping?: string | MappingSet;
  /** Standard input, for the file named `-`. */
  readonly input?: AsyncIterable<Buffer>;
  /** The folder for files of rejected and repaired lines; by default that of the imported file. */
  readonly rejectedFolder?: string;
}

/** The file name of standard input. */
export const STDIN_NAME = '-';

const BLOCK_BYTES = 256 * 1024;

/**
 * Opens the input of an import and its mapping.
 * @throws ImportError if something cannot be read, there is nothing to read, or a side file would
 *   overwrite another file of the import.
 */
export async function openSources(given: Sources) {
  const { files = [], stream, rejectedFolder } = given;
  const mapping =
    typeof given.mapping === 'string' ? await loadMapping(given.mapping) : given.mapping;
  const sources: OpenSource[] = [];
  for (const [path, mapped] of await mappedFiles(files, mapping)) {
    // A file that only serves a join has been read.
    if (mapped?.records.length === 0) continue;
    sources.push(await openFile(path, mapped, given));
  }
  if (stream !== undefined) {
    const sidePath = join(rejectedFolder ?? '.', basename(stream.name));
    const items = (file: number) => readIterable(file, stream.lines);
    sources.push({ name: stream.name, sidePath, isFile: false, items });
  }
  if (sources.length === 0) throw new ImportError('file', 'There is nothing to import.');
  await rejectSharedSides(sources, files);
  return { mapping, sources };
}

/** Opens a file, to read it as NDJSON or through a mapping. */
async function openFile(
  path: string,
  mapping: Mapping | undefined,
  { input, rejectedFolder }: Sources,
): Promise<OpenSource> {
  const isInput = path === STDIN_NAME;
  if (isInput && input === undefined) {
    throw new ImportError('file', 'Standard input is not available.');
  }
  if (!isInput) await checkReadable(path);
  const name = isInput ? 'stdin' : path;
  const bytes = () => (isInput && input ? decompress(input, name) : fileBytes(path));
  const folder = rejectedFolder ?? (isInput ? '.' : dirname(path));
  return {
    name,
    mapping,
    sidePath: join(folder, basename(name)),
    isFile: true,
    items: (file) =>
      named(
        name,
        mapping === undefined ? readNdjson(file, bytes()) : readMapped(file, bytes(), mapping),
      ),
  };
}

async function checkReadable(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
  } catch {
    throw new ImportError('file', `The file ${path} does not exist or is not readable.`);
  }
  if ((await stat(path)).isDirectory()) {
    throw new ImportError('file', `${path} is a folder; pass the files in it.`);
  }
}

function fileBytes(path: string): AsyncIterable<Buffer> {
  return decompress(readFile(path), path);
}

async function* readFile(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: BLOCK_BYTES });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportError('file', `Reading the file ${path} failed: ${reason}.`);
  }
}

/** Adds the name of the file to errors. */
async function* named(path: string, items: SourceItems): SourceItems {
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof ImportError) || error.message.includes(path)) throw error;
    throw new ImportError(error.code, `${path}: ${error.message}`);
  }
}

/** Each file with its mapping, in the order in which the mapping applies them. */
async function mappedFiles(
  files: readonly string[],
  set: MappingSet | undefined,
): Promise<readonly (readonly [path: string, mapping: Mapping | undefined])[]> {
  if (set === undefined) return files.map((path) => [path, undefined]);
  const given = files.map((path) => [path, mappingOf(set, path)] as const);
  const joined = await readJoins(set, (mapping) =>
    given.flatMap(([path, own]) => (own === mapping ? [() => fileBytes(path)] : [])),
  );
  const order = (mapping: Mapping) => set.mappings.indexOf(mapping);
  return [...given]
    .sort(([, a], [, b]) => order(a) - order(b))
    .map(([path, mapping]) => [path, joined[order(mapping)] ?? mapping]);
}

const SIDE_NAMES = ['rejected', 'repaired'] as const;
const sideOf = ({ sidePath }: OpenSource, name: (typeof SIDE_NAMES)[number]) =>
  `${sidePath}.${name}.ndjson`;

/** Opening a side file deletes an existing file, so each path must be unique. */
async function rejectSharedSides(
  sources: readonly OpenSource[],
  files: readonly string[],
): Promise<void> {
  const takenBy = new Map<string, string>();
  for (const file of files) {
    if (file !== STDIN_NAME)
      takenBy.set(await canonical(file), `but ${file} is one of the files to import`);
  }
  for (const source of sources) {
    for (const name of SIDE_NAMES) {
      const side = await canonical(sideOf(source, name));
      const taken = takenBy.get(side);
      if (taken !== undefined) {
        const what = `The ${name} lines of ${source.name} would go to ${side}, ${taken}`;
        throw new ImportError('file', `${what}; import them separately, or rename one.`);
      }
      takenBy.set(side, `the same file as the ${name} lines of ${source.name}`);
    }
  }
}

/** A path without links, if it exists. */
async function canonical(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** The side files of each source; deletes those of an earlier import. */
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
