// Tests docs/spec/one-company.md 25.11, 25.12, 25.13.
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { type ImportLine, runImport } from '@vcds/importer';
import { createTestDatabase } from '@vcds/test-kit';
import fc from 'fast-check';
import pg from 'pg';
import { runResolve } from '../../src/worker/resolve/command.ts';
import { isResolutionDue } from '../../src/worker/resolve/is-resolution-due.ts';
import { statementsOf } from '../../src/worker/resolve/read-statements.ts';
import { resolveCompanies } from '../../src/worker/resolve/resolve-companies.ts';
import { fundId, startupId } from './support.ts';

const database = await createTestDatabase();
const owner = new pg.Pool({ connectionString: database.url, max: 2 });
const pool = new pg.Pool({ connectionString: database.urlOf('vcds_data_worker'), max: 2 });
afterAll(async () => {
  await Promise.all([owner.end(), pool.end()]);
  await database.drop();
});

const BERLIN = { City: 'Berlin', Country: 'Germany' };
const lines: readonly ImportLine[] = [
  { type: 'startup', source: 'A', key: 'z', Name: 'Zentrofy GmbH', Website: 'https://zentrofy.de' },
  {
    type: 'startup',
    source: 'B',
    key: 'z',
    Name: 'Zentrofy',
    Website: 'zentrofy.de/en',
    ...BERLIN,
  },
  { type: 'startup', source: 'C', key: 'z', Name: 'Zentrofy', ...BERLIN },
  { type: 'startup', source: 'A', key: 'n', Name: 'Nova', Website: 'https://nova.io', ...BERLIN },
  { type: 'startup', source: 'B', key: 'n', Name: 'Nova', Website: 'https://nova.ai', ...BERLIN },
  { type: 'startup', source: 'C', key: 'o', Name: 'Other', Founded: 2010, ...BERLIN },
  { type: 'fund', source: 'A', key: 'f', Name: 'Marblehead Ventures', Website: 'marblehead.vc' },
  { type: 'fund', source: 'B', key: 'f', Name: 'Marblehead Ventures', Website: 'marblehead.vc' },
  { type: 'fund', source: 'B', key: 'g', Name: 'Marblehead Ventures II', Website: 'marblehead.vc' },
];
const zentrofy = ['A', 'B', 'C'].map((source) => startupId(source, 'z')).sort();
const nova = ['A', 'B'].map((source) => startupId(source, 'n'));
const [record = ''] = zentrofy;

const ingest = (stream: readonly ImportLine[]) =>
  runImport({ connectionString: database.url, stream: { name: 'lines', lines: stream } });
const resolve = () => resolveCompanies(pool, new AbortController().signal);

