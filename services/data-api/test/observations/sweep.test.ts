// Tests docs/spec/operations.md 16.9.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { recordId } from '@vcds/importer';
import { createLogger } from '@vcds/service-kit';
import { closedAfterAll } from '@vcds/test-kit';
import pg from 'pg';
import {
  observation,
  openImportFixture,
  startup,
} from '../../../../packages/importer/test/support.ts';
import { HTML, startSites } from '../../../../packages/site-facts/test/reader/support.ts';
import { readDataWorkerConfig } from '../../src/worker/config.ts';
import { JOBS } from '../../src/worker/jobs/jobs.ts';
import { type SiteSweep, sweepSites } from '../../src/worker/observations/sweep-sites.ts';
import { openStatusClock } from '../support/status-clock.ts';

const DAY_MS = 86_400_000;
const LIVING =
  '<title>Acme</title><p>We make anvils, and we have made them since the day we began.';
const PARKED =
  '<title>acme.example is for sale</title><p>This domain is for sale. Buy this domain.';

const fixture = await closedAfterAll(openImportFixture());
const clock = await openStatusClock((sql, values) => fixture.rows(sql, values));
const sites = await startSites();
await closedAfterAll({ close: sites.stop });
const pool = new pg.Pool({ connectionString: fixture.urlOf('vcds_data_worker'), max: 2 });
await closedAfterAll({ close: () => pool.end() });

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const hang: Handler = (request) => request.socket.destroy();
const responds =
  (status: number): Handler =>
  (request, response) =>
    response.writeHead(request.url === '/robots.txt' ? 404 : status, { ...HTML }).end(LIVING);

/** Makes startups with sites of these names the only ones. */
async function only(keys: readonly string[]): Promise<void> {
  await fixture.rows('UPDATE venture.startup SET deleted_at = now() WHERE deleted_at IS NULL');
  await fixture.importLines(keys.map((key) => startup(key, { Website: `${key}.example` })));
}

/** The sweep of the next night. */
async function night(more: Partial<SiteSweep> = {}, days = 1) {
  sites.clock.advance(days * DAY_MS);
  return sweep(more);
}

async function sweep(more: Partial<SiteSweep> = {}) {
  await clock.set(new Date(sites.clock.wallMs()));
  await sites.redis.flushdb();
  const { signal } = new AbortController();
  const reader = sites.reader();
  return sweepSites({ pool, reader, sitesMax: 1_000, signal, clock: sites.clock, ...more });
}

async function statusOf(key: string): Promise<string | null | undefined> {
  const [row] = await fixture.rows<{ status: string | null }>(
    'SELECT operating_status AS status FROM venture.startup WHERE id = $1',
    [recordId('startup', 'test', key)],
  );
  return row?.status;
}

/** The observed addresses of a startup with their states. */
async function observed(key: string): Promise<readonly string[]> {
  const rows = await fixture.rows<{ row: string }>(
    `SELECT address || ' ' || state AS row FROM venture.observation
     WHERE company_id = $1 ORDER BY 1`,
    [recordId('startup', 'test', key)],
  );
  return rows.map(({ row }) => row);
}

test('a site that is gone for two weeks turns its startup ProbablyClosed, until it returns', async () => {
  await only(['fails', 'lives']);
  sites.page('fails.example', LIVING);
  sites.page('lives.example', LIVING);
  expect(await night()).toEqual({ visited: 2, responded: 2, recorded: 2 });
  sites.site('fails.example', hang);
  for (let failed = 1; failed <= 15; failed++) {
    expect([failed, await statusOf('fails')]).toEqual([failed, 'Active']);
    expect(await night()).toEqual({ visited: 2, responded: 1, recorded: 2 });
  }
  expect([await statusOf('fails'), await statusOf('lives')]).toEqual(['ProbablyClosed', 'Active']);
  sites.page('fails.example', LIVING);
  await night();
  expect(await statusOf('fails')).toBe('Active');
});

test.each<[guarantee: string, key: string, handler: Handler, states: readonly string[]]>([
  ['a missing page is dead', 'missing', responds(404), ['missing.example dead']],
  ['a failing server is dead', 'broken', responds(500), ['broken.example dead']],
  ['a status for robots is no observation', 'walled', responds(503), []],
  ['a rejection is no observation', 'forbidden', responds(403), []],
  [
    'a robots.txt that forbids the page makes it no observation',
    'robots',
    (request, response) =>
      request.url === '/robots.txt'
        ? response.end('User-agent: *\nDisallow: /')
        : response.writeHead(404).end(),
    [],
  ],
  [
    'a site of another type is alive',
    'typed',
    (request, response) =>
      request.url === '/robots.txt'
        ? response.writeHead(404).end()
        : response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
    ['typed.example alive'],
  ],
])('%s', async (_, key, handler, states) => {
  await only([key]);
  sites.site(`${key}.example`, handler);
  expect(await night()).toMatchObject({ visited: 1, responded: 1, recorded: states.length });
  expect(await observed(key)).toEqual(states);
});

test('a domain for sale is parked, and the links on it are not accounts of the company', async () => {
  await only(['parked']);
  sites.page('parked.example', `${PARKED}<a rel="me" href="https://github.com/dealer">GitHub</a>`);
  await night();
  expect(await observed('parked')).toEqual(['parked.example parked']);
  await night({}, 8);
  expect(await statusOf('parked')).toBe('ProbablyClosed');
});

