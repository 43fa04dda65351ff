// Tests docs/spec/matching.md 19.2, 19.4.
import { tmpdir } from 'node:os';
import { afterAll, expect, test } from '@jest/globals';
import { fillDatabase } from '@vcds/demo-data';
import { type ImportLine, recordId, runImport } from '@vcds/importer';
import { type InvestmentData, train, UNKNOWN_DAY } from '@vcds/matching';
import { createTestDatabase } from '@vcds/test-kit';
import pg from 'pg';
import {
  fund,
  investor,
  person,
  round,
  startup,
} from '../../../../packages/importer/test/support.ts';
import { loadMatcher } from '../../src/matching/load-matcher.ts';
import { decodeModel, encodeModel } from '../../src/models/model-bytes.ts';
import { runMatching } from '../../src/worker/train/command.ts';
import { isTrainingDue } from '../../src/worker/train/is-training-due.ts';
import { dayAtShare } from '../../src/worker/train/split.ts';
import { loadAtOnce, trainMatching } from '../../src/worker/train/train.ts';

const NOW_MS = Date.UTC(2026, 10, 22);
const DAY_MS = 86_400_000;

const database = await createTestDatabase();
const pool = new pg.Pool({ connectionString: database.urlOf('vcds_data_worker'), max: 1 });
afterAll(async () => {
  await pool.end();
  await database.drop();
});
pool.on('error', () => undefined);
const importer = database.urlOf('vcds_importer');

function importLines(lines: readonly object[]) {
  return runImport({
    connectionString: importer,
    stream: { name: 'lines', lines: lines as readonly ImportLine[] },
    rejectedFolder: tmpdir(),
  });
}

const load = async () => (await loadAtOnce(pool, NOW_MS)).data;

/** The investments in words: fund, startup, day, stage, amount, and `led`. */
function described({ investors, startups, investments }: InvestmentData): readonly string[] {
  return [...investments.day.keys()].map((row) => {
    const day = investments.day[row] ?? UNKNOWN_DAY;
    const startupName = startups[investments.startup[row] ?? -1]?.id;
    return [
      investors[investments.investor[row] ?? -1]?.name,
      ['a', 'b', 'c'].find((key) => recordId('startup', 'test', key) === startupName),
      day === UNKNOWN_DAY ? 'undated' : new Date(day * DAY_MS).toISOString().slice(0, 10),
      ...[investments.stage[row], investments.amountUsd[row]],
      ...(investments.isLead[row] === 1 ? ['led'] : []),
    ].join(' ');
  });
}

const by = (...keys: readonly string[]) => ({
  Investors: keys.map((key) => ({ type: 'fund', key, Lead: key === 'one' })),
});

test('loads confirmed rounds and dated holdings of live funds and startups', async () => {
  const report = await importLines([
    startup('a', { Tags: ['Fintech'], City: 'Berlin', Country: 'Germany', Founded: 2015 }),
    ...[startup('b'), startup('c'), person('p')],
    fund('one', { Country: 'France', InvestmentStages: ['Seed'], OperatingStatus: 'Closed' }),
    ...[fund('two'), fund('gone')],
    round('r1', 'a', { Date: '2020-01-02', Stage: 'Seed', Amount: 1_000_000, ...by('one', 'two') }),
    round('r2', 'a', { Date: '2021-03-04', Confirmed: false, ...by('two') }),
    round('r3', 'b', by('two')),
    round('r4', 'b', { Date: '2022-05-06', Investors: [{ type: 'person', key: 'p' }] }),
    round('r5', 'b', { Date: '2022-05-07', ...by('gone') }),
    round('r7', 'b', {}),
    investor('r7', 'one', { occurredAt: '2018-07-08T22:00:00Z' }),
    investor('r7', 'two', { occurredAt: '2021-02-03' }),
    round('r6', 'c', { Date: '2022-05-08', ...by('two') }),
    {
      type: 'holding',
      source: 'test',
      Fund: { key: 'one' },
      Startup: { key: 'b' },
      occurredAt: '2019-01-02',
    },
    { type: 'holding', source: 'test', Fund: { key: 'two' }, Startup: { key: 'c' } },
    { op: 'delete', type: 'fund', source: 'test', key: 'gone' },
    { op: 'delete', type: 'round', source: 'test', key: 'r6' },
  ]);
  expect(report.state).toBe('applied');
  const data = await load();
  expect(described(data).toSorted()).toEqual([
    'Fund one a 2020-01-02 3 1000000 led',
    'Fund one b 2018-07-08 0 NaN',
    'Fund two a 2020-01-02 3 1000000',
    'Fund two b 2021-02-03 0 NaN',
    'Fund two b undated 0 NaN',
  ]);
  const [first, second] = data.investors.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(first).toMatchObject({ country: 'France', stages: [3] });
  expect(second).toMatchObject({ name: 'Fund two', country: '' });
  expect(data.investors).toHaveLength(2);
  expect(data.startups.find(({ country }) => country !== '')).toEqual({
    id: recordId('startup', 'test', 'a'),
    ...{ tags: ['Fintech'], country: 'Germany', region: '', city: 'Berlin', founded: 2015 },
  });
  const rounds = data.investments.round;
  expect(new Set(rounds).size).toBe(3);
});

