// Tests docs/spec/matching.md 19.1, 19.2, 19.3, 19.4, 19.5.
import { expect, test } from '@jest/globals';
import { closedAfterAll, eventually, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { Matching } from '../../src/matching/matching.ts';
import { openThreadRanker } from '../../src/matching/thread-ranker.ts';
import { chargedOf, errorOf, openApi, type Query } from '../support/api.ts';
import { FUNDS, openMatchingApi, STARTUPS } from './matching-api.ts';
import { copyInvestments, recomputed } from './reason-facts.ts';

const PATH = '/venturematching';

const { api, database, fill, train, serves, match, ids } = await openMatchingApi();

test('without a model the response is 503, free, and says that none has been trained', async () => {
  await fill();
  const reply = await api.get(PATH, { country: 'Germany' });
  expect(reply.status).toBe(503);
  expect(errorOf(reply)).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('No matching model has been trained yet'),
  });
  expect(reply.headers['retry-after']).toBe('30');
  expect(chargedOf(reply)).toBe(0);
});

test('a model serves as soon as it is stored, and the header names its version', async () => {
  const trained = await train();
  await serves(trained?.version);
  const reply = await api.get(PATH, { country: 'Germany', top: '3' });
  expect(chargedOf(reply)).toBe(10);
  expect(reply.body).toHaveLength(3);
  const again = await api.get(PATH, { country: 'Germany', top: '3' });
  expect(again.text).toBe(reply.text);
});

test('hits are ordered by score and have reasons with descending weights', async () => {
  const [startup = ''] = await ids(STARTUPS);
  const [fund = ''] = await ids(FUNDS);
  for (const query of [{ startup }, { fund }, { tags: 'Fintech', stage: 'seed' }]) {
    const hits = await match({ ...query, top: '100' });
    expect(hits.length).toBeGreaterThan(20);
    expect(Object.keys(hits[0] ?? {})).toEqual([
      'fund' in query ? 'Startup' : 'Fund',
      'Score',
      'Reasons',
    ]);
    const scores = hits.map(({ Score }) => Score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const { Reasons } of hits) {
      expect(Reasons.length).toBeLessThanOrEqual(5);
      const weights = Reasons.map(({ Weight }) => Weight);
      expect(weights).toEqual(weights.toSorted((a, b) => b - a));
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(1.01);
    }
    expect(hits.filter(({ Reasons }) => Reasons.length > 0).length).toBeGreaterThan(10);
  }
});

test('every number, date and name in a reason is true of the records', async () => {
  await copyInvestments(api.sql);
  const startups = await ids(STARTUPS);
  const funds = await ids(FUNDS);
  const { rows: tags } = await api.sql.query<{ tag: string }>(
    'SELECT DISTINCT unnest(tags) AS tag FROM venture.startup WHERE deleted_at IS NULL ORDER BY 1',
  );
  const criteria = fc.record(
    {
      tags: fc
        .uniqueArray(fc.constantFrom(...tags.map(({ tag }) => `"${tag}"`)), {
          minLength: 1,
          maxLength: 3,
        })
        .map((values) => values.join(',')),
      country: fc.constantFrom('United States', 'Germany', 'United Kingdom', 'France'),
      stage: fc.constantFrom('seed', 'series-a', 'series-b'),
      amount: fc.constantFrom('500000', '2000000', '12345678'),
    },
    { requiredKeys: ['tags'] },
  );
  const query = fc.oneof(
    fc
      .tuple(fc.constantFrom(...startups), fc.option(criteria))
      .map(([startup, more]): Query => ({ startup, ...more })),
    fc.constantFrom(...funds).map((fund): Query => ({ fund })),
    criteria as fc.Arbitrary<Query>,
  );
  const kinds = new Set<number>();
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      for (const { Fund, Startup, Reasons } of await match({ ...asked, top: '5' })) {
        const fundId = Fund?.Id ?? asked.fund ?? '';
        const startupId = Startup?.Id ?? asked.startup ?? null;
        for (const { Text } of Reasons) {
          const { kind, stated, found } = await recomputed(api.sql, Text, { fundId, startupId });
          kinds.add(kind);
          expect({ Text, values: found }).toEqual({ Text, values: stated });
        }
      }
    }),
    runs(6, 300),
  );
  expect(kinds.size).toBeGreaterThanOrEqual(6);
});

