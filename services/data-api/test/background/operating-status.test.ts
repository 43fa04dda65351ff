import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordId } from '@vcds/importer';
import { createLogger } from '@vcds/service-kit';
import pg from 'pg';
import {
  fund,
  type ImportFixture,
  nonZero,
  openImportFixture,
  round,
  startup,
} from '../../../../packages/importer/test/support.ts';
import { StatusSweeper } from '../../src/background/operating-status/sweeper.ts';

let world: ImportFixture;
beforeAll(async () => {
  world = await openImportFixture();
});
afterAll(() => world.close());

const status = async (key: string, type: 'startup' | 'fund' = 'startup') =>
  (
    await world.rows(
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

test('an inference never overrides what an owner or editor picked (rule 3)', async () => {
  await world.importLines([
    startup('picked', { OperatingStatus: 'Active', OperatingStatusSource: 'owner' }),
    inferred('picked', 'ProbablyClosed'),
  ]);
  expect(await status('picked')).toEqual({
    status: 'Active',
    stated: 'Active',
    inferred: 'ProbablyClosed',
    by: 'owner',
  });
  await world.importLines([
    startup('shut', { OperatingStatus: 'Closed' }),
    inferred('shut', 'Active'),
  ]);
  expect(await status('shut')).toMatchObject({ status: 'Closed', by: 'editor' });
});

test.each(['Etc/GMT+12', 'UTC', 'Pacific/Kiritimati'])(
  'the three months end with the day of UTC, also for a writer in %s',
  async (zone) => {
    const client = await world.pool.connect();
    try {
      await client.query(`SET timezone = '${zone}'`);
      const { rows } = await client.query(
        `SELECT array_agg(venture.operating_status(NULL, 'ProbablyClosed', day) ORDER BY day) AS is
         FROM (SELECT ((now() AT TIME ZONE 'UTC')::date - interval '3 months')::date AS ends) d,
           LATERAL (VALUES (ends), (ends + 1)) AS v (day)`,
      );
      expect(rows).toEqual([{ is: ['ProbablyClosed', 'Active'] }]);
    } finally {
      client.release(true);
    }
  },
);

test('a record said again without a status keeps the one that was picked', async () => {
  await world.importLines([startup('kept', { OperatingStatus: 'closed' })]);
  const report = await world.importLines([startup('kept')]);
  expect(nonZero(report.total)).toEqual({ read: 1, unchanged: 1 });
  await world.importLines([startup('kept', { OperatingStatus: null })]);
  expect(await status('kept')).toEqual({ status: null, stated: null, inferred: null, by: null });
});

test('a round of the last three months protects from the inference (rule 2)', async () => {
  const today = new Date();
  const day = (months: number) => {
    const date = new Date(today);
    date.setUTCMonth(date.getUTCMonth() - months);
    return date.toISOString().slice(0, 10);
  };
  await world.importLines([
    startup('quiet', { OperatingStatus: 'Probably closed', OperatingStatusSource: 'inferred' }),
    startup('funded', { OperatingStatus: 'Probably closed', OperatingStatusSource: 'inferred' }),
    round('recent', 'funded', { Date: day(1) }),
    round('past', 'quiet', { Date: day(5) }),
  ]);
  expect(await status('quiet')).toMatchObject({ status: 'ProbablyClosed', by: 'inferred' });
  expect(await status('funded')).toMatchObject({ status: 'Active', inferred: 'ProbablyClosed' });
});

/** A startup as an import of some months ago would have left it. */
const lapse = async (key: string) => {
  await world.importLines([
    startup(key, { OperatingStatus: 'ProbablyClosed', OperatingStatusSource: 'inferred' }),
  ]);
  await world.rows(`ALTER TABLE venture.startup DISABLE TRIGGER before_write`);
  await world.rows(`UPDATE venture.startup SET operating_status = 'Active' WHERE source_key = $1`, [
    key,
  ]);
  await world.rows(`ALTER TABLE venture.startup ENABLE TRIGGER before_write`);
};

test('a protection that has run out ends though nobody writes: at start, and every night', async () => {
  const pauses: number[] = [];
  const turns = new EventEmitter();
  const blocker = new pg.Client(world.url);
  await blocker.connect();
  await blocker.query('SELECT pg_advisory_lock($1, $2)', [0x76636473, 0x73776570]);
  await lapse('first');
  const started = once(turns, 'paused');
  const sweeper = StatusSweeper.start({
    connectionString: world.url,
    logger: createLogger({ service: 'test', level: 'silent' }),
    clock: { wallMs: () => Date.UTC(2026, 0, 1, 22) },
    pause: async (ms) => {
      pauses.push(ms);
      turns.emit('paused');
      await once(turns, 'resume');
    },
  });
  await started;
  expect(await status('first')).toMatchObject({ status: 'Active' });
  await blocker.query('SELECT pg_advisory_unlock_all()');
  await blocker.end();
  for (const key of ['first', 'second']) {
    if (key === 'second') await lapse(key);
    const paused = once(turns, 'paused');
    turns.emit('resume');
    await paused;
    expect(await status(key)).toMatchObject({ status: 'ProbablyClosed' });
  }
  const closing = sweeper.close();
  turns.emit('resume');
  await closing;
  // In a minute while another process is at it, else at 00:01 of the next day.
  expect(pauses).toEqual([60_000, 7_260_000, 7_260_000]);
});

test('a protection that has run out ends with the next import, and is reported', async () => {
  await lapse('lapsing');
  const report = await world.importLines([startup('other')]);
  expect(report.swept).toBe(1);
  expect(await status('lapsing')).toMatchObject({ status: 'ProbablyClosed' });
});

test('Closed cannot be inferred', async () => {
  const report = await world.importLines([
    startup('no', { OperatingStatus: 'Closed', OperatingStatusSource: 'inferred' }),
    startup('who', { OperatingStatusSource: 'owner' }),
  ]);
  expect(report.state).toBe('rejected');
  expect((await world.sideFile('lines.rejected.ndjson')).map(({ reason }) => reason)).toEqual([
    'Closed cannot be inferred; set OperatingStatusSource to owner or editor',
    'OperatingStatusSource needs OperatingStatus beside it',
  ]);
});

test('funds have a status by the same rules', async () => {
  await world.importLines([
    fund('f', { OperatingStatus: 'ProbablyClosed', OperatingStatusSource: 'inferred' }),
  ]);
  expect(await status('f', 'fund')).toMatchObject({ status: 'ProbablyClosed', by: 'inferred' });
  await world.importLines([
    fund('f', { OperatingStatus: 'Active', OperatingStatusSource: 'owner' }),
  ]);
  expect(await status('f', 'fund')).toMatchObject({ status: 'Active', by: 'owner' });
});
