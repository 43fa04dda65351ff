/**
 * Writes a corpus of startups with their rounds, investors, valuations, people and news, the feed
 * and the facet index, into a folder of data that other benches use: `--data=DIR`.
 *
 * Run with `npm run bench -- corpus --data=DIR`. Options: `--startups=1000000`, `--seed=1`.
 */
import { writeCorpus } from './corpus/write-corpus.ts';
import { benchOptions } from './support/figures.ts';

const { data, ...size } = benchOptions({ data: '', startups: 1_000_000, seed: 1 });
if (data === '') throw new Error('Name the folder of the data: --data=DIR');
await writeCorpus(data, size);
