/**
 * Measures the matching model: loading and training from PostgreSQL with their peak memory, the
 * stored bytes, the loading in the thread that serves, and calls over HTTP in both directions.
 *
 * Run with `npm run bench -- matching`. Options: `--funds=10000`, `--startups=100000`,
 * `--investments=1000000`, `--calls=200` of each kind, `--backtest` measures the ranking too.
 * `TEST_DATABASE_URL` names a PostgreSQL server to use instead of the embedded one.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  benchOptions,
  grouped,
  openTestServers,
  say,
  table,
  timed,
  withClient,
} from '@vcds/test-kit/bench';
import pg from 'pg';
import { loadAtOnce, trainMatching } from '../src/worker/train/train.ts';
import { type CallKind, callTimes } from './call-times.ts';
import { startApi } from './data-api.ts';
import { httpGet } from './http-get.ts';
import { generateMarket } from './matching/generate-market.ts';

const STATEMENT_MS_MAX = 60_000;
const CONNECTIONS = 4;
/** Between calls while the model is being loaded. */
const RETRY_MS = 100;
const options = benchOptions({
  funds: 10_000,
  startups: 100_000,
  investments: 1_000_000,
  calls: 200,
  backtest: false,
});

const servers = await openTestServers();
try {
  const url = await servers.createDatabase({ migrated: true });
  say(`written in ${seconds(await timed(() => generateMarket(url, options)))} s`);
  await measureTraining(url);
  await measureCalls(url);
} finally {
  await servers.close();
}

async function measureTraining(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const loadMs = await timed(() => loadAtOnce(pool, Date.now()));
  say(`loaded in ${seconds(loadMs)} s; peak memory of the process ${peakMb()} MB`);
  let last = { step: '', atMs: performance.now() };
  const steps: [string, string][] = [];
  const onStep = (step: string): void => {
    if (/: \d/.test(step)) return;
    const atMs = performance.now();
    if (last.step !== '') steps.push([last.step, seconds(atMs - last.atMs)]);
    last = { step, atMs };
  };
  const startedMs = performance.now();
  const hasBackTest = options.backtest;
  const trained = await trainMatching({ pool, nowMs: Date.now(), onStep, hasBackTest });
  onStep('end');
  say(table(['step', 's'], steps));
  const bytes = grouped(trained?.bytes ?? 0);
  say(`trained in ${seconds(performance.now() - startedMs)} s; ${bytes} bytes stored; peak memory`);
  say(`of the process ${peakMb()} MB`);
  await pool.end();
}

async function measureCalls(url: string): Promise<void> {
  const subjects = await withClient(url, async (client) => {
    const ids = async (name: string): Promise<readonly string[]> => {
      const sql = `SELECT id FROM venture.${name} ORDER BY md5(id::text) LIMIT 1000`;
      return (await client.query<{ id: string }>(sql)).rows.map(({ id }) => id);
    };
    return { startup: await ids('startup'), fund: await ids('fund') };
  });
  const limits = { connections: CONNECTIONS, statementMsMax: STATEMENT_MS_MAX };
  const api = await startApi({ connectionString: url, ...limits });
  const draw = (type: 'startup' | 'fund') =>
    `${type}=${subjects[type][randomInt(subjects[type].length)]}`;
  const kinds: readonly CallKind[] = [
    ['funds for a startup', () => draw('startup')],
    ['funds for criteria', () => `tags=tag+${randomInt(200)}&country=country+${randomInt(30)}`],
    ['startups for a fund', () => draw('fund')],
  ];
  try {
    const isServed = async () =>
      (await httpGet(`${api.url}/venturematching?${draw('startup')}`, {})).status === 200;
    const first = timed(async () => {
      while (!(await isServed())) await delay(RETRY_MS);
    });
    say(`model loaded and first call in ${seconds(await first)} s`);
    say(await callTimes(`${api.url}/venturematching`, kinds, options.calls));
    say(`peak memory of the process ${peakMb()} MB`);
  } finally {
    await api.close();
  }
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

function peakMb(): string {
  return grouped(process.resourceUsage().maxRSS / 1_024);
}