test('a date after today or before 1900 is no date', async () => {
  const dates = [
    '9999-12-31',
    '0001-01-01',
    '2026-11-23',
    '1899-12-31',
    '2026-11-22',
    '1900-01-01',
  ];
  await importLines([
    startup('c'),
    ...dates.map((date, k) => round(`dated-${k}`, 'c', { Date: date, ...by('two') })),
  ]);
  const days = described(await load()).filter((line) => line.startsWith('Fund two c'));
  expect(days.map((line) => line.split(' ')[3]).toSorted()).toEqual([
    ...['1900-01-01', '2026-11-22', 'undated', 'undated', 'undated', 'undated'],
  ]);
});

test('without dated investments no model is trained', async () => {
  await importLines([
    { op: 'delete', type: 'startup', source: 'test', key: 'a' },
    { op: 'delete', type: 'startup', source: 'test', key: 'b' },
    { op: 'delete', type: 'startup', source: 'test', key: 'c' },
  ]);
  expect(await isTrainingDue(pool)).toBe(false);
  expect(await trainMatching({ pool, nowMs: NOW_MS })).toBeUndefined();
  expect(await command('train')).toMatchObject({
    status: 1,
    err: expect.stringContaining('no investment has a date to train on'),
  });
});

test('a training is due for a dated participation or holding, of a live fund and with a known date', async () => {
  const isDueWith = async (lines: readonly object[]) => {
    expect((await importLines(lines)).state).toBe('applied');
    return isTrainingDue(pool);
  };
  const holding = {
    ...{ type: 'holding', source: 'test', Fund: { key: 'brief' }, Startup: { key: 'd' } },
    occurredAt: '2019-01-02',
  };
  const remove = (type: string, key: string) => ({ op: 'delete', type, source: 'test', key });
  expect(await isDueWith([startup('d'), fund('brief'), round('d1', 'd', by('brief'))])).toBe(false);
  const placeholder = round('d2', 'd', { Date: '9999-12-31', ...by('brief') });
  expect(await isDueWith([placeholder])).toBe(false);
  expect(await isDueWith([investor('d1', 'brief', { occurredAt: '2019-01-02' })])).toBe(true);
  expect(await isDueWith([remove('round', 'd1'), remove('round', 'd2')])).toBe(false);
  expect(await isDueWith([holding])).toBe(true);
  expect(await isDueWith([remove('fund', 'brief')])).toBe(false);
});

test('the records of a model survive storage', async () => {
  await fillDatabase({
    connectionString: importer,
    dataset: { today: '2026-06-01', startups: 60 },
  });
  const data = await load();
  expect(data.investments.day.length).toBeGreaterThan(100);
  const loaded = { data, model: train(data) };
  expect(await decodeModel(await encodeModel(loaded))).toEqual(loaded);
});

test('equal records result in an equal model, which other processes load', async () => {
  expect(await isTrainingDue(pool)).toBe(true);
  const steps: string[] = [];
  const onStep = (step: string) => steps.push(step);
  const first = await trainMatching({ pool, nowMs: NOW_MS, onStep, hasBackTest: false });
  const second = await trainMatching({ pool, nowMs: NOW_MS, hasBackTest: false });
  expect(first?.version).toMatch(/^20261122-[0-9a-f]{8}$/);
  expect(second?.version).toBe(first?.version);
  expect(await isTrainingDue(pool)).toBe(false);
  expect(steps).toEqual(expect.arrayContaining(['loading', 'training: examples', 'saving']));
  const matcher = await loadMatcher(database.urlOf('vcds_data_api'));
  expect(matcher?.version).toBe(first?.version);
});

