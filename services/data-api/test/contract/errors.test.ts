// Tests docs/spec/addresses.md 1.1, 1.3, 1.4, 1.6, 1.7.
// Tests docs/spec/authentication.md 2.2.
// Tests docs/spec/query-language.md 5.8, 5.11.
// Tests docs/spec/collections.md 6.3.
// Tests docs/spec/errors.md 11.1, 11.2.
// Tests docs/spec/limits.md 12.2.
// Tests docs/spec/plans.md 13.2.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { SCOPES, type Scope } from '@vcds/credentials';
import { rateFor } from '@vcds/metering';
import { closedAfterAll } from '@vcds/test-kit';
import { resources } from '../../src/resources/index.ts';
import { chargedOf, errorOf, openApi, type TestApi } from '../support/api.ts';
import { COLLECTIONS, pathOf } from '../support/collections.ts';

const api = await closedAfterAll(openApi());
const freeApi = await closedAfterAll(openApi({ seed: 'SELECT 1', principal: { plan: 'free' } }));

const ERRORS: readonly (readonly [call: string, code: string, error: Record<string, unknown>])[] = [
  ['$top=0', 'bad_parameter', { parameter: '$top', value: '0' }],
  ...['5001', 'ten', '%2B5', '1.5', ''].map(
    (top) => [`$top=${top}`, 'bad_parameter', { parameter: '$top' }] as const,
  ),
  ['$skip=-1', 'bad_parameter', { parameter: '$skip' }],
  [`$skip=${'9'.repeat(30)}`, 'bad_parameter', { parameter: '$skip' }],
  ['$count=yes', 'bad_parameter', { allowed: ['true', 'false'] }],
  ['$filter=+', 'bad_parameter', { parameter: '$filter' }],
  ['$filter=(', 'bad_filter', { position: 1 }],
  [`$filter=${'x'.repeat(32_001)}`, 'bad_filter', {}],
  ['$filter=Nmae eq 1', 'unknown_field', { field: 'Nmae' }],
  ['$filter=constructor eq 1', 'unknown_field', {}],
  ['$select=Nope', 'unknown_field', {}],
  ['$orderby=__proto__', 'unknown_field', {}],
  ['top=5', 'unknown_parameter', { suggestion: '$top' }],
  ['$Filter=x', 'unknown_parameter', { suggestion: '$filter' }],
  ['$search=x', 'unknown_parameter', { parameter: '$search' }],
  ['$apply=x', 'unknown_parameter', { parameter: '$apply' }],
];

describe.each(COLLECTIONS)('$path', (collection) => {
  test.each(ERRORS)('%.60s is %s', async (query, code, error) => {
    const parameters = Object.fromEntries(new URLSearchParams(query));
    const reply = await api.get(pathOf(collection), parameters);
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({ status: 400, code, ...error });
    expect(errorOf(reply).trace_id).toBe(reply.headers['x-request-id']);
    expect(reply.headers['content-type']).toBe('application/json');
    expect(chargedOf(reply)).toBe(0);
  });

  test('an unknown relation', async () => {
    const reply = await api.get(pathOf(collection), { $expand: 'Nothing' });
    const hasRelations = collection.resource.relations.size > 0;
    expect(errorOf(reply)).toMatchObject(
      hasRelations
        ? { code: 'unknown_relation', allowed: [...collection.resource.relations.keys()] }
        : { code: 'unknown_parameter', parameter: '$expand' },
    );
  });

  test('a parameter given twice', async () => {
    const reply = await api.get(`${pathOf(collection)}?$top=1`, { $top: '2' });
    expect(errorOf(reply)).toMatchObject({ code: 'bad_parameter', parameter: '$top' });
    expect(chargedOf(reply)).toBe(0);
  });
});