test('criteria replace the properties of the startup, and its next stage is the default', async () => {
  const [startup = ''] = await ids(
    `SELECT id FROM venture.startup WHERE deleted_at IS NULL AND next_funding_stage = 4
     AND rounds_count > 0 ORDER BY id LIMIT 1`,
  );
  const plain = await match({ startup });
  expect(await match({ startup, stage: 'series-a' })).toEqual(plain);
  expect(await match({ startup, stage: 'series-d', country: 'Japan' })).not.toEqual(plain);
});

test('a startup that is newer than the model is ranked by its properties', async () => {
  await api.sql.query(
    `INSERT INTO venture.startup (id, name, tags, addresses)
     VALUES (md5('new')::uuid, 'New', '{Fintech}', '[{"Country": "Germany"}]')`,
  );
  const [id = ''] = await ids("SELECT md5('new')::uuid AS id");
  expect(await match({ startup: id })).toEqual(
    await match({ tags: 'Fintech', country: 'Germany' }),
  );
  await api.sql.query(
    `UPDATE venture.startup s SET addresses = (
       SELECT jsonb_build_array(a.addresses -> 0 || '{"Country": "Japan"}')
       FROM venture.startup a WHERE a.deleted_at IS NULL AND a.countries[1] = 'Germany'
         AND a.cities <> '{}' AND a.rounds_count > 0 ORDER BY a.rounds_count DESC, a.id LIMIT 1)
     WHERE s.id = $1`,
    [id],
  );
  expect(await match({ startup: id, country: 'Germany' })).toEqual(
    await match({ tags: 'Fintech', country: 'Germany' }),
  );
  await api.sql.query("INSERT INTO venture.fund (id, name) VALUES (md5('new')::uuid, 'New')");
  const reply = await api.get(PATH, { fund: id });
  expect(reply.status).toBe(404);
  expect(errorOf(reply).message).toContain('added after the last training');
});

const ID = '00000000-0000-4000-8000-000000000000';
test.each<[Query, number, string, object]>([
  [{}, 400, 'bad_parameter', { allowed: expect.arrayContaining(['startup', 'tags']) }],
  [{ startup: ID, fund: ID }, 400, 'bad_parameter', { parameter: 'startup' }],
  [{ fund: ID, stage: 'seed' }, 400, 'bad_parameter', { parameter: 'stage' }],
  [{ fund: ID, amount: '5' }, 400, 'bad_parameter', { parameter: 'amount' }],
  [{ country: 'Germany', include: 'current' }, 400, 'bad_parameter', { parameter: 'include' }],
  [{ startup: ID, include: 'all' }, 400, 'bad_parameter', { allowed: ['current'] }],
  [
    { startup: 'Acme' },
    400,
    'bad_parameter',
    { see: expect.stringContaining('startups/search?q=Acme') },
  ],
  [{ startup: ID }, 404, 'not_found', {}],
  [{ fund: ID }, 404, 'not_found', {}],
  [{ tags: 'Fintek' }, 400, 'unknown_value', { parameter: 'tags', suggestion: 'Fintech' }],
  [{ country: 'Germny' }, 400, 'unknown_value', { parameter: 'country', suggestion: 'Germany' }],
  [{ country: 'Germany,France' }, 400, 'bad_parameter', { parameter: 'country' }],
  [{ stage: 'sede' }, 400, 'unknown_value', { parameter: 'stage', suggestion: 'Seed' }],
  [{ stage: 'seed', amount: '5M' }, 400, 'bad_parameter', { suggestion: '5000000' }],
  [{ stage: 'seed', top: '101' }, 400, 'bad_parameter', { parameter: 'top' }],
  [{ stage: 'seed', startups: ID }, 400, 'unknown_parameter', { suggestion: 'startup' }],
])('%j is %i %s', async (query, status, code, details) => {
  const reply = await api.get(PATH, query);
  expect({ status: reply.status, ...errorOf(reply) }).toMatchObject({ status, code, ...details });
  expect(chargedOf(reply)).toBe(0);
});

