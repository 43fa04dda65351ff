// Tests docs/spec/resources.md 4.14.
// Tests docs/spec/import.md 14.7.
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { recordId } from '@vcds/importer';
import { createLogger } from '@vcds/service-kit';
import {
  closedAfterAll,
  createTestDatabase,
  endConnections,
  eventually,
  type TestDatabase,
} from '@vcds/test-kit';
import pg from 'pg';
import {
  fund,
  openImportFixture,
  round,
  startup,
} from '../../../../packages/importer/test/support.ts';
import { ADVISORY_LOCKS } from '../../src/postgres/advisory-locks.ts';
import { readDataWorkerConfig } from '../../src/worker/config.ts';
import { JOBS } from '../../src/worker/jobs/jobs.ts';
import { runAsLeader } from '../../src/worker/run-as-leader.ts';

const fixture = await closedAfterAll(openImportFixture());

const status = async (key: string, type: 'startup' | 'fund' = 'startup') =>
  (
    await fixture.rows(
      `SELECT operating_status AS status, operating_status_stated AS stated,
         operating_status_inferred AS inferred, operating_status_source AS by
       FROM venture.${type} WHERE id = $1`,
      [recordId(type, 'test', key)],
    )
  )[0];

const inferred = (key: string, OperatingStatus: unknown) => ({
  op: 'patch',
  type: 'startup',
  source: 'test',
  key,
  OperatingStatus,
  OperatingStatusSource: 'inferred',
});

test('an inference never overrides the status that an owner or editor set (rule 3)', async () => {
  await fixture.importLines([
    startup('picked', { OperatingStatus: 'Active', OperatingStatusSource: 'owner' }),
    inferred('picked', 'ProbablyClosed'),
  ]);
  expect(await status('picked')).toEqual({
    status: 'Active',
    stated: 'Active',
    inferred: 'ProbablyClosed',
    by: 'owner',
  });
  await fixture.importLines([
    startup('shut', { OperatingStatus: 'Closed' }),
    inferred('shut', 'Active'),
  ]);
  expect(await status('shut')).toMatchObject({ status: 'Closed', by: 'editor' });
});

test.each(['Etc/GMT+12', 'UTC', 'Pacific/Kiritimati'])(
  'the three months end with the UTC day, also for a session in %s',
  async (zone) => {
    const client = await fixture.pool.connect();
    try {
      await client.query(`SET timezone = '${zone}'`);
      const { rows } = await client.query(
        `SELECT array_agg(venture.operating_status(NULL, NULL, 'ProbablyClosed', day) ORDER BY day) AS is
         FROM (SELECT ((now() AT TIME ZONE 'UTC')::date - interval '3 months')::date AS ends) d,
           LATERAL (VALUES (ends), (ends + 1)) AS v (day)`,
      );
      expect(rows).toEqual([{ is: ['ProbablyClosed', 'Active'] }]);
    } finally {
      client.release(true);
    }
  },
);

test('a record imported again without a status keeps its stated status', async () => {
  await fixture.importLines([startup('kept', { OperatingStatus: 'closed' })]);
  expect(await fixture.totals([startup('kept')])).toBe('read 1, unchanged 1');
  await fixture.importLines([startup('kept', { OperatingStatus: null })]);
  expect(await status('kept')).toEqual({ status: null, stated: null, inferred: null, by: null });
});

test('a round of the last three months overrides the inference (rule 2)', async () => {
  const today = new Date();
  const day = (months: number) => {
    const date = new Date(today);
    date.setUTCMonth(date.getUTCMonth() - months);
    return date.toISOString().slice(0, 10);
  };
  await fixture.importLines([
    startup('quiet', { OperatingStatus: 'Probably closed', OperatingStatusSource: 'inferred' }),
    startup('funded', { OperatingStatus: 'Probably closed', OperatingStatusSource: 'inferred' }),
    round('recent', 'funded', { Date: day(1) }),
    round('past', 'quiet', { Date: day(5) }),
  ]);
  expect(await status('quiet')).toMatchObject({ status: 'ProbablyClosed', by: 'inferred' });
  expect(await status('funded')).toMatchObject({ status: 'Active', inferred: 'ProbablyClosed' });
});

/** Imports a startup as if its last round had become three months old since. */
const importOutdated = async (key: string) => {
  await fixture.importLines([
    startup(key, { OperatingStatus: 'ProbablyClosed', OperatingStatusSource: 'inferred' }),
  ]);
  await fixture.rows(`ALTER TABLE venture.startup DISABLE TRIGGER before_write`);
  await fixture.rows(
    `UPDATE venture.startup SET operating_status = 'Active' WHERE source_key = $1`,
    [key],
  );
  await fixture.rows(`ALTER TABLE venture.startup ENABLE TRIGGER before_write`);
};

