// Tests docs/spec/addresses.md 1.3.
// Tests docs/spec/credits.md 10.12, 10.13.
import { expect, test } from '@jest/globals';
import { bindFilter, parseFilter } from '@vcds/odata-query';
import { closedAfterAll } from '@vcds/test-kit';
import type { DimensionId } from '@vcds/venture-model';
import { sqlCategories } from '../../src/categories/sql-engine/sql-engine.ts';
import { planNarrowing } from '../../src/narrowing/plan.ts';
import { ValueResolver } from '../../src/narrowing/resolve.ts';
import { collection } from '../../src/record-endpoints.ts';
import { resources } from '../../src/resources/index.ts';
import { resolve } from '../../src/serve/resolve.ts';
import type { Sources } from '../../src/serve/sources.ts';
import { chargedOf, errorOf, openApi, type Reply } from '../support/api.ts';
import { seedId } from '../support/collections.ts';

const api = await closedAfterAll(openApi({ principal: { plan: 'free' } }));
const limited = (path: string, limit: number | string) =>
  api.get(path, {}, { 'X-Credits-Max': String(limit) });
const quoteOf = ({ body }: Reply) => (body as { quote: Record<string, number> }).quote;
const remainingOf = ({ headers }: Reply) => Number(headers['x-ratelimit-remaining']);
const STARTUP = `/startups/${seedId('startup2')}`;
const NO_MATCH = encodeURIComponent("Name eq 'no such name'");

test.each([
  ['/startups?$top=10', 10],
  ['/startups?$top=4&$expand=Tags,Funds', 6],
  [`/startups?$filter=${NO_MATCH}&$expand=Tags`, 1],
  ['/startups?$count=true&$top=100', 1],
  [STARTUP, 1],
  [`${STARTUP}?$expand=Tags`, 2],
  [`${STARTUP}/references?$top=100`, 10],
  ['/startups/search?q=agora', 1],
  ['/startups/tags/search?q=fin', 1],
  ['/companies/search?q=zeta&top=50', 1],
  ['/startups/fundingrounds?$top=5', 3],
  ['/news?$top=50&$expand=Startup,Fund', 19],
  ['/categories', 1],
  ['/categories/facets?dimensions=industry', 1],
  ['/categories/city?top=3', 1],
  ['/categories/stage/series-a/startups?$top=3&$expand=Tags', 4],
  ['/signals?limit=20&expand=subject', 1],
  ['/signals/types', 0],
  ['/pricing', 0],
])('%s is charged %i, within its quote, and runs only within its limit', async (path, credits) => {
  const quoted = await api.get(path, { quote: 'true' });
  expect([quoted.status, chargedOf(quoted)]).toEqual([200, 0]);
  const quote = quoteOf(quoted);
  const { credits_max: max = -1, credits_min: min = -1 } = quote;
  const expands = 1 + 0.25 * (quote.expands ?? 0);
  const perRecord = (quote.per_record ?? 0) * expands;
  const sum = (quote.base ?? 0) + (quote.records_max ?? 0) * perRecord;
  expect(max).toBe(Math.max(Math.min(min, 1), Math.ceil(sum)));
  const answer = await limited(path, max);
  const charged = chargedOf(answer);
  expect([answer.status, charged >= min, charged <= max]).toEqual([200, true, true]);
  expect(charged).toBe(credits);
  expect(remainingOf(answer)).toBe(remainingOf(quoted) - charged);
  if (max === 0) return;
  const rejected = await limited(path, max - 1);
  expect(remainingOf(rejected)).toBe(remainingOf(answer));
  expect([rejected.status, chargedOf(rejected)]).toEqual([400, 0]);
  expect(rejected.body).toMatchObject({ error: { code: 'price_above_limit' }, quote });
});

test.each([
  ['/startups?$top=10', 10],
  ['/startups?$top=4&$expand=Tags,Funds&$format=csv', 6],
  [STARTUP, 1],
  ['/categories', 1],
  ['/signals?limit=20&expand=subject', 7],
  ['/pricing', 0],
])('HEAD %s is free, and states the greatest price', async (path, credits) => {
  const [quoted, { status, text, headers }] = await Promise.all([
    api.get(path, { quote: 'true' }),
    api.send('head', path),
  ]);
  expect([status, text, headers['x-credits-charged']]).toEqual([200, '', '0']);
  expect(headers['x-credits-max-price']).toBe(String(credits));
  expect(credits).toBe(quoteOf(quoted).credits_max);
  expect(headers['x-ratelimit-remaining']).toBe(String(remainingOf(quoted)));
});

test.each([
  ['/startups?$filter=Nam eq 1', 400, {}],
  ['/startups?$top=10', 400, { 'X-Credits-Max': '9' }],
  ['/startups', 406, { Accept: 'text/html' }],
  ['/nowhere', 404, {}],
])('HEAD %s has the status of GET: %i', async (path, status, headers) => {
  const reply = await api.send('head', encodeURI(path), headers);
  expect([reply.status, reply.text]).toEqual([status, '']);
});

