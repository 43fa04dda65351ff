/**
 * Measures the overhead of metering on a call of the data API: the time of authenticate, reserve and
 * settle, and their share of Node's processor time. The baseline is the same endpoint with a fixed
 * principal and credits in memory, in the same run and in alternation.
 *
 * `npm run bench -- metering`. Options: `--clients=8,64`, `--calls=0,150` a second, all clients
 * together (0: as many as possible), `--turns=N` (20) of `--seconds=N` (1).
 */
import { benchOptions, quantile } from '@vcds/test-kit/bench';
import { type MeasuredServer, openMeteringBed } from './metering/bed.ts';
import { type Load, type LoadPlan, playLoad } from './metering/load.ts';
import type { Lap } from './metering/server.ts';

/** 25 startups in the order of their ids: the fastest list, so the share is an upper bound. */
const PATH = '/startups?$top=25&$filter=Founded%20ge%202005';
const KEYS = 16;
const WARM_UP_MS = 2_000;
const options = benchOptions({ clients: [8, 64], calls: [0, 150], turns: 20, seconds: 1 });

/** One turn of one server. */
type Turn = Load & Lap;

const bed = await openMeteringBed();
try {
  const apiKeys = await bed.issueKeys('scale', KEYS);
  const metered = await bed.startServer('metered');
  const unmetered = await bed.startServer('unmetered');
  for (const callsPerSecond of options.calls) {
    for (const clients of options.clients) {
      await measure({ clients, callsPerSecond }, metered, unmetered, apiKeys);
    }
  }
} finally {
  await bed.close();
}

async function measure(
  load: Pick<LoadPlan, 'clients' | 'callsPerSecond'>,
  metered: MeasuredServer,
  unmetered: MeasuredServer,
  apiKeys: readonly string[],
): Promise<void> {
  const turns: [with_: Turn, without: Turn][] = [];
  const warmUp = { ...load, durationMs: WARM_UP_MS };
  for (const server of [metered, unmetered]) await turnOf(server, apiKeys, warmUp);
  const durationMs = options.seconds * 1000;
  for (let turn = 0; turn < options.turns; turn++) {
    // The order alternates.
    const order = turn % 2 === 0 ? [metered, unmetered] : [unmetered, metered];
    const done = new Map<MeasuredServer, Turn>();
    for (const server of order)
      done.set(server, await turnOf(server, apiKeys, { ...load, durationMs }));
    const [with_, without] = [done.get(metered), done.get(unmetered)];
    if (with_ !== undefined && without !== undefined) turns.push([with_, without]);
  }
  const title = `${load.clients} clients, ${load.callsPerSecond || 'as many as possible'} calls/s`;
  report(`${title}, all turns`, turns);
  // The machine may be shared: the turns with the fastest unmetered calls.
  const quiet = [...turns].sort(([, a], [, b]) => b.perSecond - a.perSecond);
  report(`${title}, quietest quarter`, quiet.slice(0, Math.ceil(turns.length / 4)));
}

function report(title: string, turns: readonly [Turn, Turn][]): void {
  const all = (of: (turn: Turn) => readonly number[], which: 0 | 1): number[] =>
    turns.flatMap((pair) => of(pair[which]));
  const sum = (of: (turn: Turn) => number, which: 0 | 1): number =>
    turns.reduce((total, pair) => total + of(pair[which]), 0);
  const microsPerCall = (which: 0 | 1): number =>
    sum(({ cpuMicros }) => cpuMicros, which) / sum(({ calls }) => calls, which);
  const line = (name: string, which: 0 | 1): string => {
    const latency = all(({ latencyMs }) => latencyMs, which);
    return [
      name.padEnd(9),
      `${(sum(({ perSecond }) => perSecond, which) / turns.length).toFixed(0)} calls/s`,
      `p50 ${quantile(latency, 0.5).toFixed(2)} ms`,
      `p99 ${quantile(latency, 0.99).toFixed(2)} ms`,
      `Node ${microsPerCall(which).toFixed(0)} µs a call`,
    ].join(' · ');
  };
  const metering = all(({ meteringMs }) => meteringMs, 0);
  const share = 1 - microsPerCall(1) / microsPerCall(0);
  process.stdout.write(
    `${title}\n  ${line('metered', 0)}\n  ${line('unmetered', 1)}\n` +
      `  authenticate + reserve + settle: p50 ${quantile(metering, 0.5).toFixed(2)} ms · ` +
      `p99 ${quantile(metering, 0.99).toFixed(2)} ms · ` +
      `${(100 * share).toFixed(1)} % of Node's processor time\n`,
  );
}

async function turnOf(
  server: MeasuredServer,
  apiKeys: readonly string[],
  plan: LoadPlan,
): Promise<Turn> {
  await server.lap();
  const load = await playLoad([`${server.url}${PATH}`], apiKeys, plan);
  const failed = [...load.statuses.keys()].filter((status) => status !== 200);
  if (failed.length > 0) throw new Error(`${PATH} answers ${failed.join(', ')}.`);
  return { ...load, ...(await server.lap()) };
}
