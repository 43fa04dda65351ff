/**
 * Measures what a call of each kind costs: processor time of data-api, access-api, the mail worker,
 * PostgreSQL and Redis, commands of Redis and bytes of the log; and what records take on disk. All
 * processes are those of production, on the data of `npm run bench -- corpus`. Needs Linux.
 *
 * Run with `npm run bench -- capacity --data=DIR`. Options: `--seconds=4` of each kind, `--clients=8`,
 * `--keys=500` of as many accounts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger, createRedis, redisReady } from '@vcds/service-kit';
import {
  benchOptions,
  eventually,
  grouped,
  killServices,
  openDataFolder,
  openOperator,
  openTestServers,
  say,
  spawnService,
  table,
  testRsaKey,
  withClient,
} from '@vcds/test-kit/bench';
import { type Meters, metric, type Reading, readMeters } from './capacity/processor.ts';
import { sizesOf } from './capacity/sizes.ts';
import { playLoad } from './metering/load.ts';

const SECRET = 'the-service-secret-of-a-bench-run';
const IDS = 1_000;
const IDLE_MS = 5_000;
const FACETS_MS_MAX = 300_000;
const options = benchOptions({ data: '', seconds: 4, clients: 8, keys: 500 });
if (options.data === '') throw new Error('Name the folder of the data: --data=DIR');

/** By how much each counter rises in a second. */
function rates(start: Reading, end: Reading): Readonly<Record<string, number>> {
  const seconds = (end.atMs - start.atMs) / 1_000;
  const rises = Object.entries(end.counters).map(([name, value]) => {
    return [name, (value - (start.counters[name] ?? 0)) / seconds] as const;
  });
  return Object.fromEntries(rises);
}

const play = (urls: readonly string[], keys: readonly string[], durationMs: number) =>
  playLoad(urls, keys, { clients: options.clients, durationMs, callsPerSecond: 0 });

const years = (pathOf: (year: number) => string) =>
  Array.from({ length: 20 }, (_, n) => pathOf(2001 + n));

const folder = await openDataFolder(options.data, { max_connections: '100' });
const servers = await openTestServers();
const REDIS_URL = await servers.startRedisServer({ durable: true });
const redis = createRedis({
  url: REDIS_URL,
  name: 'bench',
  logger: createLogger({ service: 'bench' }),
});
try {
  await redisReady(redis);
  await measure();
} finally {
  killServices();
  redis.disconnect();
  await servers.close();
  await folder.close();
}

/** The processes of production, with keys of as many accounts. */
async function startProduct() {
  const settings = {
    ...{ DATABASE_URL: folder.url, REDIS_URL, LOG_LEVEL: 'info' },
    ...{ SERVICE_TOKEN_SECRET: SECRET, CODE_SECRET: SECRET, CURSOR_SECRET: SECRET },
    LEGACY_SIGNING_KEY: testRsaKey().pem,
  };
  const access = await spawnService('access-api', settings).ready();
  const worker = await spawnService('worker', settings).ready();
  const specs = Array.from({ length: options.keys }, () => ({ plan: 'scale', keys: [{}] }));
  const operator = openOperator(settings);
  // The first accounts also create what all accounts of a bucket share.
  const accounts = await operator.issue(...specs);
  const before = await redisBytes();
  accounts.push(...(await operator.issue(...specs)));
  const redisBytesOfKey = ((await redisBytes()) - before) / options.keys;
  const keys = accounts.flatMap((account) => account.keys.map(({ apiKey }) => apiKey));
  const api = spawnService('data-api', { ...settings, ACCESS_INTERNAL_URL: access });
  const internal = await api.ready();
  const url = `http://127.0.0.1:${(await api.ports).public}/v2`;
  const isLoaded = async () => (await metric(internal, 'vcds_facet_engine_ready')) === 1;
  await eventually(isLoaded, { timeoutMs: FACETS_MS_MAX, intervalMs: 500 });
  const meters: Meters = {
    services: { 'data-api': internal, 'access-api': access, 'mail worker': worker },
    postgresPid: folder.pid,
    redis,
    logBytes: () => Buffer.byteLength(api.output()),
  };
  return { keys, url, meters, redisBytesOfKey };
}

