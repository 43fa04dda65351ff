// Tests docs/spec/operations.md 16.9.
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createLogger, createRedis, type RedisClient } from '@vcds/service-kit';
import {
  createTestDatabase,
  createTestRedis,
  endConnections,
  eventually,
  killServices,
  spawnService,
  type TestRedisDatabase,
} from '@vcds/test-kit';
import pg from 'pg';
import { Registry } from 'prom-client';
import { queueObservation, takeObservations } from '../../src/observations/observation-queue.ts';
import type { CompanyObservation } from '../../src/observations/observed-pages.ts';
import { readDataWorkerConfig } from '../../src/worker/config.ts';
import type { JobCounts, JobSchedule } from '../../src/worker/jobs/jobs.ts';
import { runInChild } from '../../src/worker/jobs/run-in-child.ts';
import { type JobsOptions, openJobQueue, startJobs } from '../../src/worker/jobs/run-jobs.ts';

const database = await createTestDatabase();
const databaseUrl = database.urlOf('vcds_data_worker');
const owner = new pg.Pool({ connectionString: database.url, max: 1 });
const rows = async <Row extends object>(text: string) => (await owner.query<Row>(text)).rows;
const LOCK_MS = 1_000;
const OBSERVATION: CompanyObservation = {
  company: { type: 'startup', id: 'one' },
  kind: 'site',
  url: 'https://observed.example',
  state: 'alive',
  seenAt: new Date(0),
  lastPostAt: null,
  source: 'find',
};

type Worker = ReturnType<typeof startJobs>;
let redis: TestRedisDatabase;
let client: RedisClient;
let queue: ReturnType<typeof openJobQueue>;
let workers: Worker[] = [];
let lines: Record<string, unknown>[] = [];
let registry = new Registry();
const environment = () => ({
  DATABASE_URL: database.urlOf('vcds_data_api'),
  DATA_WORKER_DATABASE_URL: databaseUrl,
  REDIS_URL: redis.url,
});
const logger = createLogger({
  service: 'test',
  sink: { write: (line) => void lines.push(JSON.parse(line)) },
});

const job = (name: string, more: Partial<JobSchedule> = {}): JobSchedule => ({
  name,
  scheduleOf: () => 'off',
  msMax: 600_000,
  ...more,
});
const start = (options: Pick<JobsOptions, 'jobs' | 'run'>): Worker => {
  registry = new Registry();
  const worker = startJobs({
    ...{ registry, logger, lockMs: LOCK_MS },
    config: readDataWorkerConfig(environment()),
    ...options,
  });
  workers.push(worker);
  return worker;
};
/** A run of the fixture. */
const once = (job: string) => ({
  program: new URL('fixtures/run-once.mjs', import.meta.url),
  job,
  signal: new AbortController().signal,
});
const outcomes = () =>
  lines.flatMap(({ job: name, outcome }) => (outcome ? [[name, outcome]] : []));