test.each([
  ['features', 'features = features[2:]'],
  ['format', 'parameters = parameters || \'{"format": 0}\''],
])('training is due when the newest model has other %s than the code', async (_, set) => {
  const newest = 'version = (SELECT version FROM venture.model ORDER BY created_at DESC LIMIT 1)';
  const { rows } = await pool.query(
    `SELECT features, parameters FROM venture.model WHERE ${newest}`,
  );
  await pool.query(`UPDATE venture.model SET ${set} WHERE ${newest}`);
  expect(await isTrainingDue(pool)).toBe(true);
  await pool.query(`UPDATE venture.model SET features = $1, parameters = $2 WHERE ${newest}`, [
    ...[rows[0].features, rows[0].parameters],
  ]);
  expect(await isTrainingDue(pool)).toBe(false);
});

test('training is due when imports have doubled the records', async () => {
  await pool.query(
    'UPDATE venture.model SET data_stamp = data_stamp || \'{"readAt": "2020-01-01"}\'',
  );
  expect(await isTrainingDue(pool)).toBe(true);
});

test('a training that is stopped stores nothing', async () => {
  const stop = new AbortController();
  const onStep = () => stop.abort(new Error('Stopped.'));
  const stopped = trainMatching({ pool, nowMs: NOW_MS + DAY_MS, signal: stop.signal, onStep });
  await expect(stopped).rejects.toThrow('Stopped.');
  const listed = await command('list', '--json');
  expect(listed.out).not.toContain('20261123-');
});

async function command(...words: readonly string[]) {
  const lines = { out: [] as string[], err: [] as string[] };
  const status = await runMatching(words, {
    environment: { DATABASE_URL: database.urlOf('vcds_data_worker') },
    out: (text) => lines.out.push(text),
    err: (text) => lines.err.push(text),
    signal: new AbortController().signal,
    nowMs: () => NOW_MS,
  });
  return { status, out: lines.out.join('\n'), err: lines.err.join('\n') };
}

test('train measures the ranking on the newest investments and prints the figures', async () => {
  const { status, out, err } = await command('train');
  expect({ status, err: err.split('\n') }).toMatchObject({
    status: 0,
    err: expect.arrayContaining(['measuring', 'saving']),
  });
  expect(out).toMatch(/^version +20261122-[0-9a-f]{8}$/m);
  expect(out).toMatch(/^Investments from \d{4}-\d\d-\d\d to before \d{4}/m);
  expect(out).toMatch(/^learnt ranking +0\.\d{3} +0\.\d{3} to 0\.\d{3} +0\.000 +0\.000 to 0\.000/m);
  const { rows } = await pool.query<{ metrics: { methods: { name: string }[] } }>(
    'SELECT metrics FROM venture.model ORDER BY created_at DESC LIMIT 1',
  );
  expect(rows[0]?.metrics.methods.map(({ name }) => name)).toContain('popularity');
});

test('the back-test ranks for 500 companies at most', async () => {
  const named = (word: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${word}-${at}`);
  const dealIn = (date: string) => (key: string) =>
    round(`round-${key}`, key, {
      ...{ Date: date, Stage: 'Seed' },
      Investors: [{ type: 'fund', key: 'frequent' }],
    });
  const [older, newest] = [named('older', 20), named('newest', 510)];
  await importLines([
    fund('frequent'),
    ...[...older, ...newest].map((key) => startup(key)),
    ...older.map(dealIn('2020-01-01')),
    ...newest.map(dealIn('2026-11-01')),
  ]);
  const trained = await trainMatching({ pool, nowMs: NOW_MS });
  expect(trained?.metrics).toMatchObject({ questions: { cold: 500, warm: 0 } });
});

test('evaluate measures a split, and list shows the stored models', async () => {
  const { data } = await loadAtOnce(pool, NOW_MS);
  const split = new Date((dayAtShare(data.investments.day, 0.8) ?? 0) * DAY_MS);
  const day = split.toISOString().slice(0, 10);
  const { status, out } = await command('evaluate', '--split', day, '--json');
  expect(status).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ split: split.getTime() / DAY_MS });
  const later = await command('evaluate', '--split', '2200-01-01');
  expect(later).toMatchObject({ status: 1, out: '' });
  expect(later.err).toMatch(/there is nothing to measure/);
  const listed = await command('list');
  expect(listed.out).toMatch(/^version +created/);
  expect(listed.out).toMatch(/^20261122-/m);
});

test.each([
  [['evaluate'], /required option '--split <day>'/],
  [['evaluate', '--split', 'May'], /It must be a day/],
  [['evaluate', '--split', '2020-01-01', '--seed', 'x'], /It must be a whole number/],
  [['tran'], /unknown command 'tran'/],
])('%j is an invalid command line', async (words, message) => {
  const { status, err } = await command(...words);
  expect(status).toBe(2);
  expect(err).toMatch(message);
});