test('an error in the query string is answered with the headers of an authenticated call', async () => {
  const other = await api.get('/startups?$top=x');
  for (const query of ['$top=1&$top=2', '$top=%zz', "$filter=Name eq '%00'", '%zz=1']) {
    const reply = await api.get(`/startups?${query}`);
    expect(errorOf(reply)).toMatchObject({ code: 'bad_parameter', status: 400 });
    expect(chargedOf(reply)).toBe(0);
    for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'cache-control']) {
      expect([query, name, reply.headers[name]]).toEqual([query, name, other.headers[name]]);
    }
  }
});

test('the error of an unencoded wildcard has the encoding', async () => {
  const reply = await api.get("/startups?$filter=Name like 'acme%'");
  expect(errorOf(reply)).toMatchObject({ code: 'bad_parameter', parameter: '$filter' });
  expect(errorOf(reply).message).toContain('%25');
});

test('the error of an unknown closed value has the nearest value and the address of the list', async () => {
  const reply = await api.get('/startups', { $filter: "LastFundingStage eq 'series-aa'" });
  expect(errorOf(reply)).toMatchObject({
    code: 'unknown_value',
    field: 'LastFundingStage',
    suggestion: 'Series A',
    see: 'http://data.example/v2/categories/stage?entity=startups',
  });
});

test.each(['2013-02-30', '2013-13-01', "'2013-13-01'", '2013-01-01T25:00Z'])(
  '%s is bad_date of the field',
  async (date) => {
    const reply = await api.get('/startups/fundingrounds', { $filter: `Date ge ${date}` });
    expect(errorOf(reply)).toMatchObject({ code: 'bad_date', field: 'Date' });
  },
);

test.each([
  ['101', 'top_above_plan', /at most 100 .*; 101 records need the Starter plan/],
  ['501', 'top_above_plan', /at most 100 .*; 501 records need the Growth plan/],
  ['5000', 'top_above_plan', /at most 100 .*; 5000 records need the Scale plan/],
  ['5001', 'bad_parameter', /from 1 to 5000; the Free plan allows at most 100/],
  ['1e9', 'bad_parameter', /from 1 to 5000; the Free plan allows at most 100/],
])('$top=%s is %s, which names the maximum of the plan', async (top, code, message) => {
  const reply = await freeApi.get('/startups', { $top: top });
  expect(reply.status).toBe(400);
  const expected = { code, parameter: '$top', suggestion: '100' };
  expect(errorOf(reply)).toMatchObject({ ...expected, message: expect.stringMatching(message) });
});

test('a page of the maximum of the plan is valid, and a count of any', async () => {
  expect((await freeApi.get('/startups', { $top: '100' })).status).toBe(200);
  // Counting reads no page.
  expect((await freeApi.get('/startups', { $top: '5000', $count: 'true' })).status).toBe(200);
});

test('a value out of the range of its column is an error or finds nothing, never a 5xx', async () => {
  for (const filter of [
    'Founded eq 99999',
    'MembersCount gt 99999999999',
    'TotalRaised gt 99999999999999999999999999',
    'CreatedTimeStamp gt 9999-12-31T23:59:59.999999Z',
    'CreatedTimeStamp gt 0001-01-01',
    `Name eq '${'\u{1F600}'.repeat(2000)}'`,
    "Name like '%\\%%\\_%'",
    `Keywords eq '${"'".repeat(40)}!&|:*('`,
    "Tag in ('')",
  ]) {
    const reply = await api.get('/startups', { $filter: filter });
    expect([200, 400]).toContain(reply.status);
  }
});

const SERVED = [...COLLECTIONS.map(pathOf), '/categories', '/categories/facets', '/signals'];

test.each(SERVED)(
  '%s accepts GET and HEAD only; any other method is 405 with Allow',
  async (path) => {
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      const reply = await api.send(method, path);
      expect([method, reply.status, reply.headers.allow]).toEqual([
        method,
        405,
        'GET, HEAD, OPTIONS',
      ]);
      const allowed = ['GET', 'HEAD', 'OPTIONS'];
      expect(errorOf(reply)).toMatchObject({ code: 'method_not_allowed', status: 405, allowed });
    }
  },
);

