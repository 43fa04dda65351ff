/**
 * Whether the response time of register reveals a known address: at least 2,000 known and 2,000 new
 * ones in random order, each from its own client address, to access-api as a process; compared by a
 * Mann-Whitney U test (two-sided).
 *
 * Run with `npm run bench -- timing`; `--each=N` addresses of each kind (2000).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '@vcds/service-kit';
import { openTestServers } from '@vcds/test-kit/servers';
import { openDatabase } from '../src/store/database.ts';
import { createJournal } from '../src/store/journal.ts';

const MAIN = fileURLToPath(new URL('../../main.js', import.meta.url));
const SECRET = 'a-secret-of-enough-characters-for-a-bench';
const WARM_UP = 200;

const { values: options } = parseArgs({ options: { each: { type: 'string', default: '2000' } } });
const each = Number(options.each);
const servers = await openTestServers();
let child: ChildProcess | undefined;
try {
  const databaseUrl = await servers.createDatabase({ migrated: true });
  const known = Array.from({ length: each }, (_, i) => `known${i}@example.com`);
  await createAccounts(databaseUrl, known);
  const [port, internalPort] = [await freePort(), await freePort()];
  child = await start(databaseUrl, await servers.claimRedis(), port, internalPort);
  const url = `http://127.0.0.1:${port}/api/v1/auth/register`;
  for (let i = 0; i < WARM_UP; i++) await timed(url, `warm${i}@example.com`, i);
  report(...(await measure(url, known)));
} finally {
  if (child !== undefined && child.exitCode === null) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  }
  await servers.close();
}

async function createAccounts(databaseUrl: string, addresses: readonly string[]): Promise<void> {
  const database = openDatabase(databaseUrl);
  const journal = createJournal(database, systemClock);
  for (const email of addresses) {
    await journal.createAccount({ id: randomUUID(), email, name: null, plan: 'free' });
  }
  await database.$disconnect();
}

async function start(databaseUrl: string, redisUrl: string, port: number, internalPort: number) {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    SERVICE_TOKEN_SECRET: SECRET,
    CODE_SECRET: SECRET,
    MX_CHECK: 'off',
    TRUST_PROXY: '1',
    REQUIRE_HTTPS: 'false',
    LOG_LEVEL: 'warn',
    ACCESS_API_PORT: String(port),
    DRAIN_MS: '0',
    ACCESS_API_INTERNAL_PORT: String(internalPort),
  };
  const process_ = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${internalPort}/ready`).catch(() => undefined);
    if (answer?.ok) return process_;
    await delay(50);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Milliseconds to the end of the answer. */
async function timed(url: string, email: string, client: number): Promise<number> {
  const startedAt = performance.now();
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Forwarded-For': `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`,
    },
    body: JSON.stringify({ email }),
  });
  await answer.arrayBuffer();
  const ms = performance.now() - startedAt;
  if (answer.status !== 202) throw new Error(`Register answered ${answer.status}.`);
  return ms;
}

async function measure(url: string, known: readonly string[]): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []];
  let client = WARM_UP;
  for (const [i, address] of known.entries()) {
    const fresh = `fresh${i}@example.com`;
    const order = randomInt(2) === 0 ? [0, 1] : [1, 0];
    for (const kind of order) {
      const ms = await timed(url, kind === 0 ? address : fresh, client++);
      times[kind === 0 ? 0 : 1].push(ms);
    }
  }
  return times;
}

function report(known: number[], fresh: number[]): void {
  const line = (name: string, times: readonly number[]): string => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number): string =>
      (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(3);
    return `${name}  n ${sorted.length}  p50 ${at(0.5)} ms  p90 ${at(0.9)} ms  p99 ${at(0.99)} ms`;
  };
  const { z, p } = mannWhitney(known, fresh);
  process.stdout.write(`${line('known', known)}\n${line('new  ', fresh)}\n`);
  process.stdout.write(`Mann-Whitney U: z ${z.toFixed(2)}, p ${p.toFixed(3)} (two-sided)\n`);
}

/** The normal approximation, which holds from a few dozen on; ties do not occur in such times. */
function mannWhitney(a: readonly number[], b: readonly number[]): { z: number; p: number } {
  const ranked = [
    ...a.map((value) => ({ value, isFirst: true })),
    ...b.map((value) => ({ value, isFirst: false })),
  ].sort((left, right) => left.value - right.value);
  const rankSum = ranked.reduce((sum, { isFirst }, i) => (isFirst ? sum + i + 1 : sum), 0);
  const u = rankSum - (a.length * (a.length + 1)) / 2;
  const mean = (a.length * b.length) / 2;
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
  const z = (u - mean) / deviation;
  return { z, p: 2 * upperTail(Math.abs(z)) };
}

/** Of the standard normal distribution (Abramowitz & Stegun 26.2.17, error below 1e-7). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const polynomial =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}
