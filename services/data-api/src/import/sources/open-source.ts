import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ImportError } from '../import-error.ts';
import type { ImportLine } from '../lines.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { readMapped } from '../mapping/read-mapped.ts';
import { readIterable, readNdjson } from './read-lines.ts';
import type { SourceItems } from './source-item.ts';

/** Something to import, ready to be read once. */
export interface OpenSource {
  readonly name: string;
  /** What files about it are named after, beside it unless told otherwise. */
  readonly sidePath: string;
  /** What makes its rows into lines. */
  readonly mapping?: Mapping | undefined;
  items(file: number): SourceItems;
}

/** Lines made by a program. */
export interface LineStream {
  /** Stands for a file name in reports. */
  readonly name: string;
  readonly lines: AsyncIterable<string | ImportLine> | Iterable<string | ImportLine>;
}

const blockBytes = 256 * 1024;

/**
 * Opens a file, to be read as NDJSON or through a mapping.
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
  const bytes = () => createReadStream(path, { highWaterMark: blockBytes });
  return {
    name: path,
    mapping,
    sidePath: join(sideFolder ?? dirname(path), basename(path)),
    items: (file) =>
      mapping === undefined ? readNdjson(file, bytes()) : readMapped(file, bytes(), mapping),
  };
}

export function openStream(
  { name, lines }: LineStream,
  sideFolder: string | undefined,
): OpenSource {
  return {
    name,
    sidePath: join(sideFolder ?? '.', basename(name)),
    items: (file) => readIterable(file, lines),
  };
}