test.each([
  ['/startup', '/v2/startups'],
  ['/fundingrounds', '/v2/startups/fundingrounds'],
  ['/postvaluations', '/v2/startups/postvaluations'],
  ['/rounds', '/v2/startups/fundingrounds'],
  ['/portfolio', undefined],
])('%s is 404 unknown_path, with the nearest path, if any', async (path, suggestion) => {
  const reply = await api.get(path);
  expect(reply.status).toBe(404);
  expect(errorOf(reply)).toMatchObject({
    ...{ code: 'unknown_path', value: `/v2${path}` },
    message: expect.stringContaining('http://access.example/llms.txt'),
  });
  expect(errorOf(reply).suggestion).toBe(suggestion);
});

test('/llms.txt leads to that of the access host', async () => {
  const reply = await fetch(new URL('/llms.txt', api.url));
  expect([reply.status, reply.headers.get('content-type')]).toEqual([
    200,
    'text/plain; charset=utf-8',
  ]);
  expect(await reply.text()).toContain('(http://access.example/llms.txt)');
});

/** Each collection, its resource and its scope. */
const SCOPED = [
  ['/startups', resources.startup, 'companies'],
  ['/funds', resources.fund, 'companies'],
  ['/startups/fundingrounds', resources.fundingRound, 'rounds'],
  ['/startups/postvaluations', resources.postValuation, 'rounds'],
  ['/persons', resources.person, 'people'],
  ['/news', resources.news, 'news'],
] as const;

const url = api.sql.options.connectionString ?? '';
const apis = new Map<Scope, TestApi>();
for (const scope of ['companies', 'rounds', 'people', 'news'] as const) {
  const principal = { accountId: scope, scopes: new Set([scope]) };
  apis.set(scope, await closedAfterAll(openApi({ url, seed: 'SELECT 1', principal })));
}

function apiOf(scope: Scope): TestApi {
  const api = apis.get(scope);
  if (api === undefined) throw new Error(`No key is narrowed to ${scope}.`);
  return api;
}

const CASES = SCOPED.flatMap(([path, resource, scope]) =>
  [...resource.relations.values()].map((relation) => {
    const needs = relation.kind === 'records' ? resources[relation.target].scope : scope;
    return { path, relation: relation.name, scope, needs };
  }),
);

describe('expanded records need their own scope', () => {
  test('the scope of a resource is the scope of its collection', () => {
    for (const [path, resource, scope] of SCOPED) {
      expect(rateFor(path).scope).toBe(scope);
      expect(resource.scope).toBe(scope);
    }
    for (const { scope } of Object.values(resources)) expect(SCOPES).toContain(scope);
  });

  test.each(CASES)('$path?$expand=$relation, key narrowed to $scope: $needs', async (each) => {
    const reply = await apiOf(each.scope).get(each.path, { $expand: each.relation, $top: '2' });
    if (each.needs === each.scope) {
      expect(reply.status).toBe(200);
      return;
    }
    expect(reply.status).toBe(403);
    expect(chargedOf(reply)).toBe(0);
    expect(errorOf(reply)).toMatchObject({
      code: 'not_entitled',
      parameter: '$expand',
      value: each.relation,
    });
    expect(errorOf(reply).message).toContain(
      `restricted to ${each.scope} and does not include ${each.needs};`,
    );
  });

  test('the relations cross these scopes', () => {
    const rejected = CASES.filter(({ scope, needs }) => scope !== needs);
    const pairs = new Set(rejected.map(({ scope, needs }) => `${scope} ${needs}`));
    expect([...pairs].sort()).toEqual([
      'companies people',
      'companies rounds',
      'news companies',
      'people companies',
      'rounds companies',
    ]);
  });

  test('the same holds for a record, and beside an expand of the own scope', async () => {
    const companies = apiOf('companies');
    const [startup] = await companies.list('/startups', { $top: '1' });
    const path = `/startups/${startup?.Id}`;
    expect((await companies.get(path, { $expand: 'Persons' })).status).toBe(403);
    expect((await companies.get(path, { $expand: 'Funds,FundingRounds' })).status).toBe(403);
    expect((await companies.get(path, { $expand: 'Funds,Tags' })).status).toBe(200);
  });

  test('an unknown relation is reported before a missing scope', async () => {
    const reply = await apiOf('companies').get('/startups', { $expand: 'Persns' });
    expect(errorOf(reply)).toMatchObject({ code: 'unknown_relation', suggestion: 'Persons' });
  });
});

