import { describe, expect, test } from '@jest/globals';
import { closedAfterAll } from '@vcds/test-kit';
import { chargedOf, errorOf, openApi, type Query } from '../support/api.ts';
import { COLLECTIONS, pathOf } from '../support/collections.ts';

const api = await closedAfterAll(openApi());
const freeApi = await closedAfterAll(openApi({ seed: 'SELECT 1', principal: { plan: 'free' } }));

const ERRORS: readonly (readonly [string, Query, Record<string, unknown>])[] = [
  ['page size 0', { $top: '0' }, { code: 'bad_parameter', parameter: '$top', value: '0' }],
  ['page size above 5000', { $top: '5001' }, { code: 'bad_parameter', parameter: '$top' }],
  ['a page size in words', { $top: 'ten' }, { code: 'bad_parameter', parameter: '$top' }],
  ['page size with a sign', { $top: '+5' }, { code: 'bad_parameter', parameter: '$top' }],
  ['page size in tenths', { $top: '1.5' }, { code: 'bad_parameter', parameter: '$top' }],
  ['an empty page size', { $top: '' }, { code: 'bad_parameter', parameter: '$top' }],
  ['a negative offset', { $skip: '-1' }, { code: 'bad_parameter', parameter: '$skip' }],
  [
    'an offset that is too large',
    { $skip: '9'.repeat(30) },
    { code: 'bad_parameter', parameter: '$skip' },
  ],
  [
    'a count that is not a boolean',
    { $count: 'yes' },
    { code: 'bad_parameter', allowed: ['true', 'false'] },
  ],
  ['an empty filter', { $filter: ' ' }, { code: 'bad_parameter', parameter: '$filter' }],
  ['a broken filter', { $filter: '(' }, { code: 'bad_filter', position: 1 }],
  ['a filter too long', { $filter: 'x'.repeat(32_001) }, { code: 'bad_filter' }],
  ['an unknown field', { $filter: 'Nmae eq 1' }, { code: 'unknown_field', field: 'Nmae' }],
  ['a prototype name', { $filter: 'constructor eq 1' }, { code: 'unknown_field' }],
  ['an unknown selected field', { $select: 'Nope' }, { code: 'unknown_field' }],
  ['an unknown sort field', { $orderby: '__proto__' }, { code: 'unknown_field' }],
  [
    'a parameter without its dollar',
    { top: '5' },
    { code: 'unknown_parameter', suggestion: '$top' },
  ],
  [
    'a parameter in another case',
    { $Filter: 'x' },
    { code: 'unknown_parameter', suggestion: '$filter' },
  ],
  ['OData $search', { $search: 'x' }, { code: 'unknown_parameter', parameter: '$search' }],
  ['OData $apply', { $apply: 'x' }, { code: 'unknown_parameter', parameter: '$apply' }],
];

describe.each(COLLECTIONS)('$path rejects', (collection) => {
  test.each(ERRORS)('%s', async (_name, query, error) => {
    const reply = await api.get(pathOf(collection), query);
    expect(reply.status).toBe(400);
    expect(errorOf(reply)).toMatchObject({ status: 400, ...error });
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

test('the error of a page size above the plan has the maximum of the plan', async () => {
  const reply = await freeApi.get('/startups', { $top: '101' });
  expect(reply.status).toBe(400);
  expect(errorOf(reply)).toMatchObject({
    code: 'top_above_plan',
    parameter: '$top',
    suggestion: '100',
  });
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

test.each(SERVED)('%s accepts GET only; any other method is 405 with Allow', async (path) => {
  for (const method of ['head', 'post', 'put', 'patch', 'delete'] as const) {
    const reply = await api.send(method, path);
    expect([method, reply.status, reply.headers.allow]).toEqual([method, 405, 'GET, OPTIONS']);
    const allowed = ['GET', 'OPTIONS'];
    if (method === 'head') expect(reply.text ?? '').toBe('');
    else expect(errorOf(reply)).toMatchObject({ code: 'method_not_allowed', status: 405, allowed });
  }
});

test.each([
  ['/startup', '/v2/startups'],
  ['/fundingrounds', '/v2/startups/fundingrounds'],
  ['/postvaluations', '/v2/startups/postvaluations'],
  ['/rounds', '/v2/startups/fundingrounds'],
  ['/portfolio', undefined],
])('%s is 404 unknown_path, with the nearest path, if any', async (path, suggestion) => {
  const reply = await api.get(path);
  expect(reply.status).toBe(404);
  expect(errorOf(reply)).toMatchObject({ code: 'unknown_path', value: `/v2${path}` });
  expect(errorOf(reply).suggestion).toBe(suggestion);
});
