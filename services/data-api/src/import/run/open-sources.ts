import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ImportError } from '../import-error.ts';
import { loadMapping } from '../mapping/mapping.ts';
import { Respellings } from '../report/respellings.ts';
import { SideFile } from '../report/side-file.ts';
import { type OpenSource, openFile, openStream } from '../sources/open-source.ts';
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
  for (const file of files) sources.push(await openFile(file, mapping, rejectedFolder));
  if (stream !== undefined) sources.push(openStream(stream, rejectedFolder));
  if (sources.length === 0) throw new ImportError('file', 'There is nothing to import.');
  await refuseSharedSides(sources, files);
  return { mapping, sources };
}

const sideNames = ['rejected', 'repaired'] as const;
const sideOf = ({ sidePath }: OpenSource, name: (typeof sideNames)[number]) =>
  `${sidePath}.${name}.ndjson`;

/** Opening a side file removes what stood there, so each must be one file's alone. */
async function refuseSharedSides(
  sources: readonly OpenSource[],
  files: readonly string[],
): Promise<void> {
  const takenBy = new Map<string, string>();
  for (const file of files) takenBy.set(await canonical(file), `${file} is to be imported`);
  for (const source of sources) {
    for (const name of sideNames) {
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
