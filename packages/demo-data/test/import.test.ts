import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@vcds/test-kit';
import pg from 'pg';
import { runDemoCommand } from '../src/command.ts';
import { contentsOf, fillDatabase } from '../src/fill-database.ts';

const DATASET = { startups: 300, today: '2026-01-01' };

describe('a data set written through the importer', () => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const fill = () => fillDatabase({ connectionString: database.url, dataset: DATASET });
  const revisions = async (): Promise<unknown> => {
    const tables = ['startup', 'fund', 'person', 'funding_round', 'post_valuation', 'news'];
    const sums = tables.map(
      (table) => `(SELECT sum(revision * (1 + (deleted_at IS NULL)::int)) FROM venture.${table})`,
    );
    return (await client.query({ text: `SELECT ${sums.join(', ')}`, rowMode: 'array' })).rows[0];
  };

  test('is imported without a rejected line', async () => {
    expect(await contentsOf(database.url)).toBe('empty');
    const { state, total, notes, relabelled } = await fill();
    expect(state).toBe('applied');
    expect(total).toMatchObject({ rejected: 0, stale: 0, duplicate: 0, unchanged: 0 });
    expect(total.inserted + total.updated + total.deleted).toBe(total.read);
    expect(notes.filter(({ kind }) => kind === 'repaired')).toEqual([]);
    expect(relabelled).toEqual([]);
    expect(await contentsOf(database.url)).toBe('demonstration');
  });

  test('changes nothing when it is written again', async () => {
    const before = await revisions();
    const { total } = await fill();
    expect(total).toMatchObject({ inserted: 0, updated: 0, deleted: 0, rejected: 0 });
    expect(await revisions()).toEqual(before);
  });

  test.each([
    ['last_funding_stage', 22],
    ['next_funding_stage', 22],
    ['members_bucket', 9],
    ['operating_status', 3],
    ['primary_source', 3],
  ])('gives startups every value of %s', async (column, count) => {
    const { rows } = await client.query(
      `SELECT count(DISTINCT ${column})::int AS count FROM venture.startup
       WHERE deleted_at IS NULL`,
    );
    expect(rows).toEqual([{ count }]);
  });

  test('gives rounds every stage, and several series of one stage', async () => {
    const { rows } = await client.query(
      `SELECT count(DISTINCT stage)::int AS stages,
         count(DISTINCT series) > 2 * count(DISTINCT stage) AS spelled
       FROM venture.funding_round WHERE deleted_at IS NULL`,
    );
    expect(rows).toEqual([{ stages: 22, spelled: true }]);
  });

  test.each(
    'startup fund person funding_round round_investor holding post_valuation news startup_person fund_person reference'.split(
      ' ',
    ),
  )('leaves %s not empty', async (table) => {
    const { rows } = await client.query(
      `SELECT count(*) > 40 AS many FROM venture.${table} WHERE deleted_at IS NULL`,
    );
    expect(rows).toEqual([{ many: true }]);
  });

  test.each([
    [
      'some startups are deleted',
      'SELECT count(*) > 0 AS holds FROM venture.startup WHERE deleted_at IS NOT NULL',
    ],
    [
      'no company is valued below what it raised',
      `SELECT count(*) > 20
          AND count(*) FILTER (WHERE latest_post_valuation < total_raised) = 0 AS holds
       FROM venture.startup
       WHERE latest_post_valuation IS NOT NULL AND total_raised IS NOT NULL AND deleted_at IS NULL`,
    ],
    [
      'every amount is converted to US dollars',
      `SELECT count(*) FILTER (WHERE original_currency <> 'USD') > 100
          AND count(*) FILTER (WHERE original_amount IS NOT NULL AND amount IS NULL) = 0 AS holds
       FROM venture.funding_round`,
    ],
  ])('%s', async (_, query) => {
    expect((await client.query(query)).rows).toEqual([{ holds: true }]);
  });
});

/** Runs the command and collects its output. */
async function command(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const [out, err] = [collector(), collector()];
  const code = await runDemoCommand(args, environment, { out, err }, new AbortController().signal);
  return { code, out: out.text(), err: err.text() };
}

function collector(onPart: (part: string) => void = () => undefined) {
  const parts: string[] = [];
  const write = (part: unknown, _: unknown, done: () => void): void => {
    parts.push(String(part));
    onPart(String(part));
    done();
  };
  return Object.assign(new Writable({ write }), { text: () => parts.join('') });
}

describe('the command', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('fills an empty database, reports its progress, and then has nothing to do', async () => {
    const args = ['--startups', '40', '--only-if-empty', '--today', '2026-01-01'];
    const first = await command(args, { DATABASE_URL: database.url });
    expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/startup +40/) });
    expect(first.err).toMatch(/applying: [\d,]+ of [\d,]+ lines/);
    const second = await command(args, { DATABASE_URL: database.url });
    expect(second).toMatchObject({ code: 0, out: '' });
    expect(second.err).toContain('nothing was imported');
  });

  test('completes an interrupted import', async () => {
    const stop = new AbortController();
    const args = ['--startups', '400', '--today', '2026-01-01'];
    const environment = { DATABASE_URL: database.url };
    const out = collector();
    const err = collector((part) => {
      if (part.startsWith('applying')) stop.abort(new Error('SIGTERM'));
    });
    expect(await runDemoCommand(args, environment, { out, err }, stop.signal)).toBe(1);
    const again = await command(args, environment);
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('Applied') });
    const third = await command(args, environment);
    expect(third.out).toMatch(/total +[\d,]+ +0 +0 +0 /);
  });

  test('adds nothing to records of other sources', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`INSERT INTO venture.fund (name, source) VALUES ('A Fund', 'elsewhere')`);
    await client.end();
    const { code, err } = await command(['--startups', '40'], { DATABASE_URL: database.url });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('data was imported') });
  });

  test('prints a data set as NDJSON without a database', async () => {
    const { code, out } = await command(['--print', '--startups', '10', '--today', '2026-01-01']);
    const lines = out.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines.length).toBeGreaterThan(300);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ op: 'upsert', source: 'demonstration' });
  });

  test.each([
    [['--startups', 'many'], 'startups must be an integer'],
    [['--startups', '0'], 'startups must be an integer from 1 to'],
    [['--seed', '99999999999'], 'seed must be an integer'],
    [['--today', '31.12.2025'], 'is not a date'],
    [['--other'], "Unknown option '--other'"],
    [[], 'DATABASE_URL is not set'],
  ])('rejects %j with a message and the usage', async (args, words) => {
    const { code, err } = await command(args);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(words) });
    expect(err).toContain('--only-if-empty');
  });

  test('reports that the database cannot be reached', async () => {
    const environment = { DATABASE_URL: 'postgres://missing@127.0.0.1:1/none' };
    const { code, err } = await command(['--startups', '10'], environment);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('The import failed') });
  });

  test('prints its usage', async () => {
    const { code, out } = await command(['--help']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('--startups') });
  });
});
