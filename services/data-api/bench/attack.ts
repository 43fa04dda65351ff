/**
 * Measures the effect of floods without a key or with a free one on the paying callers of a running stack: ten
 * callers with keys, and callers whose key is not cached, first alone, then beside each flood. Prints
 * their p50 and p99, the ratio to the quiet time before it, and the calls that failed.
 *
 * Run `npm start` with its own LOCAL_DIR and ports, then with the same variables
 * `npm run bench -- attack --url=http://127.0.0.1:8080 --access=http://127.0.0.1:8081`.
 * Options: `--seconds=30` of each flood, `--rounds=1`, `--only=KIND`. It attacks loopback only.
 */
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { benchOptions, quantile, repositoryRoot, say, table } from '@vcds/test-kit/bench';
import { Agent, request } from 'undici';
import type { Flood } from './attack/flood.ts';

const options = benchOptions({
  url: 'http://127.0.0.1:8080',
  access: 'http://127.0.0.1:8081',
  seconds: 30,
  rounds: 1,
  only: '',
});
const QUIET_SECONDS = 15;
const CALLERS = 10;
/** Beyond the time for which a checked key is cached. */
const UNCACHED_EVERY_MS = 6_000;
const UNCACHED_KEYS = 12;
const FLOODS: readonly Omit<Flood, 'key' | 'seconds'>[] = [
  { kind: 'unknown keys', origin: options.url, connections: 200, perSecond: 2_000 },
  { kind: 'no key', origin: options.url, connections: 200, perSecond: 2_000 },
  { kind: 'initialize', origin: options.url, connections: 200, perSecond: 0 },
  { kind: 'errors', origin: options.url, connections: 200, perSecond: 0 },
  { kind: 'pages', origin: options.access, connections: 200, perSecond: 0 },
  { kind: 'pipelined', origin: options.url, connections: 20, perSecond: 0 },
];
const PATHS = [
  '/v2/startups?$top=25&$orderby=Founded%20desc',
  "/v2/startups?$filter=Country%20eq%20'Germany'&$top=10",
  '/v2/funds?$top=10',
];

const run = promisify(execFile);
const admin = async (...args: readonly string[]): Promise<Record<string, string>> => {
  const script = fileURLToPath(new URL('packages/local-stack/bin/with-stack.mjs', rootUrl()));
  const cli = 'services/access-api/dist/admin/cli.js';
  const { stdout } = await run(process.execPath, [script, cli, ...args, '--json'], {
    env: { ...process.env, INIT_CWD: fileURLToPath(rootUrl()) },
  });
  return JSON.parse(stdout) as Record<string, string>;
};

const paid = await issueKeys('scale', 2 + UNCACHED_KEYS);
const [free = ''] = await issueKeys('free', 1);
const agent = new Agent({ connections: CALLERS + UNCACHED_KEYS });
const rows: unknown[][] = [];
for (let round = 1; round <= options.rounds; round += 1) {
  for (const flood of FLOODS) {
    if (options.only !== '' && !options.only.split(',').includes(flood.kind)) continue;
    const quiet = await callers(QUIET_SECONDS);
    const [beside, sent] = await Promise.all([
      callers(options.seconds),
      start({ ...flood, key: free, seconds: options.seconds }),
    ]);
    rows.push(rowOf(flood.kind, quiet, beside, sent));
    say(JSON.stringify(rows.at(-1)));
    await delay(12_000);
  }
}
const HEADS = ['flood', 'quiet p50/p99', 'beside p50/p99', 'ratio of p99', 'failed of calls'];
const UNCACHED = ['uncached quiet p99', 'uncached beside p99', 'failed', 'the flood got'];
say(table([...HEADS, ...UNCACHED], rows));
await agent.close();

/** The durations of calls in milliseconds, and the statuses of those that failed. */
interface Measured {
  readonly ms: number[];
  readonly failed: Map<string, number>;
}

async function callers(seconds: number): Promise<{ cached: Measured; uncached: Measured }> {
  const endsAtMs = performance.now() + seconds * 1_000;
  const cached: Measured = { ms: [], failed: new Map() };
  const uncachedCalls: Measured = { ms: [], failed: new Map() };
  const caller = async (number: number): Promise<void> => {
    for (let turn = number; performance.now() < endsAtMs; turn += 1) {
      await call(PATHS[turn % PATHS.length] ?? '', paid[number % 2] ?? '', cached);
      await delay(50);
    }
  };
  const rareCaller = async (number: number): Promise<void> => {
    await delay((number / UNCACHED_KEYS) * UNCACHED_EVERY_MS);
    while (performance.now() < endsAtMs) {
      await call('/v2/categories', paid[2 + number] ?? '', uncachedCalls);
      await delay(UNCACHED_EVERY_MS);
    }
  };
  await Promise.all([
    ...Array.from({ length: CALLERS }, (_, number) => caller(number)),
    ...Array.from({ length: UNCACHED_KEYS }, (_, number) => rareCaller(number)),
  ]);
  return { cached, uncached: uncachedCalls };
}

async function call(path: string, key: string, into: Measured): Promise<void> {
  const startedMs = performance.now();
  let outcome = 'no response';
  try {
    const headers = { 'x-api-key': key };
    const { statusCode, body } = await request(options.url + path, { dispatcher: agent, headers });
    await body.dump();
    outcome = String(statusCode);
  } catch {
    // Counted as no response.
  }
  into.ms.push(performance.now() - startedMs);
  if (outcome !== '200') into.failed.set(outcome, (into.failed.get(outcome) ?? 0) + 1);
}

/** Runs a flood in a process of its own, so that it does not delay the measured callers. */
async function start(flood: Flood): Promise<string> {
  const program = fileURLToPath(new URL('attack/flood.js', import.meta.url));
  const { stdout } = await run(process.execPath, [program, JSON.stringify(flood)]);
  return stdout;
}

type Callers = Awaited<ReturnType<typeof callers>>;

function rowOf(kind: string, quiet: Callers, beside: Callers, sent: string): unknown[] {
  const ms = ({ ms: all }: Measured, share: number) => quantile(all, share);
  const pair = (one: Measured) => `${ms(one, 0.5).toFixed(1)} / ${ms(one, 0.99).toFixed(1)}`;
  const ratio = ms(beside.cached, 0.99) / ms(quiet.cached, 0.99);
  return [
    ...[kind, pair(quiet.cached), pair(beside.cached), ratio.toFixed(1)],
    failures(beside.cached),
    ...[ms(quiet.uncached, 0.99).toFixed(1), ms(beside.uncached, 0.99).toFixed(1)],
    ...[failures(beside.uncached), sent],
  ];
}

function failures({ ms, failed }: Measured): string {
  const all = [...failed.values()].reduce((sum, one) => sum + one, 0);
  return `${all} of ${ms.length}${all === 0 ? '' : ` (${[...failed.keys()].join(', ')})`}`;
}

async function issueKeys(plan: string, number: number): Promise<string[]> {
  const { account_id: id = '' } = await admin('account', 'create', '--plan', plan);
  const keys: string[] = [];
  for (let i = 0; i < number; i += 1) {
    const issued = await admin('key', 'issue', id);
    if (issued.api_key !== undefined) keys.push(issued.api_key);
  }
  return keys;
}

function rootUrl(): URL {
  return new URL(`file://${repositoryRoot}/`);
}
