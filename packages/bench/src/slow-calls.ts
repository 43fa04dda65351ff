/**
 * Measures single calls over HTTP that a plan allows and that were slow, or are of a kind that can be:
 * the first, the second, the median and the slowest of those after them, one at a time, and the
 * processor time of Node and of PostgreSQL. The report is sorted by cost and states whether the bounds are met.
 *
 * Run with `npm run bench -- slow-calls --data=DIR`, after `npm run bench -- corpus --data=DIR`.
 * Options: `--calls=20` after the second, `--only=TEXT` of titles, `--buffers=1GB` of PostgreSQL;
 * `--grid` measures pages of many filters, orders and sizes, and lists those that miss the bounds.
 */
import { openDataFolder } from '@vcds/test-kit/bench';
import { linkedPage } from './collections/deep-line.ts';
import { readExamples } from './corpus/describe-corpus.ts';
import { slowCalls } from './slow-calls/calls.ts';
import { pageGrid } from './slow-calls/page-grid.ts';
import { openBed } from './support/bed.ts';
import {
  benchOptions,
  folderOption,
  grouped,
  quantile,
  say,
  table,
  timed,
} from './support/figures.ts';
import { httpGet } from './support/http-get.ts';
import { familyProcessorMs, processorMs } from './support/processor.ts';

/** Milliseconds that the median and the slowest of a hundred calls may take. */
const BOUNDS = { p50: 50, p99: 200 };
/** A call that takes longer is repeated less often. */
const SLOW_MS = 2_000;
const REPEATS_OF_SLOW = 3;

const options = benchOptions({ data: '', calls: 20, only: '', buffers: '1GB', grid: false });
const folder = await openDataFolder(folderOption(options.data), {
  shared_buffers: options.buffers,
});
const bed = await openBed(folder.url);
try {
  const keys = await bed.issueKeys('scale', 8);
  const { root, pid } = await bed.startDataApi();
  const all = options.grid ? await pageGrid(folder.url) : slowCalls(await readExamples(folder.url));
  const measured: Figures[] = [];
  for (const call of all.filter(({ title }) => title.includes(options.only))) {
    const path = call.isLinked
      ? (await linkedPage(root, call.path, keys[0] ?? '')).path
      : call.path;
    const figures = await measure(`${root}${path}`, keys, pid, call.title);
    say(`${figures.title}: ${figures.median.toFixed(1)} ms`);
    measured.push(figures);
  }
  if (options.grid) say(`\n${summaryOf(measured)}`);
  const rows = measured
    .sort((a, b) => b.median - a.median)
    .filter((each) => !options.grid || !isMet(each))
    .map((each) => {
      const { title, status, bytes, first, second, median, slowest, nodeMs, postgresMs } = each;
      const times = [first, second, median, slowest, nodeMs, postgresMs];
      const cells = [title, status, grouped(bytes / 1_000), ...times.map((ms) => ms.toFixed(1))];
      return [...cells, isMet(each) ? 'met' : 'missed'];
    });
  const times = ['first ms', 'second ms', 'median ms', 'slowest ms', 'Node ms', 'PostgreSQL ms'];
  say(`\n${table(['Call', 'Status', 'kB', ...times, `${BOUNDS.p50}/${BOUNDS.p99} ms`], rows)}`);
} finally {
  await bed.close();
  await folder.close();
}

function isMet({ status, median, slowest }: Figures): boolean {
  return status === 200 && median <= BOUNDS.p50 && slowest <= BOUNDS.p99;
}

/** A row for each size and collection: the part of a title before the filter. */
function summaryOf(measured: readonly Figures[]): string {
  const kindOf = ({ title }: Figures) => title.slice(0, title.indexOf(' of '));
  const rows = [...new Set(measured.map(kindOf))].sort().map((kind) => {
    const calls = measured.filter((each) => kindOf(each) === kind);
    const medians = calls.map(({ median }) => median);
    const mean = medians.reduce((sum, ms) => sum + ms, 0) / medians.length;
    const cells = [mean, ...[0.5, 0.99, 1].map((part) => quantile(medians, part))];
    return [kind, calls.length, calls.filter(isMet).length, ...cells.map((ms) => ms.toFixed(1))];
  });
  const times = ['mean ms', 'median ms', '99 % ms', 'longest ms'];
  return table(['Pages', 'Calls', 'Bounds met', ...times], rows);
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
