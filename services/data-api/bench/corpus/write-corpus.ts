import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { grouped, LOADING, openDataFolder, say } from '@vcds/test-kit/bench';
import { describeCorpus } from './describe-corpus.ts';
import { loadCorpus } from './load.ts';
import type { CorpusSize } from './vocabulary.ts';

/**
 * Writes a corpus and its description into a new folder of data.
 *
 * @throws if the folder has a database.
 */
export async function writeCorpus(data: string, size: CorpusSize): Promise<void> {
  const folder = await openDataFolder(data, LOADING);
  try {
    if (!folder.isNew) throw new Error(`${data} has a database already.`);
    const startedMs = performance.now();
    const seconds = () => ((performance.now() - startedMs) / 1_000).toFixed(0).padStart(5);
    await loadCorpus(folder.url, size, { onStep: (name) => say(`${seconds()} s ${name}`) });
    say(`${seconds()} s done: ${grouped(size.startups)} startups`);
    const description = await describeCorpus(folder.url, size);
    await writeFile(join(data, 'README.md'), description);
    say(`\n${description}`);
  } finally {
    await folder.close();
  }
}