async function companies(): Promise<Record<string, string[]>> {
  const { rows } = await owner.query<{ id: string; members: string[] }>(
    `SELECT company_id AS id, array_agg(member_id::text ORDER BY member_id) AS members
     FROM venture.company_member GROUP BY 1 ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ id, members }) => [id, members]));
}

/** Runs a command as an operator. */
async function admin(...words: string[]) {
  const printed: string[] = [];
  const status = await runResolve(words, {
    environment: { DATABASE_URL: database.urlOf('vcds_data_worker') },
    out: (text) => printed.push(text),
    err: (text) => printed.push(text),
    signal: new AbortController().signal,
  });
  const text = printed.join('\n');
  return {
    status,
    text,
    json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
  };
}

beforeEach(async () => {
  await owner.query('DELETE FROM venture.company_ruling');
  await ingest(lines);
  await resolve();
});

test('statements of different sources about one company are one record; others are not', async () => {
  expect(await companies()).toEqual({
    [record]: zentrofy,
    [[fundId('A', 'f'), fundId('B', 'f')].sort()[0] ?? '']: [
      fundId('A', 'f'),
      fundId('B', 'f'),
    ].sort(),
  });
  const { rows } = await owner.query(
    "SELECT id FROM venture.startup WHERE name LIKE 'Zentrofy%' AND deleted_at IS NULL",
  );
  expect(rows).toEqual([{ id: record }]);
});

test('a run is due after an import that changed something, and repeating it changes nothing', async () => {
  expect(await isResolutionDue(pool)).toBe(false);
  await ingest([
    { type: 'startup', source: 'D', key: 'z', Name: 'Zentrofy', Website: 'zentrofy.de' },
  ]);
  expect(await isResolutionDue(pool)).toBe(true);
  expect(await resolve()).toMatchObject({ moved: expect.any(Number), statements: 10 });
  expect((await companies())[[...zentrofy, startupId('D', 'z')].sort()[0] ?? '']).toHaveLength(4);
  expect(await isResolutionDue(pool)).toBe(false);
  expect(await resolve()).toMatchObject({ moved: 0 });
  await ingest([{ type: 'startup', source: 'D', key: 'z', op: 'delete' }]);
});

test('the evidence of a statement is what its source says, also after it is merged', async () => {
  const rounds = zentrofy.map((id, k) => ({
    id,
    source: ['A', 'B', 'C'].find((one) => startupId(one, 'z') === id),
    k,
  }));
  await ingest(
    rounds.map(({ source = '', k }) => ({
      ...{
        type: 'round',
        source,
        key: 'r',
        Startup: { key: 'z' },
        Date: `201${k}-05-01`,
        Amount: 1e6,
      },
    })),
  );
  const read = async () => (await statementsOf(pool, 1, zentrofy)).map((one) => one.rounds);
  const months = rounds.map(({ k }) => [`201${k}-05|1000000`]);
  expect(await read()).toEqual(months);
  await admin('resolve', 'split', record);
  expect(await read()).toEqual(months);
});

test('a run that is stopped is done by the next one', async () => {
  await owner.query('TRUNCATE venture.resolution_run');
  const stop = AbortSignal.abort(new Error('stopped'));
  await expect(resolveCompanies(pool, stop)).rejects.toThrow('stopped');
  expect(await isResolutionDue(pool)).toBe(true);
  await resolve();
  expect(await companies()).toHaveProperty(record);
});

test('what an operator splits, keeps apart or merges stays so through imports and runs', async () => {
  expect((await admin('resolve', 'split', record)).status).toBe(0);
  expect(Object.keys(await companies())).not.toContain(record);
  const merged = await admin('resolve', 'merge', ...nova);
  expect(merged.json.companies).toEqual([[...nova].sort()]);
  await ingest(lines.map((line) => ({ ...line, Description: 'Changed' }) as ImportLine));
  await resolve();
  const after = await companies();
  expect(after).toHaveProperty([...nova].sort()[0] ?? '', [...nova].sort());
  expect(after).not.toHaveProperty(record);

  await admin('resolve', 'apart', ...nova);
  await resolve();
  expect(await companies()).not.toHaveProperty([...nova].sort()[0] ?? '');
});

test('review lists pairs that are too close to call, and a decision takes them off it', async () => {
  const list = (await admin('resolve', 'review')).json as { ids: string[]; veto: string }[];
  const pair = list.find(({ ids }) => ids.includes(nova[0] ?? ''));
  expect(pair).toMatchObject({ ids: [...nova].sort(), veto: 'sites', names: ['Nova', 'Nova'] });
  const { json: explained } = await admin('resolve', 'why', ...nova);
  expect(pair).toMatchObject({ reasons: explained.reasons, weight: explained.weight });
  await admin('resolve', 'apart', ...nova);
  await resolve();
  const { json } = await admin('resolve', 'review');
  expect(JSON.stringify(json)).not.toContain(nova[0]);
});

test('why gives the verdict, the veto, the ruling and the weight of each feature', async () => {
  await admin('resolve', 'apart', ...nova);
  const { json } = await admin('resolve', 'why', ...nova);
  expect(json).toMatchObject({ sameCompany: false, veto: 'sites', ruling: 'apart' });
  expect(json.reasons).toContainEqual(expect.objectContaining({ feature: 'nameSame' }));
});

test('the values of a source that is ranked first are those of the record, at once', async () => {
  const nameOf = async () =>
    (await owner.query('SELECT name FROM venture.startup WHERE id = $1', [record])).rows[0].name;
  expect((await admin('sources', 'rank', 'A', '1')).status).toBe(0);
  expect(await nameOf()).toBe('Zentrofy GmbH');
  expect((await admin('sources', 'rank', 'C', '1')).status).toBe(0);
  expect((await admin('sources', 'rank', 'A', '2')).status).toBe(0);
  expect(await nameOf()).toBe('Zentrofy');
});

test.each<[string, string[], string]>([
  [
    'no id',
    ['resolve', 'merge', 'x', 'y'],
    "'x' is not an id. Copy it from the field Id of a startup or fund.",
  ],
  [
    'an unknown id',
    ['resolve', 'split', record.replace(/^./u, 'f')],
    'There is no startup or fund',
  ],
  ['one id twice', ['resolve', 'merge', record, record], 'Give two different ids.'],
  [
    'a startup and a fund',
    ['resolve', 'merge', record, fundId('A', 'f')],
    'they are never one company',
  ],
  ['a single statement', ['resolve', 'split', nova[0] ?? ''], 'nothing to split'],
  ['an unknown source', ['sources', 'rank', 'nowhere', '1'], "No record has the source 'nowhere'."],
  ['no rank', ['sources', 'rank', 'A', 'first'], 'It must be a whole number from 1 to 1000000.'],
])('an error says how to repair the command: %s', async (_, words, message) => {
  const { status, text } = await admin(...words);
  expect({ status, text }).toEqual({ status: 2, text: expect.stringContaining(message) });
});

const SOURCES = ['A', 'B', 'C', 'D'];
const NAMES = [
  'Nova',
  'Nova',
  'Nova Labs',
  'Zentrofy',
  'Zentrofi',
  'Blue Yonder',
  'BlueYonder Inc',
];
const change = fc.record({
  source: fc.constantFrom(...SOURCES),
  k: fc.nat({ max: 29 }),
  Name: fc.constantFrom(...NAMES),
  Website: fc.constantFrom(null, 'http://zentrofy.com', 'https://nova.io', 'https://nova.ai'),
  Founded: fc.constantFrom(null, 2009, 2010, 2015),
  place: fc.constantFrom({}, BERLIN, { City: 'Paris', Country: 'France' }),
  round: fc.constantFrom(null, '2012-03-01', '2013-05-01'),
  isDeleted: fc.boolean(),
});
const linesOf = ({ source, k, isDeleted, place, round, ...facts }: ChangeOf<typeof change>) => {
  const key = `p${k}`;
  if (isDeleted) return [{ type: 'startup', source, key, op: 'delete' } as const];
  const lines: ImportLine[] = [{ type: 'startup', source, key, ...facts, ...place }];
  const of = { type: 'round', source, key, Startup: { key }, Amount: 1_230_000 } as const;
  return round === null ? lines : [...lines, { ...of, Date: round }];
};
type ChangeOf<T> = T extends fc.Arbitrary<infer V> ? V : never;

async function decided() {
  const { rows: pairs } = await owner.query(
    'SELECT entity, low_id, high_id, weight, verdict, veto FROM venture.company_pair ORDER BY 1, 2, 3',
  );
  const { rows: compared } = await owner.query(
    'SELECT statement_id, digest, keys FROM venture.compared_statement ORDER BY 1',
  );
  return { companies: await companies(), pairs, compared };
}

test('after any changes, comparing what changed gives what comparing everything gives', async () => {
  const start = SOURCES.flatMap((source) =>
    Array.from({ length: 25 }, (_, k) => ({
      ...({ type: 'startup', source, key: `p${k}`, Name: NAMES[k % NAMES.length] ?? '' } as const),
      ...(k % 2 === 0 ? BERLIN : {}),
    })),
  );
  await ingest(start);
  await resolve();
  let incremental = 0;
  const ruling = fc.tuple(
    fc.constantFrom('merge', 'apart'),
    fc.nat({ max: 9 }),
    fc.nat({ max: 9 }),
  );
  const changes = fc.array(change, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(changes, fc.option(ruling), async (changed, ruled) => {
      await ingest(changed.flatMap(linesOf));
      if (ruled !== null) {
        const [verdict, a, b] = ruled;
        await admin('resolve', verdict, startupId('A', `p${a}`), startupId('B', `p${b}`));
      }
      const { compared } = await resolve();
      const after = await decided();
      const all = await resolveCompanies(pool, new AbortController().signal, { isAll: true });
      expect(await decided()).toEqual(after);
      expect(all.moved).toBe(0);
      if (compared < all.compared) incremental += 1;
    }),
    { numRuns: 15 },
  );
  expect(incremental).toBeGreaterThan(5);
}, 240_000);
