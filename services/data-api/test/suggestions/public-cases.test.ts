import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, runs } from '@vcds/test-kit';
import { dimensionsOf } from '@vcds/venture-model';
import fc from 'fast-check';
import { chargedOf, errorOf, type Query } from '../support/api.ts';
import { openRepairApi } from './support.ts';

/** Faults that users of other APIs reported in public, as calls of this one. */
const api = await closedAfterAll(openRepairApi());
const S = '/startups';

/** A path with its query string as a program sends it, without percent-encoding. */
const raw = (path: string) => api.get(path);
const countOf = async ($filter: string) => {
  const reply = await api.get(S, { $filter, $count: 'true' });
  expect([$filter, reply.status]).toEqual([$filter, 200]);
  return (reply.body as { count: number }).count;
};

describe('a fault of the query string is free and says what to send', () => {
  test.each([
    ['a + of an offset', `${S}?$filter=UpdatedTimeStamp%20ge%202026-01-01T00:00:00+03:00`, '%2B'],
    [
      'a + of an offset in quotes',
      `${S}?$filter=UpdatedTimeStamp%20ge%20'2026-01-01T00:00:00+03:00'`,
      '%2B',
    ],
    ['a + in a bound of a feed', '/signals?since=2026-01-01T00:00:00+03:00', '%2B'],
    ['an & in a filter', `${S}?$filter=Name%20eq%20'Brothers%20&%20Co'`, '%26'],
    ['an & in a filter, as HTML', `${S}?$filter=Name%20eq%20'Brothers%20&amp;%20Co'`, '%26'],
    ['an & in a search', `${S}/search?q=Johnson%20&%20Johnson`, '%26'],
    ['an & in a name in capitals', `${S}/search?q=AT&T`, '%26'],
    ['an & in a dimension', '/categories/country?industry=Food%20&%20Drink', '%26'],
    ['an & of HTML between parameters', `${S}?$top=1&amp;$skip=1`, '&amp;'],
    ['a raw ++ in a dimension', '/categories/country?industry=C++', '%2B'],
    ['a name that a shell has taken', `${S}?=25`, 'single quotes'],
    ['a name that a shell has taken, blank', `${S}?+=25`, 'single quotes'],
    ['double encoding', `${S}?%2524filter=Founded%20eq%202010`, 'filter'],
    [
      'a literal of OData 3',
      `${S}?$filter=UpdatedTimeStamp%20gt%20datetimeoffset'2026-01-01T00:00:00Z'`,
      'write the quoted text alone',
    ],
    [
      'an id of OData 3',
      `${S}?$filter=Id%20eq%20guid'5f0c4f0e-6c1b-5d8a-9d3e-0b8f6f4f3c11'`,
      'write the quoted text alone',
    ],
    ['nested functions', `${S}?$filter=not%20contains(tolower(Name),'acme')`, 'like'],
    ['another name of a key', `${S}?api_key=pk_live_x`, 'token'],
  ])('%s', async (_fault, path, advice) => {
    const reply = await raw(path);
    expect([reply.status, chargedOf(reply) || 0]).toEqual([400, 0]);
    expect(errorOf(reply).message).toContain(advice);
    expect(reply.text).not.toContain('pk_live_x');
  });

  test('without a key, the parameter of other APIs is named', async () => {
    for (const name of ['api_key', 'apikey', 'key', 'access_token']) {
      const reply = await api.get(`${S}?${name}=pk_live_x`, {}, { 'x-api-key': '' });
      if (reply.status === 401) expect(errorOf(reply).message).toContain('X-Api-Key');
      else expect(errorOf(reply).message).toContain('token');
    }
  });
});