test('a quote has the numbers of the formula and the balance, whatever the limit', async () => {
  const asked = { $top: '30', $expand: 'Startup', quote: 'true' };
  const reply = await api.get('/startups/fundingrounds', asked, { 'X-Credits-Max': '1' });
  expect(reply.body).toEqual({
    quote: {
      credits_max: 19,
      credits_min: 1,
      base: 0,
      per_record: 0.5,
      expands: 1,
      records_max: 30,
    },
    credits: {
      limit: 500,
      remaining: remainingOf(reply),
      required: 19,
      plan: 'free',
      reset: new Date(Number(reply.headers['x-ratelimit-reset']) * 1000).toISOString(),
    },
  });
  const answer = await api.get('/startups/fundingrounds', { $top: '2', quote: 'false' });
  expect(Array.isArray(answer.body)).toBe(true);
});

test('a price above the limit names the limit, the price and the ways to a lower one', async () => {
  const { body } = await limited('/startups?$expand=Tags', '12');
  expect(body).toMatchObject({
    error: { parameter: 'X-Credits-Max', value: '12', status: 400 },
    quote: { credits_max: 32 },
    actions: [
      { type: 'reduce_page_size', parameter: '$top', max: 9 },
      { type: 'raise_limit', parameter: 'X-Credits-Max', min: 32 },
    ],
  });
  expect((await limited('/startups?$expand=Tags&$top=9', '12')).status).toBe(200);
});

test.each(['', '-1', '1.5', '1e3', 'ten', '12345678901', '5, 5'])(
  'the limit "%s" is rejected, also with a quote and on a free endpoint',
  async (limit) => {
    for (const path of ['/startups', '/startups?quote=true', '/pricing']) {
      const { code, parameter, value } = errorOf(await limited(path, limit));
      expect([code, parameter, value]).toEqual(['bad_parameter', 'X-Credits-Max', limit]);
    }
  },
);

test.each([
  ['unknown_parameter', '/startups?City=Oslo'],
  ['top_above_plan', '/startups?$top=101'],
  ['bad_filter', '/startups?$filter=Name%20eq'],
  ['bad_filter', "/startups?$filter=Keywords%20eq%20'the'"],
  ['unknown_value', '/categories/facets?country=Atlantis'],
  ['not_found', '/startups/no-uuid'],
])('the error %s of %s is also that of its quote', async (code, path) => {
  const error = errorOf(await api.get(path));
  const quoted = errorOf(await api.get(path, { quote: 'true' }));
  expect(quoted.code).toBe(code);
  expect({ ...quoted, trace_id: error.trace_id }).toEqual(error);
});

test('a quote runs no statement of the call', async () => {
  await api.sql.query('ALTER TABLE venture.news RENAME TO news_away');
  try {
    expect((await api.get('/news', { quote: 'true' })).status).toBe(200);
    expect((await api.get('/news')).status).toBe(500);
  } finally {
    await api.sql.query('ALTER TABLE venture.news_away RENAME TO news');
  }
});

test('before the hold, only values that were not found lately are looked up', async () => {
  const sources = { database: api.database, categories: sqlCategories(api.database) };
  const resource = resources.startup;
  const row = collection('/startups', resource, { id: '', tag: '', summary: '', description: '' });
  const readsOf = async (filter: string, id?: DimensionId, value = '') => {
    let reads = 0;
    const by = planNarrowing(id ? [{ dimension: id, parameter: id, values: [value] }] : []);
    const bound = filter === '' ? undefined : bindFilter(parseFilter(filter), resource.fields);
    const narrowed = { entity: 'startups', by } as const;
    const plan = { kind: 'count', resource, parent: undefined, narrowed, filter: bound } as const;
    await resolve(row, plan, sources as unknown as Sources, (work) => {
      reads += 1;
      return work();
    });
    return reads;
  };
  expect(await readsOf("Tag in ('Fintech','Nowhere')")).toBe(1);
  const cases: readonly (readonly [number, ...Parameters<typeof readsOf>])[] = [
    [0, ''],
    [0, "Founded ge 2010 and Name like '%a%' and LastFundingStage eq 3"],
    [0, '', 'stage', '3'],
    [0, "Tag eq 'Fintech'"],
    [1, "Tag in ('Fintech','Nowhere')"],
    [0, '', 'industry', 'Fintech'],
    [1, '', 'city', 'Austin'],
    [0, '', 'city', 'Austin'],
    [1, "Keywords eq 'bank'"],
  ];
  for (const [reads, ...asked] of cases) {
    expect([...asked, await readsOf(...asked)]).toEqual([...asked, reads]);
  }
});

test('values that no count has yet are looked for in the records by one statement', async () => {
  const tags = ['Brand New', 'Newer', 'Newest'];
  await api.sql.query(`INSERT INTO venture.startup (id, name, tags)
    VALUES (gen_random_uuid(), 'Novel', '{${tags.map((tag) => `"${tag}"`).join()}}')`);
  const texts: string[] = [];
  const rows: typeof api.database.rows = (statement, isReplayed) => {
    texts.push(statement.text);
    return api.database.rows(statement, isReplayed);
  };
  const values = new ValueResolver({ rows } as unknown as typeof api.database);
  const by = (written: readonly string[]) =>
    planNarrowing([{ dimension: 'industry', parameter: 'industry', values: written }]);
  expect(await values.known(by(tags))).toEqual(by(tags));
  expect(texts).toHaveLength(2);
  await expect(values.known(by([...tags, 'Nowhere']))).rejects.toThrow("no value 'Nowhere'");
});