test('accounts count by the posts that they show, also when the site is gone', async () => {
  await only(['posting', 'steady']);
  sites.page('steady.example', LIVING);
  const profile = '<a rel="me" href="https://github.com/posting">GitHub</a>';
  sites.page('posting.example', `${LIVING}${profile}`);
  sites.page('github.com', '<title>posting</title><p>An account without a post.');
  await night();
  expect(await observed('posting')).toEqual(['posting.example alive']);
  const posted = new Date(sites.clock.wallMs()).toISOString();
  sites.page('github.com', `<title>posting</title><p>News <time datetime="${posted}">now</time>`);
  await night();
  expect(await observed('posting')).toEqual(['github.com/posting alive', 'posting.example alive']);
  sites.site('posting.example', hang);
  for (const _ of [1, 2, 3]) await night({}, 8);
  expect(await statusOf('posting')).toBe('Active');
  sites.site('github.com', responds(404));
  await night();
  expect(await observed('posting')).toEqual(['github.com/posting dead', 'posting.example dead']);
});

test('when hardly any of ten sites responds, the failures are not recorded', async () => {
  const keys = Array.from({ length: 10 }, (_, index) => `silent${index}`);
  await only(keys);
  for (const key of keys) sites.site(`${key}.example`, hang);
  await expect(night()).rejects.toThrow('Only 0 of 10 sites responded: the network may be down.');
  expect(await observed('silent0')).toEqual([]);
  sites.page('silent1.example', LIVING);
  expect(await sweep()).toEqual({ visited: 10, responded: 1, recorded: 10 });
});

test('a few sites that are all gone are recorded', async () => {
  await only(['one', 'two', 'three']);
  for (const key of ['one', 'two', 'three']) sites.site(`${key}.example`, hang);
  expect(await night()).toEqual({ visited: 3, responded: 0, recorded: 3 });
  expect(await observed('one')).toEqual(['one.example dead']);
});

test('a night visits a number of sites: failing ones, and those visited longest ago', async () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  await only(keys);
  for (const key of keys) sites.page(`${key}.example`, LIVING);
  const visited = async (act: () => Promise<unknown>) => {
    const from = sites.requests.length;
    await act();
    const hosts = sites.requests.slice(from).map(({ host }) => host);
    return new Set(hosts.map((host) => host.replace(/^www\./, '')));
  };
  const first = await visited(() => night({ sitesMax: 3 }));
  expect(first.size).toBe(3);
  // Repeated in the same night, for example after a crash.
  expect(await visited(() => sweep({ sitesMax: 3 }))).toEqual(new Set());
  const [failing = ''] = first;
  sites.site(failing, hang);
  const second = await visited(() => night({ sitesMax: 3 }));
  const rest = keys.map((key) => `${key}.example`).filter((host) => !first.has(host));
  expect(rest.every((host) => second.has(host))).toBe(true);
  await night({ sitesMax: 5 });
  // It failed in one of the last two nights.
  const third = await visited(() => night({ sitesMax: 2 }));
  expect([third.size, third.has(failing)]).toEqual([2, true]);
});

test('a sweep that is stopped, or out of time, visits no further sites', async () => {
  await only(['stopped']);
  sites.page('stopped.example', LIVING);
  const stop = new AbortController();
  stop.abort(new Error('stopped'));
  await expect(night({ signal: stop.signal })).rejects.toThrow('stopped');
  expect(await sweep({ msMax: 0 })).toEqual({ visited: 0, responded: 0, recorded: 0 });
  expect(await sweep()).toEqual({ visited: 1, responded: 1, recorded: 1 });
});

test('companies whose status a person set, and pages on shared hosts, are not visited', async () => {
  await only([]);
  await fixture.importLines([
    startup('stated', { Website: 'stated.example', OperatingStatus: 'Active' }),
    startup('shared', { Website: 'https://facebook.com/shared' }),
    startup('siteless'),
    observation({ Company: { type: 'startup', key: 'siteless' } }),
  ]);
  expect(await night()).toEqual({ visited: 0, responded: 0, recorded: 0 });
});

test('the job runs only when it is on', async () => {
  const environment = {
    DATABASE_URL: fixture.urlOf('vcds_data_api'),
    DATA_WORKER_DATABASE_URL: fixture.urlOf('vcds_data_worker'),
    REDIS_URL: sites.redisUrl,
    OUTBOUND_TEST_ADDRESS: `127.0.0.1:${sites.port}`,
    STATUS_SWEEP_SCHEDULE: '0 5 * * *',
  };
  const job = JOBS.find(({ name }) => name === 'status-sweep');
  const config = readDataWorkerConfig({ ...environment, STATUS_SWEEP: 'on' });
  expect(job?.scheduleOf(config)).toBe('0 5 * * *');
  expect(job?.scheduleOf(readDataWorkerConfig(environment))).toBe('off');
  await only(['job']);
  sites.page('job.example', LIVING);
  const logger = createLogger({ service: 'test', level: 'silent' });
  const { signal } = new AbortController();
  const counts = await job?.run({ config, pool, logger, signal });
  expect(counts).toEqual({ visited: 1, responded: 1, recorded: 1 });
});
