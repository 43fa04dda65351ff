/**
 * Measures aggregates in memory, in PostgreSQL by the statements of the product, and of peers, on the same records:
 * p50 and p99 of one client, quiet and beside a thousand changes a second. All on 127.0.0.1.
 *
 * Run with `npm run bench -- aggregates --data=DIR`, after `npm run bench -- corpus --data=DIR`; the
 * changes stay in the data. Options: `--seconds=5` of each line and system, `--peers=prisma,postgraphile`,
 * `--buffers=1GB` of PostgreSQL.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openDataFolder } from '@vcds/test-kit/bench';
import type { Writing } from './beside/write.ts';
import { inDatabase, readAggregateLines } from './collections/aggregate-lines.ts';
import { compareGroups } from './collections/compare-groups.ts';
import type { Line } from './collections/lines.ts';
import { endSystems, productSystem, type System, startPeerSystem } from './collections/systems.ts';
import { PEERS } from './peers/peers.ts';
import { chosen } from './report/chosen.ts';
import { openBed } from './support/bed.ts';
import { benchOptions, folderOption, quantile, say, table } from './support/figures.ts';
import { play } from './support/play.ts';
import { residentBytes } from './support/processor.ts';

const KEYS = 8;
const WARM_UP_MS = 2_000;
const CHANGES_PER_SECOND = 1_000;
const WRITING_SECONDS_MAX = 3_600;
/** Of a statement: the bench waits for all. */
const TIMEOUT_MS = '60000';
const HEADS = [
  'Call',
  'Answered by',
  'quiet p50 / p99, ms',
  'beside',
  ': in memory, quiet',
  'beside',
];

const options = benchOptions({
  data: '',
  seconds: 5,
  peers: 'prisma,postgraphile',
  buffers: '1GB',
});
const folder = await openDataFolder(folderOption(options.data), {
  shared_buffers: options.buffers,
});
const bed = await openBed(folder.url);
let writer: ChildProcess | undefined;
try {
  const lines = await readAggregateLines(folder.url);
  const apiKeys = await bed.issueKeys('scale', KEYS);
  const memory = await startProduct('in memory', apiKeys, {});
  const sql = await startProduct('SQL', apiKeys, {
    ...{ FACET_ENGINE: 'sql', SCAN_TIMEOUT_MS: TIMEOUT_MS, STATEMENT_TIMEOUT_MS: TIMEOUT_MS },
  });
  await bed.start('data-worker');
  const systems = [memory, sql];
  for (const peer of Object.values(options.peers === '' ? {} : chosen(PEERS, options.peers))) {
    systems.push(await startPeerSystem(peer, folder.url));
  }
  await compareGroups(lines, memory, systems.slice(1));
  say('all systems give the same groups');
  const quiet = await measure(lines, systems);
  const given: Writing = {
    ...{ databaseUrl: folder.url, perSecond: CHANGES_PER_SECOND, seconds: WRITING_SECONDS_MAX },
  };
  const program = fileURLToPath(new URL('beside/write.js', import.meta.url));
  writer = spawn(process.execPath, [program, JSON.stringify(given)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  writer.stdout?.on('data', (text) => {
    written += text;
  });
  const beside = await measure(lines, systems);
  writer.kill('SIGTERM');
  await once(writer, 'close');
  say(`\nbeside: ${written}\n`);
  say(
    table(
      HEADS,
      lines.flatMap((line) => rowsOf(line, systems, quiet, beside)),
      2,
    ),
  );
} finally {
  writer?.kill('SIGKILL');
  endSystems();
  await bed.close();
  await folder.close();
}

async function startProduct(
  name: string,
  apiKeys: readonly string[],
  settings: NodeJS.ProcessEnv,
): Promise<System> {
  const { root, pid, startMs } = await bed.startDataApi(settings);
  const megabytes = Math.round(residentBytes(pid) / 1e6);
  say(`${name}: ready after ${(startMs / 1_000).toFixed(1)} s with ${megabytes} MB`);
  const product = productSystem(root, pid, apiKeys);
  if (settings.FACET_ENGINE !== 'sql') return { ...product, name };
  const inSql = ({ path }: Line['requests'][number]) => ({ path: inDatabase(path) });
  const playedOf = (line: Line) =>
    product.playedOf({ ...line, requests: line.requests.map(inSql) });
  return { name, pid, playedOf };
}

type Latencies = ReadonlyMap<Line, ReadonlyMap<System, readonly number[]>>;

/** Calls each line of each system by one client; a system that answers with an error has no latencies. */
async function measure(lines: readonly Line[], systems: readonly System[]): Promise<Latencies> {
  const measured = new Map<Line, Map<System, readonly number[]>>();
  for (const line of lines) {
    const own = new Map<System, readonly number[]>();
    for (const system of systems) {
      const played = system.playedOf(line);
      if (played === undefined) continue;
      try {
        await play(played, 1, WARM_UP_MS);
        own.set(system, (await play(played, 1, options.seconds * 1_000)).latencyMs);
      } catch (error) {
        say(`${system.name}, ${line.title}: ${error}`);
      }
    }
    measured.set(line, own);
    say(`${line.title} after ${Math.round(performance.now() / 1_000)} s`);
  }
  return measured;
}

function rowsOf(line: Line, systems: readonly System[], ...phases: readonly Latencies[]) {
  const [first] = systems;
  return systems.flatMap((system) => {
    const own = phases.map((phase) => phase.get(line)?.get(system) ?? []);
    if (own.every((latencies) => latencies.length === 0)) return [];
    const ratios = phases.map((phase, index) => {
      const of = first && phase.get(line)?.get(first);
      return (quantile(own[index] ?? [], 0.5) / quantile(of ?? [], 0.5)).toPrecision(3);
    });
    const cells = own.map((latencies) =>
      [0.5, 0.99].map((share) => quantile(latencies, share).toPrecision(3)).join(' / '),
    );
    return [[system === first ? line.title : '', system.name, ...cells, ...ratios]];
  });
}