describe('a suggestion', () => {
  test.each<[string, Query, unknown]>([
    [S, { $filter: 'TotalRaised ge 1000000m' }, '1000000'],
    [S, { $filter: 'TotalRaised ge 1000000M' }, '1000000'],
    [S, { $filter: 'TotalRaised ge 5m' }, '5000000'],
    [S, { $filter: 'MembersCount ge 250L' }, '250'],
    [S, { $filter: 'MembersCount ge 250d' }, '250'],
    [S, { $filter: 'MembersCount ge 250f' }, '250'],
    [S, { $filter: "Country eq 'Cote d'Ivoire'" }, /Cote d''Ivoire/],
    [S, { $filter: 'Founded neq 2010' }, 'ne'],
    [S, { $filter: 'Tag in ["AI","SaaS"]' }, /\('AI','SaaS'\)/],
    [S, { $count: 'yes' }, 'true'],
    [S, { $count: '1' }, 'true'],
    [S, { $count: 'on' }, 'true'],
    [S, { Founded: '2010-2015' }, '$filter=Founded ge 2010 and Founded le 2015'],
    [S, { founded_year: '2010..2015' }, '$filter=Founded ge 2010 and Founded le 2015'],
    ['/categories/country', { founded_year: '1999-2005' }, '2000,2001,2002,2003,2004,2005'],
    ['/categories/country', { investor: 'Acme' }, undefined],
    ['/categories/facets', { dimensions: 'investor', entity: 'funds' }, undefined],
  ])('%s %j: %s', async (path, query, suggestion) => {
    const reply = await api.get(path, query);
    expect([reply.status, chargedOf(reply) || 0]).toEqual([400, 0]);
    const given = errorOf(reply).suggestion;
    if (suggestion instanceof RegExp) expect(given).toMatch(suggestion);
    else expect(given).toEqual(suggestion);
  });

  test('lists the dimensions that the entity has', async () => {
    const reply = await api.get('/categories/facets', { entity: 'rounds', dimensions: 'sector' });
    expect(errorOf(reply)).toMatchObject({
      code: 'unknown_dimension',
      allowed: dimensionsOf('rounds').map(({ id }) => id),
    });
    for (const dimensions of errorOf(reply).allowed as string[]) {
      const listed = await api.get('/categories/facets', { entity: 'rounds', dimensions });
      expect([dimensions, listed.status]).toEqual([dimensions, 200]);
    }
  });

  test('of years in a range is accepted', async () => {
    const { suggestion } = errorOf(
      await api.get('/categories/country', { founded_year: '1999–2005' }),
    );
    const reply = await api.get('/categories/country', { founded_year: String(suggestion) });
    expect(reply.status).toBe(200);
  });
});

describe('what other APIs get wrong works', () => {
  test('the empty text, null, commas and quotes in a list', async () => {
    expect(await countOf("Name in ('Acme','')")).toBe(0);
    const [found, others, all] = await Promise.all(
      ['Founded in (2010,null)', 'Founded notin (2010,null)', 'Id ne null'].map(countOf),
    );
    expect(Number(found) + Number(others)).toBe(all);
    expect(await countOf(`Tag in ('Food, Drink','Rock ''n'' Roll','Say "hi"')`)).toBe(0);
  });

  test('ne includes null', async () => {
    const [ne, eq, not, all] = await Promise.all(
      ['Founded ne 2010', 'Founded eq 2010', 'not (Founded eq 2010)', 'Id ne null'].map(countOf),
    );
    expect([Number(ne) + Number(eq), not]).toEqual([all, ne]);
  });

  test('a plus is a blank, and booleans are in any case', async () => {
    const { status } = await raw(`${S}?$filter=Founded+ne+null&$top=1`);
    expect(status).toBe(200);
    for (const query of [{ $count: 'True' }, { quote: 'TRUE' }, { $count: 'FALSE', $top: '1' }]) {
      expect([query, (await api.get(S, query as Query)).status]).toEqual([query, 200]);
    }
    const counts = await api.get('/categories/country', { counts: 'False' });
    expect(counts.status).toBe(200);
  });

  test('a next link keeps every option, and takes no $skip', async () => {
    const reply = await api.get(S, { $top: '2', $select: 'Name', $expand: 'Tags' });
    const link = String(reply.headers.link).replace(/^<http:\/\/data\.example\/v2(.*)>.*$/, '$1');
    expect(decodeURIComponent(link)).toMatch(/\$top=2.*\$select=Name.*\$expand=Tags/);
    const beside = await api.get(`${link}&$skip=25`);
    expect(beside.status).toBe(400);
  });

  test('instants of up to 12 decimals are compared exactly', async () => {
    const digits = fc
      .array(fc.nat(9), { minLength: 1, maxLength: 12 })
      .map((each) => each.join(''));
    const operators = fc.constantFrom('ge', 'gt', 'le', 'lt', 'eq', 'ne');
    await api.sql.query(`UPDATE venture.startup SET created_at = '2026-01-01T10:00:00.123Z'
      WHERE name = 'Stripe'`);
    const stored = 123_000_000_000n;
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          digits,
          fc.constantFrom('123', '1230000000', '123000000001', '122999999999', '1230009'),
        ),
        operators,
        async (decimals, operator) => {
          const asked = BigInt(decimals.padEnd(12, '0'));
          const met = {
            ...{ ge: stored >= asked, gt: stored > asked, le: stored <= asked },
            ...{ lt: stored < asked, eq: stored === asked, ne: stored !== asked },
          }[operator as 'ge'];
          const at = `2026-01-01T10:00:00.${decimals}Z`;
          const count = await countOf(`Name eq 'Stripe' and CreatedTimeStamp ${operator} ${at}`);
          expect([at, operator, count]).toEqual([at, operator, met ? 1 : 0]);
        },
      ),
      runs(20, 1_200),
    );
    for (const path of ['/signals?since=', '/activityfeed?since=', '/signals?occurredUntil=']) {
      const { status } = await raw(`${path}2026-01-01T10:00:00.123456789012Z`);
      expect([path, status]).toEqual([path, 200]);
    }
  });
});
