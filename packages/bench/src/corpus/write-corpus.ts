import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, LOADING, openDataFolder, withClient } from '@vcds/test-kit/bench';
import { openBed } from '../support/bed.ts';
import { grouped, say } from '../support/figures.ts';
import { describeCorpus } from './describe-corpus.ts';
import { writeRecords } from './load.ts';
import type { CorpusSize } from './vocabulary.ts';

const INDEX_MS_MAX = 7_200_000;

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
    await writeRecords(folder.url, size, {
      indexFacets: () => indexFacets(folder.url),
      onStep: (name) => say(`${seconds()} s ${name}`),
    });
    say(`${seconds()} s done: ${grouped(size.startups)} startups`);
    const description = await describeCorpus(folder.url, size);
    await writeFile(join(data, 'README.md'), description);
    say(`\n${description}`);
  } finally {
    await folder.close();
  }
}

/** Runs the programs of the product until the facet index has every logged record. */
async function indexFacets(url: string): Promise<void> {
  const bed = await openBed(url);
  try {
    await bed.start('data-worker');
    const service = bed.start('data-api').catch(() => undefined);
    const isDone = () =>
      withClient(url, async (client) => {
        const { rowCount } = await client.query('SELECT FROM venture.facet_change LIMIT 1');
        return rowCount === 0;
      });
    await eventually(isDone, { timeoutMs: INDEX_MS_MAX, intervalMs: 500 });
    await service;
  } finally {
    await bed.close();
  }
}