/** Ends when the signal is aborted, as a long run does. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** A promise, and the function that resolves it. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

beforeEach(async () => {
  redis = await createTestRedis();
  client = createRedis({ url: redis.url, name: 'test', logger, hasOfflineQueue: true });
  queue = openJobQueue(client);
  workers = [];
  lines = [];
});
afterEach(async () => {
  killServices();
  await Promise.all(workers.map((worker) => worker.close()));
  await queue.close();
  client.disconnect();
  await redis.drop();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

describe('the schedules', () => {
  const run = async (): Promise<JobCounts> => ({});

  test('are stored once for all workers, in UTC, and without those that are off', async () => {
    const jobs = [job('first', { scheduleOf: () => '30 2 * * *' }), job('second')];
    for (let worker = 0; worker < 3; worker++) start({ jobs, run });
    await eventually(async () => expect(await queue.getJobSchedulersCount()).toBe(1));
    const [stored] = await queue.getJobSchedulers();
    expect(stored).toMatchObject({ key: 'first', pattern: '30 2 * * *', tz: 'UTC' });
    expect(new Date(stored?.next ?? 0).toISOString()).toMatch(/T02:30:00\.000Z$/);
    expect(await queue.getDelayedCount()).toBe(1);
  });

  test('follow the configuration of the worker that leads', async () => {
    const at = (pattern: string) => [job('first', { scheduleOf: () => pattern })];
    const patterns = async () => (await queue.getJobSchedulers()).map(({ pattern }) => pattern);
    for (const pattern of ['30 2 * * *', '45 3 * * *', 'off']) {
      const worker = start({ jobs: at(pattern), run });
      const expected = pattern === 'off' ? [] : [pattern];
      await eventually(async () => expect(await patterns()).toEqual(expected));
      await worker.close();
    }
  });

  test('do not delay a job that is due and not off: one of several workers runs it at once', async () => {
    const isDue = async (): Promise<boolean> => true;
    const nightly = { scheduleOf: () => '30 2 * * *', isDue };
    const jobs = [job('first', nightly), job('that is off', { isDue })];
    const workers = [0, 1, 2].map(() => start({ jobs, run }));
    await eventually(() => expect(outcomes()).toEqual([['first', 'succeeded']]));
    await Promise.all(workers.map((worker) => worker.close()));
    expect(outcomes()).toEqual([['first', 'succeeded']]);
  });
});

describe('a job', () => {
  test('runs alone, whatever the number of workers and of jobs in the queue', async () => {
    let running = 0;
    let mostAtOnce = 0;
    const run = async (): Promise<JobCounts> => {
      mostAtOnce = Math.max(mostAtOnce, ++running);
      await setImmediate();
      running -= 1;
      return { records: 1 };
    };
    const jobs = [job('first'), job('second')];
    for (let worker = 0; worker < 3; worker++) start({ jobs, run });
    for (const name of ['first', 'first', 'first', 'second']) await queue.add(name, {});
    await eventually(() => expect(outcomes()).toHaveLength(4));
    expect(mostAtOnce).toBe(1);
    expect(lines.filter(({ records }) => records === 1)).toHaveLength(4);
  });

  test('that fails is logged, counted and retried later, and others go on', async () => {
    const run = async (name: string): Promise<JobCounts> => {
      if (name === 'first') throw new Error('no data');
      return { records: 7 };
    };
    start({ jobs: [job('first'), job('second')], run });
    await queue.add('first', {}, { attempts: 3, backoff: { type: 'fixed', delay: 60_000 } });
    await eventually(() => expect(outcomes()).toEqual([['first', 'failed']]));
    await queue.add('second', {});
    await eventually(() => expect(outcomes()).toHaveLength(2));
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...{ level: 'error', job: 'first', attempt: 1, seconds: expect.any(Number) },
        error: expect.objectContaining({ message: 'no data' }),
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ job: 'second', outcome: 'succeeded', records: 7 }),
    );
    await eventually(async () => expect(await queue.getDelayedCount()).toBe(1));
    const text = await registry.metrics();
    expect(text).toContain('vcds_job_runs_total{job="first",outcome="failed"} 1');
    expect(text).toContain('vcds_job_runs_total{job="second",outcome="succeeded"} 1');
    expect(text).toContain('vcds_job_duration_seconds_count{job="first"} 1');
    expect(text).toContain('vcds_job_result{job="second",result="records"} 7');
    expect(text).toMatch(/vcds_job_last_success_timestamp_seconds\{job="second"\} \d+/);
    expect(text).not.toMatch(/last_success_timestamp_seconds\{job="first"\}/);
  });

  test('is stopped at its time limit', async () => {
    start({
      jobs: [job('first', { msMax: 5 })],
      run: (_name, signal) => untilAborted(signal),
    });
    await queue.add('first', {});
    await eventually(() => expect(outcomes()).toEqual([['first', 'failed']]));
    expect(lines.find(({ outcome }) => outcome === 'failed')).toMatchObject({
      error: { message: 'The run took longer than 0.005 s.' },
    });
  });

  test('is stopped when the leader loses its session, and repeated by the next leader', async () => {
    const begun = gate();
    let runs = 0;
    start({
      jobs: [job('first')],
      run: async (_name, signal) => {
        runs += 1;
        if (runs > 1) return { records: 1 };
        begun.open();
        return untilAborted(signal);
      },
    });
    await queue.add('first', {});
    await begun.opened;
    expect(await endConnections(database.url, 'data-worker jobs')).toBe(1);
    await eventually(() => {
      expect(outcomes()).toEqual([
        ['first', 'stopped'],
        ['first', 'succeeded'],
      ]);
    });
  });
});

describe('a run that does not end by itself', () => {
  test('is stopped with its worker, and repeated by another one', async () => {
    const begun = gate();
    const first = start({
      jobs: [job('first')],
      run: (_name, signal) => {
        begun.open();
        return untilAborted(signal);
      },
    });
    await queue.add('first', {});
    await begun.opened;
    await first.close();
    expect(outcomes()).toEqual([['first', 'stopped']]);
    start({ jobs: [job('first')], run: async () => ({ records: 1 }) });
    await eventually(() => expect(outcomes().at(-1)).toEqual(['first', 'succeeded']));
  });

  test('is taken over when its worker is killed', async () => {
    const program = 'services/data-api/test/worker/fixtures/endless-worker.mjs';
    const endless = spawnService(program, environment());
    await queue.add('first', {});
    await eventually(() => endless.output().includes('the run has begun'));
    start({ jobs: [job('first')], run: async () => ({ records: 1 }) });
    expect(outcomes()).toEqual([]);
    await endless.end('SIGKILL');
    await eventually(() => expect(outcomes()).toEqual([['first', 'succeeded']]));
  });

  test('is killed, also while it computes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vcds-run-'));
    const file = join(folder, 'begun');
    const stop = new AbortController();
    const run = runInChild({ ...once(`busy:${file}`), signal: stop.signal, returnMsMax: 0 });
    await eventually(() => existsSync(file));
    stop.abort(new Error('stopped'));
    await expect(run).rejects.toThrow('stopped');
    await rm(folder, { recursive: true });
  });
});

describe('the process of a run', () => {
  test('returns its counts or its error, and ends', async () => {
    expect(await runInChild(once('counts'))).toEqual({ records: 3 });
    await expect(runInChild(once('error'))).rejects.toThrow('no data');
    await expect(runInChild(once('none'))).rejects.toThrow('The run ended with 0.');
  });

  test('ends alone when it needs more memory than a run may have', async () => {
    const limited = { ...once('memory'), heapMbMax: 32 };
    await expect(runInChild(limited)).rejects.toThrow('The run ended with SIGABRT.');
  });
});

test('the process is ready, leads, records what data-api observed, and ends on SIGTERM', async () => {
  const [{ id = '' } = {}] = await rows<{ id: string }>(
    `INSERT INTO venture.startup (id, name, website, domain, source)
     VALUES (gen_random_uuid(), 'Observed', 'https://observed.example', 'observed.example', 'test')
     RETURNING id`,
  );
  await queueObservation(client, { ...OBSERVATION, company: { type: 'startup', id } });
  const worker = spawnService('data-worker', environment());
  const url = await worker.ready();
  expect((await fetch(`${url}/live`)).status).toBe(200);
  await eventually(async () => {
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('vcds_job_runs_total');
    expect(text).toMatch(/^vcds_signals_publisher_leader\S* 1$/m);
    expect(text).toMatch(/^vcds_signals_backlog\S* 0$/m);
    expect(text).toMatch(/^vcds_facet_indexer_lag_seconds\S* 0$/m);
    expect(await rows('SELECT state FROM venture.observation')).toEqual([{ state: 'alive' }]);
  });
  expect(await worker.end('SIGTERM')).toBe(0);
  expect(worker.output()).not.toContain('"level":"error"');
});

test('the queue of observations keeps the newest 1,000', async () => {
  for (let n = 0; n < 1_003; n++) await queueObservation(client, { ...OBSERVATION, url: `${n}` });
  const [oldest] = await takeObservations(client, 1);
  expect(oldest).toEqual({ ...OBSERVATION, url: '3' });
  expect(await takeObservations(client, 2_000)).toHaveLength(999);
});

test('the configuration needs a database and Redis', () => {
  expect(() => readDataWorkerConfig({})).toThrow(
    'REDIS_URL is not set (Redis).\n' +
      'DATABASE_URL is not set, nor is DATA_WORKER_DATABASE_URL (PostgreSQL).',
  );
});