async function measure(): Promise<void> {
  say((await sizesOf(folder.url)).join('\n\n'));
  const { keys, url, meters, redisBytesOfKey } = await startProduct();
  const { 'data-api': internal = '', 'mail worker': worker = '' } = meters.services;
  const idle = await readMeters(meters);
  await delay(IDLE_MS);
  const background = rates(idle, await readMeters(meters));
  const rows: string[][] = [];
  let heads: readonly string[] = [];
  for (const [name, paths] of await callKinds()) {
    const isFirst = rows.length === 0;
    const urls = paths.map((path) => `${url}${encodeURI(path)}`);
    if (!isFirst) await play(urls, keys.slice(0, options.clients), 500);
    const start = await readMeters(meters);
    const load = isFirst
      ? await firstCalls(urls[0] ?? '', keys)
      : await play(urls, keys.slice(0, options.clients), options.seconds * 1_000);
    const end = await readMeters(meters);
    const bad = [...load.statuses.keys()].filter((status) => status !== 200);
    if (bad.length > 0) throw new Error(`${name}: ${bad.join(', ')}`);
    heads = Object.keys(background);
    const risen = rates(start, end);
    const perSecond = load.calls / ((end.atMs - start.atMs) / 1_000);
    const costs = heads.map((head) => ((risen[head] ?? 0) - (background[head] ?? 0)) / perSecond);
    rows.push([name, String(load.calls), ...costs.map((cost) => cost.toFixed(2))]);
  }
  say(table(['call', 'calls', ...heads], rows));
  const perSecond = heads.map((name) => (background[name] ?? 0).toFixed(1));
  say(`\nIn a second without calls, subtracted above:\n${table(heads, [perSecond], 0)}`);
  const resident = async (at: string) =>
    (await metric(at, 'process_resident_memory_bytes')) / 2 ** 20;
  for (const [name, at] of Object.entries(meters.services)) {
    say(`${name}: ${(await resident(at)).toFixed(0)} MB resident`);
  }
  say(`facet engine: ${grouped(await metric(internal, 'vcds_facet_engine_memory_bytes'))} bytes`);
  say(`Redis: ${grouped(redisBytesOfKey)} bytes an account with a key`);
  await eventually(async () => (await metric(worker, 'vcds_ledger_charges_pending')) === 0);
  say((await sizesOf(folder.url, 'access')).join('\n'));
}

/** The kinds of calls, with paths that are called in turn; the first is called once with each key. */
async function callKinds(): Promise<readonly (readonly [string, readonly string[]])[]> {
  const ids = await column(`SELECT id FROM venture.startup TABLESAMPLE SYSTEM (5) LIMIT ${IDS}`);
  const [country] = await column(
    `SELECT addresses->0->>'Country' FROM venture.startup TABLESAMPLE SYSTEM (5)
     WHERE addresses->0->>'Country' <> '' GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
  );
  return [
    ['the first call of each key', ids.map((id) => `/startups/${id}`)],
    ['a record by id', ids.map((id) => `/startups/${id}`)],
    [
      '25 records, filter and order',
      years((y) => `/startups?$top=25&$filter=Founded ge ${y}&$orderby=Founded`),
    ],
    ['100 records', years((y) => `/startups?$top=100&$filter=Founded eq ${y}`)],
    [
      '25 records with rounds',
      years((y) => `/startups?$top=25&$filter=Founded eq ${y}&$expand=FundingRounds`),
    ],
    [
      '1 record, filter and count',
      years((y) => `/startups?$top=1&$filter=Founded eq ${y}&$count=true`),
    ],
    ['search by name', (await names()).map((q) => `/startups/search?q=${q}`)],
    ['page of /signals', ['/signals?limit=50']],
    ['page of /activityfeed', ['/activityfeed?$top=25']],
    [
      'facets of a country',
      [`/categories/facets?dimensions=stage,city,industry&country=${country}`],
    ],
  ];
}

/** One call of each key, so that each is checked by access-api. */
async function firstCalls(url: string, keys: readonly string[]) {
  const statuses = new Map<number, number>();
  for (const key of keys) {
    const { status } = await fetch(url, { headers: { 'X-Api-Key': key } });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return { calls: keys.length, statuses };
}

/** Names without signs that a URL escapes. */
function names(): Promise<readonly string[]> {
  return column(
    `SELECT name FROM venture.startup TABLESAMPLE SYSTEM (5) WHERE name ~ '^[a-zA-Z ]+$' LIMIT ${IDS}`,
  );
}

/** The first column of a query. */
function column(text: string): Promise<readonly string[]> {
  return withClient(folder.url, async (client) => {
    const { rows } = await client.query({ text, rowMode: 'array' });
    return rows.map(([value]) => String(value));
  });
}

async function redisBytes(): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
}
