import { ImportError } from '../import-error.ts';
import { loadMapping } from '../mapping/mapping.ts';
import { SideFile } from '../report/side-file.ts';
import { type OpenSource, openFile, openStream } from '../sources/open-source.ts';
import type { ImportOptions } from './run-import.ts';
import type { SideFiles } from './stage-sources.ts';

/**
 * Opens what an import is to read, and its mapping.
 * @throws ImportError when something cannot be read, or there is nothing.
 */
export async function openSources(options: ImportOptions) {
  const { files = [], stream, rejectedFolder } = options;
  const mapping =
    typeof options.mapping === 'string' ? await loadMapping(options.mapping) : options.mapping;
  const sources: OpenSource[] = [];
  for (const file of files) sources.push(await openFile(file, mapping, rejectedFolder));
  if (stream !== undefined) sources.push(openStream(stream, rejectedFolder));
  if (sources.length === 0) throw new ImportError('file', 'There is nothing to import.');
  return { mapping, sources };
}

/** The files beside each source; what an earlier import left there goes. */
export async function openSides(sources: readonly OpenSource[]): Promise<readonly SideFiles[]> {
  const sides: SideFiles[] = [];
  for (const { sidePath } of sources) {
    const rejected = await SideFile.at(`${sidePath}.rejected.ndjson`);
    const repaired = await SideFile.at(`${sidePath}.repaired.ndjson`);
    sides.push({ rejected, repaired, read: 0, rejectedLast: 0 });
  }
  return sides;
}
