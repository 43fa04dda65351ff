/**
 * Measures the product against baselines in one session, and prints one report: collections against a
 * floor and peers, facets, the change feed, imports, processes. The systems run in
 * turns; every figure is a ratio within a turn. Needs Linux.
 *
 * Run with `npm run bench` or `npm run bench -- report`. Options: `--data=DIR` of `npm run bench --
 * corpus` (else a corpus of `--startups=100000` is written and deleted afterwards), `--only=PART,…`,
 * `--lines=NAME,…`, `--clients=1,8,32`, `--peers=prisma,postgraphile,cap`, `--runs=5` of `--seconds=2`
 * each, `--imported=50000` startups of the import, `--buffers=1GB` of PostgreSQL, `--write` into
 * docs/benchmarks.md.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataFolder, openDataFolder, repositoryRoot } from '@vcds/test-kit/bench';
import { writeCorpus } from './corpus/write-corpus.ts';
import { PEERS } from './peers/peers.ts';
import { chosen } from './report/chosen.ts';
import type { Comparison } from './report/comparison.ts';
import { readEnvironment } from './report/environment.ts';
import { PARTS } from './report/parts.ts';
import { renderComparison, renderReport, replaceReport } from './report/render.ts';
import { benchOptions, say } from './support/figures.ts';

const PAGE = join(repositoryRoot, 'docs/benchmarks.md');
const SEED = 1;
const options = benchOptions({
  data: '',
  startups: 100_000,
  only: '',
  lines: '',
  clients: [1, 8, 32],
  peers: Object.keys(PEERS).join(),
  runs: 5,
  seconds: 2,
  imported: 50_000,
  buffers: '1GB',
  write: false,
});
const parts = chosen(PARTS, options.only);
const peers = Object.values(options.peers === '' ? {} : chosen(PEERS, options.peers));

const startedMs = performance.now();
const [load = Number.NaN] = loadavg();
const written = join(tmpdir(), `vcds-bench-data-${process.pid}`);
let data: DataFolder | undefined;
try {
  const comparisons: Comparison[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    say(`\n${name}, after ${minutesSince(startedMs)} min`);
    try {
      const comparison = await measure({ ...options, peers, openData });
      say(renderComparison(comparison));
      comparisons.push(comparison);
    } catch (error) {
      // The other parts are measured all the same.
      process.exitCode = 1;
      process.stderr.write(`${name} failed: ${error instanceof Error ? error.stack : error}\n`);
    }
  }
  const environment = await readEnvironment({ ...options, peers, data, load });
  const report = renderReport(environment, comparisons);
  say(`\n${report}\n\n${minutesSince(startedMs)} min`);
  if (options.write) await writeFile(PAGE, replaceReport(await readFile(PAGE, 'utf8'), report));
} finally {
  await data?.close();
  await rm(written, { recursive: true, force: true });
}

async function openData(): Promise<DataFolder> {
  if (data === undefined) {
    if (options.data === '') await writeCorpus(written, { startups: options.startups, seed: SEED });
    data = await openDataFolder(options.data || written, { shared_buffers: options.buffers });
  }
  return data;
}

function minutesSince(ms: number): string {
  return ((performance.now() - ms) / 60_000).toFixed(1);
}
