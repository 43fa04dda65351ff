// Tests docs/spec/errors.md 11.1.
// Tests docs/spec/limits.md 12.1.
import { once } from 'node:events';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { closedAfterAll, runs, spawnService, startDurableProduct } from '@vcds/test-kit';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import pg from 'pg';
import { type Answer, openAnswerChecker } from '../../src/answers/check.ts';
import { API_KEY, type Call, callsOf } from './calls.ts';
import { DOCUMENTS, OPERATIONS } from './descriptions.ts';
import { send } from './send.ts';
import { openStatementProxy } from './statement-proxy.ts';

const SEED = Number(process.env.VCDS_FUZZ_SEED ?? Date.now() % 2 ** 31);
const STATEMENT_TIMEOUT_MS = 10_000;
/** A process responds to 100 errors of an account without a delay. */
const CALLS_PER_ACCOUNT = 80;
const ACCOUNTS = 60;
const REPEATS = 40;
const WORK_FACTOR_MAX = 10;

// Every site that /find reads is this one.
const site = createServer((_, response) => response.end('<title>Agora</title>'));
await once(site.listen(0, '127.0.0.1'), 'listening');
const product = await startDurableProduct({ programs: [] });
const proxy = await openStatementProxy(product.database.url);
const environment = {
  ...product.environment,
  DATABASE_URL: proxy.urlOf(product.environment.DATABASE_URL ?? ''),
  ACCESS_DATABASE_URL: proxy.urlOf(product.environment.ACCESS_DATABASE_URL ?? ''),
  IMPORT_DATABASE_URL: product.database.urlOf('vcds_importer'),
  OUTBOUND_TEST_ADDRESS: `127.0.0.1:${(site.address() as AddressInfo).port}`,
  STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
};
await run('packages/demo-data/dist/cli.js', '--startups', '120', '--today', '2026-06-01');
const ids = await addRecords();
await run('services/data-api/dist/worker/train/cli.js', 'train');
const services = {
  'access-api': spawnService('access-api', environment),
  'data-api': spawnService('data-api', environment),
};
const workers = ['worker', 'data-worker'].map((program) =>
  spawnService(program, product.environment),
);
const agent = new Agent({ keepAlive: true });
const redis = new Redis(product.redis.url);
await closedAfterAll({
  close: async () => {
    agent.destroy();
    redis.disconnect();
    await Promise.all([...Object.values(services), ...workers].map((each) => each.end()));
    await product.close();
    proxy.close();
    site.close();
  },
});
const internalUrls = await Promise.all(Object.values(services).map((each) => each.ready()));
const originOf = { 'data-api': product.dataUrl, 'access-api': product.accessUrl };
const accounts = await product.issue(
  ...Array.from({ length: ACCOUNTS }, () => ({ plan: 'scale', keys: [{}] })),
);
const keys = accounts.flatMap((account) => account.keys.map(({ apiKey }) => apiKey));
const checker = openAnswerChecker(DOCUMENTS);

let calls = 0;
const statuses = new Map<number, number>();
/** The longest request of each error of each operation, by the service that it is sent to. */
const errors = { 'data-api': new Map<string, Call>(), 'access-api': new Map<string, Call>() };
type Service = keyof typeof errors;

beforeAll(() => print(`VCDS_FUZZ_SEED=${SEED}`));
afterAll(() => {
  const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  print(`${calls} calls; ${counts.join(', ')}; slowest statement ${proxy.slowestMs() | 0} ms`);
});

describe('requests made from the descriptions', () => {
  test.each(
    OPERATIONS.map((one, index) => [`${one.service} ${one.name}`, one, SEED + index] as const),
  )('%s', async (_, operation, seed) => {
    await fc.assert(
      fc.asyncProperty(callsOf(operation, ids), async (call) => {
        const key = keys[Math.floor(calls / CALLS_PER_ACCOUNT) % keys.length] ?? '';
        calls += 1;
        const before = await balanceOf(key);
        const answer = await send(agent, originOf[operation.service], call, key);
        const charged = before - (await balanceOf(key));
        expect(faultsOf(answer, charged)).toEqual([]);
        keepLongest(operation.service, operation.name, call, answer);
      }),
      { ...runs(3), seed },
    );
  });
});

test('no statement exceeds its time limit', () => {
  expect(proxy.statements()).toBeGreaterThan(0);
  expect(proxy.slowestMs()).toBeLessThan(STATEMENT_TIMEOUT_MS + 1_000);
});

