// Tests docs/spec/one-company.md 25.1, 25.2, 25.3, 25.4, 25.5, 25.6, 25.7, 25.8, 25.9.
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import { type ImportLine, runImport } from '@vcds/importer';
import { atLength, closedAfterAll, createTestDatabase, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
import { changesPage, differences } from '../changes/support/copy.ts';
import { openApi } from '../support/api.ts';
import { publishOutbox } from '../support/publish.ts';
import { type MadeSources, SourceMaker } from './made-sources.ts';
import { answered, cluster, FUND, fundId, STARTUP, startupId, twoSources } from './support.ts';

const api = await closedAfterAll(openApi({ seed: 'SELECT 1' }));
const startups = [startupId('A', 'acme'), startupId('B', 'acme')].sort();
const funds = [fundId('A', 'f'), fundId('B', 'f')].sort();
const [startup = '', mergedStartup = ''] = startups;
const [fund = '', mergedFund = ''] = funds;

const signals = async () =>
  (
    await api.sql.query(
      'SELECT id, type, subject_id, object_id, occurred_at FROM venture.signal ORDER BY id',
    )
  ).rows;

let before: Map<string, string>;

beforeAll(async () => {
  const lines = twoSources();
  await runImport({ connectionString: api.databaseUrl, stream: { name: 'lines', lines } });
  await publishOutbox(api.sql);
  before = await answered(api.sql);
});

test('two statements are one record, and a split makes the records from before again', async () => {
  const history = await signals();
  const cursor = (await changesPage(api, { limit: '1000' })).nextCursor;
  await cluster(api.sql, STARTUP, [startups]);
  await cluster(api.sql, FUND, [funds]);

  const [company, ...others] = await api.list('/startups');
  expect(others).toEqual([]);
  expect(company).toMatchObject({
    ...{ Id: startup, Name: 'ACME Inc.', MembersCount: 12, Tag: ['Robots', 'AI'] },
    ...{ Country: ['Austria'], TotalRaised: 6_000_000, RoundsCount: 2 },
    ...{ LatestPostValuation: 20_000_000, InvestorNames: ['Northwind'] },
  });
  const [investor, ...otherFunds] = await api.list('/funds');
  expect(otherFunds).toEqual([]);
  expect(investor).toMatchObject({ Id: fund, InvestmentsCount: 1 });
  const rounds = await api.list('/startups/fundingrounds', {
    ...{ $select: 'StartupId,Date,Amount', $expand: 'Investors', $orderby: 'Date' },
  });
  expect(rounds).toMatchObject([
    {
      ...{ StartupId: startup, Date: '2012-06-30', Amount: 1_000_000 },
      Investors: [{ Id: fund, Lead: true }],
    },
    { StartupId: startup, Date: '2013-06-30', Amount: 5_000_000, Investors: [] },
  ]);
  expect(await api.list('/news')).toHaveLength(1);
  expect(await api.list('/startups/postvaluations')).toHaveLength(1);
  expect(await api.list(`/funds/${fund}/portfolio`)).toHaveLength(1);
  const { rows: statements } = await api.sql.query(
    'SELECT company_id, source, name FROM venture.startup_statement ORDER BY source',
  );
  expect(statements).toEqual([
    { company_id: startup, source: 'A', name: 'Acme' },
    { company_id: startup, source: 'B', name: 'ACME Inc.' },
  ]);

  await publishOutbox(api.sql);
  expect(await signals()).toEqual(history);
  const merged = await changesPage(api, { cursor, limit: '1000' });
  expect(merged.changes.filter(({ op }) => op === 'merge')).toMatchObject([
    { collection: 'startups', recordId: mergedStartup, into: startup },
    { collection: 'funds', recordId: mergedFund, into: fund },
  ]);
  await cluster(api.sql, STARTUP, [startups]);
  const { rows: again } = await api.sql.query('SELECT * FROM venture.change_outbox');
  expect(again).toEqual([]);

  await cluster(
    api.sql,
    STARTUP,
    startups.map((id) => [id]),
  );
  await cluster(
    api.sql,
    FUND,
    funds.map((id) => [id]),
  );
  expect(differences(await answered(api.sql), before)).toEqual([]);
  const { rows: left } = await api.sql.query(
    `SELECT (SELECT count(*) FROM stated.startup) + (SELECT count(*) FROM stated.fund)
       + (SELECT count(*) FROM stated.funding_round) + (SELECT count(*) FROM stated.round_investor)
       + (SELECT count(*) FROM stated.holding) + (SELECT count(*) FROM stated.news) AS left`,
  );
  expect(left).toEqual([{ left: '0' }]);
  await publishOutbox(api.sql);
  expect(await signals()).toEqual(history);
  const split = await changesPage(api, { cursor: merged.nextCursor, limit: '1000' });
  expect(split.changes.filter(({ op }) => op === 'split')).toMatchObject([
    { collection: 'startups', recordId: mergedStartup, into: startup },
    { collection: 'funds', recordId: mergedFund, into: fund },
  ]);
});

test.each([
  ['an unknown company', STARTUP, [[startup, fund]], `there is no startup ${fund}`],
  ['a member twice', STARTUP, [startups, [startup]], 'state each member once'],
  ['another entity', 3, [startups], 'state each member once'],
] as const)('%s is an error, and changes nothing', async (_, entity, groups, message) => {
  await expect(cluster(api.sql, entity, groups)).rejects.toThrow(message);
  expect(differences(await answered(api.sql), before)).toEqual([]);
});

const killed = await closedAfterAll(openApi({ seed: 'SELECT 1' }));
const COMPANIES = 40;
const KILLS = atLength(6, 150);

/** The rounds of a source: three at least 90 days apart, which the other source has a little later. */
function lines(source: string): ImportLine[] {
  const shift = source === 'A' ? 0 : 17;
  return Array.from({ length: COMPANIES }, (_, n): ImportLine[] => {
    const Startup = { key: `c${n}` };
    return [
      { type: 'startup', source, key: `c${n}`, Name: `${source} ${n}` },
      ...[0, 100, 200].map((day, index): ImportLine => {
        const at = new Date(Date.UTC(2012, 0, 1 + day + shift)).toISOString().slice(0, 10);
        const Amount = (index + 1) * 1_000_000 + (source === 'A' ? 0 : 20_000);
        return { type: 'round', source, key: `r${n}-${index}`, Startup, Date: at, Amount };
      }),
    ];
  }).flat();
}

const pairs = Array.from({ length: COMPANIES }, (_, n) => [
  startupId('A', `c${n}`),
  startupId('B', `c${n}`),
]);
const apartIds = pairs.flat().map((id) => [id]);

test('a merge or split that is killed is done or not begun, and its rounds count once', async () => {
  const connectionString = killed.databaseUrl;
  await runImport({
    connectionString,
    stream: { name: 'lines', lines: ['A', 'B'].flatMap(lines) },
  });
  const apart = await answered(killed.sql);
  const startedAt = performance.now();
  await cluster(killed.sql, STARTUP, pairs);
  const lastsMs = performance.now() - startedAt;
  const merged = await answered(killed.sql);
  const totals = await killed.list('/startups', {
    $select: 'RoundsCount,TotalRaised',
    $top: '100',
  });
  expect(totals).toHaveLength(COMPANIES);
  for (const { RoundsCount, TotalRaised } of totals) {
    expect(RoundsCount).toBe(3);
    expect(Math.abs(Number(TotalRaised) - 6_000_000)).toBeLessThanOrEqual(60_000);
  }
  let isMerged = true;
  const outcomes = { done: 0, undone: 0 };
  for (let n = 0; n < KILLS; n += 1) {
    const client = new pg.Client(connectionString);
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const work = cluster(client, STARTUP, isMerged ? apartIds : pairs).catch(() => undefined);
    await delay((lastsMs * n) / KILLS);
    await killed.sql.query('SELECT pg_terminate_backend($1, 5000)', [rows[0]?.pid]);
    await work;
    const now = await answered(killed.sql);
    const [before, after] = isMerged ? [merged, apart] : [apart, merged];
    const isDone = differences(now, after).length === 0;
    if (!isDone) expect(differences(now, before)).toEqual([]);
    outcomes[isDone ? 'done' : 'undone'] += 1;
    if (isDone) isMerged = !isMerged;
  }
  expect(outcomes.undone).toBeGreaterThan(0);
}, 600_000);

async function withDatabase<T>(work: (pool: pg.Pool, url: string) => Promise<T>): Promise<T> {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => undefined);
  try {
    return await work(pool, database.urlOf('vcds_importer'));
  } finally {
    await pool.end();
    await database.drop();
  }
}

