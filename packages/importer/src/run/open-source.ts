import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ImportError } from '../errors/import-error.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { readMapped } from '../mapping/read-mapped.ts';
import type { ImportLine } from '../records/lines.ts';
import { decompress } from '../sources/decompress.ts';
import { readIterable, readNdjson } from '../sources/read-lines.ts';
import type { SourceItems } from '../sources/source-item.ts';

/** Something to import, ready to be read once. */
export interface OpenSource {
  readonly name: string;
  /** What files about it are named after, beside it unless told otherwise. */
  readonly sidePath: string;
  /** What makes its rows into lines. */
  readonly mapping?: Mapping | undefined;
  /** Whether it is a mistake if it holds nothing. */
  readonly isFile: boolean;
  items(file: number): SourceItems;
}

/** Lines made by a program. */
export interface LineStream {
  /** Stands for a file name in reports. */
  readonly name: string;
  readonly lines: AsyncIterable<string | ImportLine> | Iterable<string | ImportLine>;
}

const BLOCK_BYTES = 256 * 1024;

/**
 * Opens a file, to be read as NDJSON or through a mapping; gzip and zstd are decompressed.
 * @throws ImportError when it cannot be read.
 */
export async function openFile(
  path: string,
  mapping: Mapping | undefined,
  sideFolder: string | undefined,
): Promise<OpenSource> {
  try {
    await access(path, constants.R_OK);
  } catch {
    throw new ImportError('file', `The file ${path} is not there, or may not be read.`);
  }
  if ((await stat(path)).isDirectory()) {
    throw new ImportError('file', `${path} is a folder: name the files in it.`);
  }
  return openBytes(path, () => fileBytes(path), mapping, sideFolder ?? dirname(path));
}

/** What a file holds, decompressed. */
export function fileBytes(path: string): AsyncIterable<Buffer> {
  return decompress(readFile(path), path);
}

/** Stands for standard input among the names of files. */
export const STDIN_NAME = '-';

/**
 * Opens standard input; files about it go to the current folder unless told otherwise.
 * @throws ImportError where there is none.
 */
export function openInput(
  input: AsyncIterable<Buffer> | undefined,
  mapping: Mapping | undefined,
  sideFolder: string | undefined,
): OpenSource {
  if (input === undefined) throw new ImportError('file', 'There is no standard input to read.');
  return openBytes('stdin', () => decompress(input, 'stdin'), mapping, sideFolder ?? '.');
}

function openBytes(
  name: string,
  bytes: () => AsyncIterable<Buffer>,
  mapping: Mapping | undefined,
  sideFolder: string,
): OpenSource {
  return {
    name,
    mapping,
    sidePath: join(sideFolder, basename(name)),
    isFile: true,
    items: (file) =>
      named(
        name,
        mapping === undefined ? readNdjson(file, bytes()) : readMapped(file, bytes(), mapping),
      ),
  };
}

/** Errors of reading say which file they are about. */
async function* named(path: string, items: SourceItems): SourceItems {
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof ImportError) || error.message.includes(path)) throw error;
    throw new ImportError(error.code, `${path}: ${error.message}`);
  }
}

async function* readFile(path: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { highWaterMark: BLOCK_BYTES });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ImportError('file', `The file ${path} cannot be read any further: ${reason}.`);
  }
}

export function openStream(
  { name, lines }: LineStream,
  sideFolder: string | undefined,
): OpenSource {
  return {
    name,
    sidePath: join(sideFolder ?? '.', basename(name)),
    isFile: false,
    items: (file) => readIterable(file, lines),
  };
}