test.each([
  ['data-api', '/v2/startups?unknown=1'],
  ['access-api', '/api/v1/usage?unknown=1'],
] as const)(
  'the work of the worst error of %s is at most ten times that of a plain one',
  async (service, url) => {
    const plain: Call = { method: 'GET', url, body: '', headers: { 'X-Api-Key': API_KEY } };
    await workOf(service, plain);
    const usual = await workOf(service, plain);
    const excessive: string[] = [];
    for (const [name, call] of errors[service]) {
      const work = await workOf(service, call);
      const factors = Object.entries(work).map(
        ([unit, amount]) => [unit, amount / Math.max(usual[unit as keyof Work], 1)] as const,
      );
      for (const [unit, factor] of factors) {
        if (factor > WORK_FACTOR_MAX) excessive.push(`${name}: ${factor.toFixed(1)} × ${unit}`);
      }
    }
    expect(errors[service].size).toBeGreaterThan(5);
    expect(excessive).toEqual([]);
  },
);

/** Work of one call: processor time of both services in µs, statements, commands of Redis. */
interface Work {
  readonly cpuUs: number;
  readonly statements: number;
  readonly commands: number;
}

async function workOf(service: Service, call: Call): Promise<Work> {
  const before = await workSoFar();
  for (let i = 0; i < REPEATS; i++) {
    await send(agent, originOf[service], call, keys[i % keys.length] ?? '');
  }
  const after = await workSoFar();
  return {
    cpuUs: (after.cpuUs - before.cpuUs) / REPEATS,
    statements: (after.statements - before.statements) / REPEATS,
    commands: (after.commands - before.commands) / REPEATS,
  };
}

async function workSoFar(): Promise<Work> {
  let cpuUs = 0;
  for (const internalUrl of internalUrls) {
    const metrics = await (await fetch(`${internalUrl}/metrics`)).text();
    cpuUs += 1e6 * Number(/^\w*process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]);
  }
  const commands = Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1]);
  return { cpuUs, statements: proxy.statements(), commands };
}

function faultsOf(answer: Answer, charged: number): readonly string[] {
  const { status, headers, body } = answer;
  const stated = Number(headers['x-credits-charged'] ?? 0);
  const { error } = status >= 400 && body !== '' ? JSON.parse(body) : { error: undefined };
  const isStated = status === 503 && /timed out/.test(error?.message);
  return [
    // A response to HEAD has no body with the code of an unknown path.
    answer.method === 'HEAD' && status >= 400 ? undefined : checker.check(answer),
    status >= 500 && !isStated ? `status ${status}: ${body}` : undefined,
    charged === (status >= 400 ? 0 : stated) ? undefined : `${charged} credits, not ${stated}`,
    error && error.trace_id !== headers['x-request-id'] ? 'trace_id is another' : undefined,
    headers['x-request-id'] === undefined ? 'X-Request-Id is missing' : undefined,
  ].filter((fault) => fault !== undefined);
}

function keepLongest(service: Service, operation: string, call: Call, answer: Answer): void {
  const { status, body } = answer;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  if (status < 400 || body === '') return;
  const key = `${operation} ${JSON.parse(body).error.code ?? status}`;
  const known = errors[service].get(key);
  const length = ({ url, body }: Call): number => url.length + body.length;
  if (known === undefined || length(known) < length(call)) errors[service].set(key, call);
}

async function balanceOf(apiKey: string): Promise<number> {
  const call: Call = { method: 'GET', url: '/api/v1/usage', headers: {}, body: '' };
  const { body } = await send(
    agent,
    product.accessUrl,
    { ...call, headers: { 'X-Api-Key': API_KEY } },
    apiKey,
  );
  const { remaining } = JSON.parse(body);
  if (typeof remaining !== 'number') throw new Error(`no balance: ${body}`);
  return remaining;
}

/** Runs a command of the product to its end. */
async function run(module: string, ...args: string[]): Promise<void> {
  const command = spawnService(module, environment, args);
  const [status] = await once(command.child, 'close');
  if (status !== 0) throw new Error(`${module}: ${command.output()}`);
}

/** @returns ids of records, a startup first. */
async function addRecords(): Promise<string[]> {
  const sql = new pg.Client(product.database.url);
  await sql.connect();
  await sql.query(
    `INSERT INTO venture.startup (id, name, tags, addresses, founded, website, domain, source)
     SELECT md5('s' || i)::uuid, 'Agora ' || i, '{Fintech}',
       '[{"City": "Paris", "Country": "France"}]', 2010 + i % 9, 'https://s' || i || '.example',
       's' || i || '.example', 'test'
     FROM generate_series(1, 40) AS i`,
  );
  await sql.query(
    `INSERT INTO venture.fund (id, name, tags, addresses, founded, source)
     SELECT md5('f' || i)::uuid, 'Zeta ' || i, '{Fintech}', '[{"Country": "France"}]', 2000, 'test'
     FROM generate_series(1, 10) AS i`,
  );
  const { rows } = await sql.query<{ id: string }>(
    `(SELECT id::text FROM venture.startup LIMIT 4) UNION ALL
     (SELECT id::text FROM venture.fund LIMIT 3)`,
  );
  await sql.end();
  return rows.map(({ id }) => id);
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