test('the status is recalculated without a write: every hour, from 00:01 UTC', async () => {
  await importOutdated('first');
  expect(await status('first')).toMatchObject({ status: 'Active' });
  const job = JOBS.find(({ name }) => name === 'operating-status');
  const config = readDataWorkerConfig({ DATABASE_URL: fixture.url, REDIS_URL: 'redis://unused' });
  const logger = createLogger({ service: 'test', level: 'silent' });
  const signal = new AbortController().signal;
  const pool = new pg.Pool({ connectionString: fixture.urlOf('vcds_data_worker'), max: 2 });
  const counts = await job?.run({ config, pool, logger, signal });
  await pool.end();
  expect(counts).toEqual({ startups: 1, observations: 0 });
  expect(await status('first')).toMatchObject({ status: 'ProbablyClosed' });
  expect(job?.scheduleOf(config)).toBe('1 * * * *');
});

test('the next import recalculates the status, and reports it', async () => {
  await importOutdated('outdated');
  const report = await fixture.importLines([startup('other')]);
  expect(report.swept).toBe(1);
  expect(await status('outdated')).toMatchObject({ status: 'ProbablyClosed' });
});

test('Closed cannot be inferred', async () => {
  const report = await fixture.importLines([
    startup('no', { OperatingStatus: 'Closed', OperatingStatusSource: 'inferred' }),
    startup('who', { OperatingStatusSource: 'owner' }),
  ]);
  expect(report.state).toBe('rejected');
  expect((await fixture.sideFile('lines.rejected.ndjson')).map(({ reason }) => reason)).toEqual([
    'Closed cannot be inferred; set OperatingStatusSource to owner or editor',
    'OperatingStatusSource requires OperatingStatus',
  ]);
});

test('funds have a status by the same rules', async () => {
  await fixture.importLines([
    fund('f', { OperatingStatus: 'ProbablyClosed', OperatingStatusSource: 'inferred' }),
  ]);
  expect(await status('f', 'fund')).toMatchObject({ status: 'ProbablyClosed', by: 'inferred' });
  await fixture.importLines([
    fund('f', { OperatingStatus: 'Active', OperatingStatusSource: 'owner' }),
  ]);
  expect(await status('f', 'fund')).toMatchObject({ status: 'Active', by: 'owner' });
});

interface Process {
  isLeading: boolean;
  failures: number;
  readonly log: readonly string[];
  readonly close: () => Promise<void>;
}

let database: TestDatabase;
const started: Process[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const process of started.splice(0)) await process.close();
});
afterAll(() => database.drop());

/** A job that leads until it is closed or its session ends. */
function start(name: string, connectionString = database.url): Process {
  const stop = new AbortController();
  const log: string[] = [];
  const done = runAsLeader({
    connectionString,
    name,
    lock: ADVISORY_LOCKS.signalPublisher,
    settings: {},
    statementMsMax: 10_000,
    retryMs: 1,
    logger: createLogger({ service: 'test', sink: { write: (line) => log.push(line) } }),
    signal: stop.signal,
    lead: async (client) => {
      const lost = once(client, 'end').then(() => Promise.reject(new Error('session lost')));
      process.isLeading = true;
      await Promise.race([lost, once(stop.signal, 'abort')]).finally(() => {
        process.isLeading = false;
      });
      return 0;
    },
    onFailure: () => {
      process.failures += 1;
    },
  });
  const close = async () => {
    stop.abort();
    await done;
  };
  const process: Process = { isLeading: false, failures: 0, log, close };
  started.push(process);
  return process;
}

test('one process leads; when it is closed, another takes over', async () => {
  const first = start('first');
  await eventually(() => first.isLeading);
  const second = start('second');
  await first.close();
  expect(first.isLeading).toBe(false);
  await eventually(() => second.isLeading);
  expect(second.failures).toBe(0);
});

test('a process that loses its session reconnects', async () => {
  const process = start('ended');
  await eventually(() => process.isLeading);
  await endConnections(database.url, 'ended');
  await eventually(() => process.failures === 1 && process.isLeading);
  expect(process.log).toHaveLength(1);
});

test('an outage is one line in the log, however often it reconnects', async () => {
  const process = start('outage', database.url.replace(/\/[^/]+$/, '/no_such_database'));
  await eventually(() => process.failures >= 3);
  await process.close();
  expect(process.log).toEqual([expect.stringContaining('background job failed; retrying')]);
});
