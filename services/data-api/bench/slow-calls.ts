/**
 * Measures single calls over HTTP that a plan allows and that were slow, or are of a kind that can be:
 * the first, the second, the median and the slowest of those after them, one at a time, and the
 * processor time of Node and of PostgreSQL. The report is sorted by cost and states whether the bounds are met.
 *
 * Run with `npm run bench -- slow-calls --data=DIR`, after `npm run bench -- corpus --data=DIR`.
 * Options: `--calls=20` after the second, `--only=TEXT` of titles, `--buffers=1GB` of PostgreSQL;
 * `--grid` measures pages of many filters, orders and sizes, `--skips` pages after many records of each
 * collection, `--fields` pages and counts by one condition on each field, `--pairs` by conditions on each two. They list
 * the calls that miss the bounds.
 */
import {
  benchOptions,
  grouped,
  openDataFolder,
  quantile,
  say,
  table,
  timed,
} from '@vcds/test-kit/bench';
import { familyProcessorMs, processorMs } from './collections/processor.ts';
import { facetsLoaded } from './collections/systems.ts';
import { readExamples } from './corpus/describe-corpus.ts';
import { httpGet } from './http-get.ts';
import { openMeteringBed } from './metering/bed.ts';
import { slowCalls } from './slow-calls/calls.ts';
import { fieldGrid, pairGrid } from './slow-calls/field-grid.ts';
import { pageGrid } from './slow-calls/page-grid.ts';
import { skipGrid } from './slow-calls/skip-grid.ts';

/** Milliseconds that the median and the slowest of a hundred calls may take. */
const BOUNDS = { p50: 50, p99: 200 };
/** A call that takes longer is repeated less often. */
const SLOW_MS = 2_000;
const REPEATS_OF_SLOW = 3;

const options = benchOptions({
  ...{ data: '', calls: 20, only: '', buffers: '1GB' },
  ...{ grid: false, skips: false, fields: false, pairs: false },
});
const isGrid = options.grid || options.skips || options.fields || options.pairs;
if (options.data === '') throw new Error('Name the folder of the data: --data=DIR');

const folder = await openDataFolder(options.data, { shared_buffers: options.buffers });
const bed = await openMeteringBed({ databaseUrl: folder.url });
try {
  const keys = await bed.issueKeys('scale', 8);
  const { root, pid, internalUrl } = await bed.startDataApi({});
  await facetsLoaded(internalUrl);
  const all = isGrid
    ? [
        ...(options.grid ? await pageGrid(folder.url) : []),
        ...(options.skips ? await skipGrid(folder.url) : []),
        ...(options.fields ? await fieldGrid(root, keys[0] ?? '') : []),
        ...(options.pairs ? await pairGrid(root, keys[0] ?? '') : []),
      ]
    : slowCalls(await readExamples(folder.url));
  const calls = all.filter(({ title }) => title.includes(options.only));
  const measured = [];
  for (const call of calls) {
    const start = `${root}${call.path}`;
    const url = call.isLinked ? await linkedUrl(start, root, keys) : start;
    const figures = await measure(url, keys, pid, call.title);
    say(`${figures.title}: ${figures.median.toFixed(1)} ms`);
    measured.push(figures);
  }
  const isMet = ({ status, median, slowest }: Figures) =>
    status === 200 && median <= BOUNDS.p50 && slowest <= BOUNDS.p99;
  const rows = measured
    .sort((a, b) => b.median - a.median)
    .filter((each) => !isGrid || !isMet(each))
    .map((each) => {
      const { title, status, bytes, first, second, median, slowest, nodeMs, postgresMs } = each;
      const times = [first, second, median, slowest, nodeMs, postgresMs];
      const cells = [title, status, grouped(bytes / 1_000), ...times.map((ms) => ms.toFixed(1))];
      return [...cells, isMet(each) ? 'met' : 'missed'];
    });
  const times = ['first ms', 'second ms', 'median ms', 'slowest ms', 'Node ms', 'PostgreSQL ms'];
  if (isGrid) say(`\n${summaryOf(measured, isMet)}`);
  say(`\n${table(['Call', 'Status', 'kB', ...times, `${BOUNDS.p50}/${BOUNDS.p99} ms`], rows)}`);
} finally {
  await bed.close();
  await folder.close();
}

function summaryOf(measured: readonly Figures[], isMet: (figures: Figures) => boolean): string {
  const rows = [...new Set(measured.map(kindOf))].sort().map((kind) => {
    const calls = measured.filter((each) => kindOf(each) === kind);
    const medians = calls.map(({ median }) => median);
    const mean = medians.reduce((sum, ms) => sum + ms, 0) / medians.length;
    const cells = [mean, ...[0.5, 0.99, 1].map((part) => quantile(medians, part))];
    return [kind, calls.length, calls.filter(isMet).length, ...cells.map((ms) => ms.toFixed(1))];
  });
  return table(
    ['Pages', 'Calls', 'Bounds met', 'mean ms', 'median ms', '99 % ms', 'longest ms'],
    rows,
  );
}

/** Of a call of a grid: the part of its title before the collection. */
function kindOf({ title }: Figures): string {
  return title.slice(0, title.indexOf(' of '));
}

async function linkedUrl(url: string, root: string, [key = '']: readonly string[]) {
  const { link = '', status, text } = await httpGet(url, { headers: { 'X-Api-Key': key } });
  const [, path = ''] = /^<[^>]*?\/v2([^>]*)>/.exec(link) ?? [];
  if (path === '') throw new Error(`${url} (${status}) has no next page: ${text.slice(0, 200)}`);
  return `${root}${path}`;
}

type Figures = Awaited<ReturnType<typeof measure>>;

async function measure(url: string, keys: readonly string[], pid: number, title: string) {
  let [status, bytes, turn] = [0, 0, 0];
  const once = () =>
    timed(async () => {
      const headers = { 'X-Api-Key': keys[turn++ % keys.length] ?? '' };
      const reply = await httpGet(url, { headers });
      [status, bytes] = [Math.max(status, reply.status), reply.text.length];
    });
  const [first, second] = [await once(), await once()];
  const [node, postgres] = [processorMs(pid), familyProcessorMs(folder.pid)];
  const repeats = second > SLOW_MS ? REPEATS_OF_SLOW : options.calls;
  const times: number[] = [];
  for (let n = 0; n < repeats; n += 1) times.push(await once());
  const nodeMs = (processorMs(pid) - node) / repeats;
  const postgresMs = (familyProcessorMs(folder.pid) - postgres) / repeats;
  const [median, slowest] = [quantile(times, 0.5), quantile(times, 1)];
  return { title, status, bytes, first, second, median, slowest, nodeMs, postgresMs };
}
