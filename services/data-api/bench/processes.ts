/**
 * Measures each process of the product: the time from its start until it is ready, and its memory when
 * idle and under load, on the records of a corpus.
 *
 * Run with `npm run bench -- processes --data=DIR`, after `npm run bench -- corpus --data=DIR`. Options:
 * `--clients=8`, `--seconds=10` of load, `--idle=5` seconds before the memory is read.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { benchOptions, openDataFolder, say, table } from '@vcds/test-kit/bench';
import { readLines } from './collections/lines.ts';
import { play } from './collections/play.ts';
import { residentBytes } from './collections/processor.ts';
import { openMeteringBed } from './metering/bed.ts';

const MEGABYTE = 1_000_000;
const KEYS = 64;
const LOAD = ['by-id', 'page-25', 'city', 'expand', 'search'];
const options = benchOptions({ data: '', clients: 8, seconds: 10, idle: 5 });
if (options.data === '') throw new Error('Name the folder of the data: --data=DIR');

const folder = await openDataFolder(options.data);
const bed = await openMeteringBed({ databaseUrl: folder.url });
try {
  const apiKeys = await bed.issueKeys('scale', KEYS);
  const { root } = await bed.startDataApi({});
  for (const name of ['data-worker', 'facets'] as const) await bed.startProcess(name);
  await delay(options.idle * 1_000);
  const idle = new Map(bed.processes().map(({ name, pid }) => [name, residentBytes(pid)]));
  const { origin, pathname } = new URL(root);
  const lines = await readLines(folder.url);
  const requests = LOAD.flatMap((name) => lines[name]?.requests.slice(0, 50) ?? []);
  const paths = requests.map(({ path }) => `${pathname}${path}`);
  await play({ origin, paths, apiKeys }, options.clients, options.seconds * 1_000);
  const rows = bed
    .processes()
    .map(({ name, pid, startMs }) => [
      name,
      startMs.toFixed(0),
      ((idle.get(name) ?? 0) / MEGABYTE).toFixed(0),
      (residentBytes(pid) / MEGABYTE).toFixed(0),
    ]);
  say(table(['Process', 'ready after ms', 'idle MB', 'under load MB'], rows));
} finally {
  await bed.close();
  await folder.close();
}