async function importAll(url: string, lines: readonly string[]): Promise<void> {
  const report = await runImport({ connectionString: url, stream: { name: 'lines', lines } });
  expect(report).toMatchObject({ state: 'applied', total: { rejected: 0 } });
}

const alone = (ids: readonly string[]) => ids.map((id) => [id]);

async function splitAll(pool: pg.Pool, { startups, funds }: MadeSources): Promise<void> {
  await cluster(pool, STARTUP, alone(startups));
  await cluster(pool, FUND, alone(funds));
}

test('records follow from statements and clusters, whatever the order of imports, merges and splits', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const maker = new SourceMaker(seed);
      const made = maker.make();
      const [startups, funds] = [maker.clusters(made.startups), maker.clusters(made.funds)];
      const { never, merged } = await withDatabase(async (pool, url) => {
        await importAll(url, made.base);
        await importAll(
          url,
          made.batches.flatMap(({ lines }) => lines),
        );
        const before = await answered(pool);
        await cluster(pool, FUND, funds);
        await cluster(pool, STARTUP, startups);
        return { never: before, merged: await answered(pool) };
      });
      await withDatabase(async (pool, url) => {
        await importAll(url, made.base);
        for (const { lines } of maker.schedule(made)) {
          if (maker.chance(0.6)) await cluster(pool, STARTUP, maker.clusters(made.startups));
          if (maker.chance(0.6)) await cluster(pool, FUND, maker.clusters(made.funds));
          await importAll(url, lines);
          if (maker.chance(0.1)) await splitAll(pool, made);
        }
        await cluster(pool, STARTUP, startups);
        await cluster(pool, FUND, funds);
        expect(differences(await answered(pool), merged)).toEqual([]);
        await splitAll(pool, made);
        expect(differences(await answered(pool), never)).toEqual([]);
        const { rows } = await pool.query('SELECT * FROM venture.company_member');
        expect(rows).toEqual([]);
      });
    }),
    { ...runs(1), seed: atLength(7, Date.now()), examples: [[2147483643]], endOnFailure: true },
  );
}, 3_000_000);
