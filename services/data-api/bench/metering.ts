/**
 * What metering adds to a call of the data API: the time authenticate, reserve and settle take, and
 * their share of Node's processor time, against the same endpoint with one fixed principal and the
 * credits in memory, in the same run and in alternation.
 *
 * Run with `pnpm bench:metering`. Options: `--clients=8,64`, `--calls=0,150` a second, all clients
 * together (0: as many as are answered), `--turns=N` (20) of `--seconds=N` (1).
 */
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { openTestServers } from '@vcds/test-kit/servers';
import pg from 'pg';
import { type Load, type LoadPlan, playLoad, quantile } from './metering/load.ts';
import type { Lap } from './metering/server.ts';

/** 25 startups in the order of their ids: the lightest list there is, so that the share is harsh. */
const PATH = '/v2/startups?$top=25&$filter=Founded%20ge%202005';
const SECRET = 'the-service-secret-of-a-bench-run';
const KEYS = 16;
const WARM_UP_MS = 2_000;
const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: '8,64' },
    calls: { type: 'string', default: '0,150' },
    turns: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '1' },
  },
});
/** As seen from where this is compiled to. */
const ACCESS = fileURLToPath(new URL('../../../../access-api/dist/', import.meta.url));

/** One turn of one server. */
type Turn = Load & Lap;

const servers = await openTestServers();
const children: ChildProcess[] = [];
try {
  const databaseUrl = await servers.createDatabase({ migrated: true });
  const redisUrl = await servers.startRedisServer({ durable: true });
  await fillStartups(databaseUrl);
  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SERVICE_TOKEN_SECRET: SECRET,
    CODE_SECRET: SECRET,
    CURSOR_SECRET: SECRET,
    LOG_LEVEL: 'info',
    ACCESS_API_PORT: '0',
    ACCESS_API_INTERNAL_PORT: '0',
    MAIL_WORKER_INTERNAL_PORT: '0',
  };
  const accessPort = await startReady(`${ACCESS}main.js`, environment);
  await startReady(`${ACCESS}mail-worker/main.js`, environment);
  const apiKeys = await issueKeys(environment);
  const inner = { ...environment, ACCESS_INTERNAL_URL: `http://127.0.0.1:${accessPort}` };
  const metered = await startServer('metered', inner);
  const unmetered = await startServer('unmetered', inner);
  for (const callsPerSecond of options.calls.split(',').map(Number)) {
    for (const clients of options.clients.split(',').map(Number)) {
      await measure({ clients, callsPerSecond }, metered, unmetered, apiKeys);
    }
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  await servers.close();
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
  const durationMs = Number(options.seconds) * 1000;
  for (let turn = 0; turn < Number(options.turns); turn++) {
    // Whoever goes first goes second next time.
    const order = turn % 2 === 0 ? [metered, unmetered] : [unmetered, metered];
    const done = new Map<MeasuredServer, Turn>();
    for (const server of order)
      done.set(server, await turnOf(server, apiKeys, { ...load, durationMs }));
    const [with_, without] = [done.get(metered), done.get(unmetered)];
    if (with_ !== undefined && without !== undefined) turns.push([with_, without]);
  }
  const title = `${load.clients} clients, ${load.callsPerSecond || 'as many as possible'} calls/s`;
  report(`${title}, all turns`, turns);
  // The machine may be shared: the turns in which the calls that are not metered went best.
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

interface MeasuredServer {
  readonly url: string;
  /** What happened since it was last asked. */
  lap(): Promise<Lap>;
}

async function turnOf(
  server: MeasuredServer,
  apiKeys: readonly string[],
  plan: LoadPlan,
): Promise<Turn> {
  await server.lap();
  const load = await playLoad(`${server.url}${PATH}`, apiKeys, plan);
  return { ...load, ...(await server.lap()) };
}

async function startServer(kind: string, environment: NodeJS.ProcessEnv): Promise<MeasuredServer> {
  const entry = fileURLToPath(new URL('metering/server.js', import.meta.url));
  const child = fork(entry, [kind], { env: environment });
  children.push(child);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    lap: async () => {
      const answer = once(child, 'message');
      child.send('lap');
      const [lap] = (await answer) as [Lap];
      return lap;
    },
  };
}

/** Starts a service and waits until it is ready; the port of its internal listener. */
async function startReady(entry: string, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let said = '';
  for await (const chunk of child.stdout) {
    said += String(chunk);
    const port = /"internal":(\d+)/.exec(said)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    while (!(await fetch(`http://127.0.0.1:${port}/ready`)).ok) await delay(50);
    return Number(port);
  }
  throw new Error(`${entry} ended: ${said}`);
}

async function issueKeys(env: NodeJS.ProcessEnv): Promise<string[]> {
  const admin = async (...words: string[]): Promise<Record<string, string>> => {
    const args = [`${ACCESS}admin/cli.js`, ...words];
    return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout);
  };
  const issue = async (): Promise<string> => {
    const { account_id: id = '' } = await admin('account', 'create', '--plan', 'scale');
    return (await admin('key', 'issue', id)).api_key ?? '';
  };
  const keys: string[] = [];
  while (keys.length < KEYS) keys.push(await issue());
  return keys;
}

async function fillStartups(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    INSERT INTO venture.startup (id, name, website, domain, description, founded,
      total_raised_reported, tags, addresses, members_count, source)
    SELECT md5('startup' || i)::uuid, 'Startup ' || i, 'https://startup' || i || '.example',
      'startup' || i || '.example', 'Makes widgets for people, number ' || i || '.',
      1990 + i % 35, i * 10007::bigint, '{Fintech,Robots}',
      (ARRAY['[]', '[{"City": "Paris", "Country": "France"}]'])[1 + i % 2]::jsonb,
      i * 97 % 11000, 'bench'
    FROM generate_series(1, 20000) AS i`);
  await client.query('ANALYZE');
  await client.end();
}
