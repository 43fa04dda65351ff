/**
 * Writes a corpus of startups with their rounds, investors, valuations, people and news, the feed
 * and the facet index, into a folder of data that other benches use: `--data=DIR`.
 *
 * Run with `npm run bench -- corpus --data=DIR`. Options: `--startups=1000000`, `--seed=1`.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { benchOptions, grouped, openDataFolder, say } from '@vcds/test-kit/bench';
import { describeCorpus } from './corpus/describe-corpus.ts';
import { loadCorpus } from './corpus/load.ts';

/** Nothing is lost by a crash of a load that starts again from an empty folder. */
const LOADING = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  shared_buffers: '1GB',
  max_wal_size: '2GB',
};
const { data, startups, seed } = benchOptions({ data: '', startups: 1_000_000, seed: 1 });
if (data === '') throw new Error('Name the folder of the data: --data=DIR');

const folder = await openDataFolder(data, LOADING);
try {
  if (!folder.isNew) throw new Error(`${data} has a database already.`);
  const startedMs = performance.now();
  const seconds = () => ((performance.now() - startedMs) / 1_000).toFixed(0).padStart(5);
  await loadCorpus(
    folder.url,
    { startups, seed },
    { onStep: (name) => say(`${seconds()} s ${name}`) },
  );
  say(`${seconds()} s done: ${grouped(startups)} startups`);
  const description = await describeCorpus(folder.url, { startups, seed });
  await writeFile(join(data, 'README.md'), description);
  say(`\n${description}`);
} finally {
  await folder.close();
}