test('quote=true states the flat price', async () => {
  const { body } = await api.get(PATH, { country: 'Germany', quote: 'true' });
  expect(body).toMatchObject({ quote: { credits_max: 10, credits_min: 10 } });
});

test('a new model replaces the one that serves, without an error in between', async () => {
  await api.sql.query(
    'UPDATE venture.fund SET founded = 1999 WHERE id = (SELECT min(id::text)::uuid FROM venture.fund WHERE deleted_at IS NULL)',
  );
  const before = (await api.get(PATH, { country: 'Germany' })).headers['x-model-version'];
  const trained = await train();
  expect(trained?.version).not.toBe(before);
  const versions = new Set<unknown>();
  await eventually(async () => {
    const reply = await api.get(PATH, { country: 'Germany' });
    expect(reply.status).toBe(200);
    versions.add(reply.headers['x-model-version']);
    expect(versions).toContain(trained?.version);
  });
  expect([...versions].filter((each) => each !== trained?.version)).toEqual(
    versions.size > 1 ? [before] : [],
  );
});

/** In a thread: after an order it ends before it sends the next response. */
const ENDS_IN_CALL = `
  import { isMainThread, parentPort } from 'node:worker_threads';
  if (!isMainThread) {
    const orders = new BroadcastChannel('end-in-call');
    orders.onmessage = () => {
      parentPort.postMessage = () => process.exit(3);
      orders.postMessage('ready');
    };
    orders.unref();
  }`;

test('a thread that ends in a call fails it without a charge, and the next call is served', async () => {
  const program = `data:text/javascript,${encodeURIComponent(ENDS_IN_CALL)}`;
  const other = await closedAfterAll(
    openApi({ url: database.url, seed: 'SELECT 1', rankerArguments: ['--import', program] }),
  );
  const call = () => other.get(PATH, { country: 'Germany' });
  // Without a charge 503 while the thread loads for more than five seconds.
  const served = () =>
    eventually(async () => {
      const response = await call();
      return response.status === 200 && response;
    });
  const before = await served();
  const orders = new BroadcastChannel('end-in-call');
  const isReady = new Promise((resolve) => {
    orders.onmessage = resolve;
  });
  orders.postMessage('end');
  await isReady;
  orders.close();
  const failed = await call();
  expect(failed.status).toBe(503);
  expect(errorOf(failed)).toMatchObject({ code: 'unavailable' });
  expect(chargedOf(failed)).toBe(0);
  const after = await served();
  expect(after.text).toBe(before.text);
  expect(chargedOf(after)).toBe(10);
});

test('closing ends a thread that is still loading, without a warning', async () => {
  const neverLoads = 'setInterval(() => {}, 1e6); await new Promise(() => {})';
  const failures: unknown[] = [];
  let isOpening: (value: unknown) => void = () => undefined;
  const opening = new Promise((resolve) => {
    isOpening = resolve;
  });
  const matching = new Matching({
    activeVersion: async () => 'any',
    open: (onCrash, signal) => {
      isOpening(undefined);
      const execArgv = ['--import', `data:text/javascript,${encodeURIComponent(neverLoads)}`];
      return openThreadRanker({ connectionString: database.url, execArgv, onCrash, signal });
    },
    onLoaded: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  const call = matching.use(async ({ version }) => version).catch((error) => error.code);
  await opening;
  await matching.close();
  expect(await call).toBe('unavailable');
  expect(failures).toEqual([]);
});

test('a model that cannot be loaded does not replace the one that serves', async () => {
  const before = (await api.get(PATH, { country: 'Germany' })).headers['x-model-version'];
  await api.sql.query(
    `INSERT INTO venture.model SELECT 'broken', now() + interval '1 day', data_stamp, metrics,
       features, parameters, 'x' FROM venture.model LIMIT 1`,
  );
  const { headers, status } = await api.get(PATH, { country: 'Germany' });
  expect({ status, version: headers['x-model-version'] }).toEqual({ status: 200, version: before });
  const other = await closedAfterAll(openApi({ url: database.url, seed: 'SELECT 1' }));
  const reply = await other.get(PATH, { country: 'Germany' });
  expect(errorOf(reply)).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('is being loaded'),
  });
});