test('an unknown entity is reported to keys of any scope', async () => {
  for (const narrowed of apis.values()) {
    const reply = await narrowed.get('/categories/stage/seed/startup');
    expect(errorOf(reply)).toMatchObject({ code: 'unknown_entity', suggestion: 'startups' });
    expect(chargedOf(reply)).toBe(0);
  }
});

test('the root lists every path, spelled as in the rate card, free of charge', async () => {
  const reply = await api.get('');
  expect(reply.status).toBe(200);
  expect(reply.body).toMatchObject({
    service: 'data-api',
    version: 'v2',
    base_url: 'http://data.example/v2',
    pricing: 'http://data.example/v2/pricing',
    paths: expect.arrayContaining(['/startups', '/startups/{id}', '/funds/{id}/portfolio']),
  });
  // The endpoint that rejects unknown entities is not listed.
  const { paths } = reply.body as { paths: readonly string[] };
  const listings = paths.filter((path) => path.startsWith('/categories/{dimension}/{value}/'));
  expect(listings.map((path) => path.split('/').at(-1))).toEqual(['startups', 'funds', 'rounds']);
  expect(reply.headers['x-credits-charged']).toBeUndefined();
});

test('the root says how to get a key, what plans add, and what describes the service', async () => {
  const { body } = await api.get('');
  expect(body).toMatchObject({
    auth_url: 'http://access.example/api/v1',
    get_key: [
      { method: 'POST', url: 'http://access.example/api/v1/auth/register' },
      { method: 'POST', url: 'http://access.example/api/v1/auth/verify' },
    ],
    documentation: 'http://access.example/docs',
    description: 'http://access.example/api/v1/openapi.json',
    access_description: 'http://access.example/api/v1/access-openapi.json',
    llms: 'http://access.example/llms.txt',
    llms_full: 'http://access.example/llms-full.txt',
    mcp: 'http://data.example/mcp',
  });
  const { plans } = body as { plans: readonly object[] };
  expect(plans[0]).toEqual({
    ...{ id: 'free', creditsPerMonth: 500, topMax: 100, addedScopes: [], addedPaths: [] },
  });
  expect(plans[1]).toMatchObject({ id: 'starter', addedScopes: ['find', 'venturematching'] });
  const ofHost = await fetch(new URL('/', api.url));
  expect([ofHost.status, await ofHost.json()]).toEqual([200, body]);
});

test('the root accepts no parameter but the credential', async () => {
  const reply = await api.get('', { $top: '3' });
  expect(errorOf(reply)).toMatchObject({ code: 'unknown_parameter', parameter: '$top' });
  expect((await api.get('', { token: 'anything' })).status).toBe(200);
});

test('a URL that is too long is 414, a header 431, and a request without a host is 400', async () => {
  const long = await fetch(`${api.url}/startups?q=${'x'.repeat(128 * 1024)}`);
  expect(await long.json()).toMatchObject({ error: { code: 'url_too_long', status: 414 } });
  const accepted = await fetch(`${api.url}/startups`, { headers: { Accept: 'x'.repeat(1_025) } });
  expect(await accepted.json()).toMatchObject({
    error: { code: 'headers_too_large', status: 431 },
  });
  const sent = request(`${api.url}/startups`, { setHost: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(await json(response)).toMatchObject({ error: { code: 'bad_request', status: 400 } });
});
