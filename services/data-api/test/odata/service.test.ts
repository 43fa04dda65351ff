// Tests docs/spec/odata.md 27.1, 27.3, 27.4, 27.5, 27.6, 27.7.
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { extractCredential, generateApiKey } from '@vcds/credentials';
import { unauthorized } from '@vcds/service-kit';
import { httpCalls, runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { withBasic } from '../../src/odata/route.ts';
import { chargedOf, openApi } from '../support/api.ts';
import { seedId } from '../support/collections.ts';
import { type Entity, errorIn, type Options, openService, ROOT } from './support.ts';

const { api, calls, get, page, all } = await openService();
const STARTUP = seedId('startup2');

/** The headers of Power Query. */
const POWER_QUERY: Options = {
  Accept:
    'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,application/atom+xml;q=0.8,text/plain;q=0.7',
  'OData-MaxVersion': '4.0',
  MaxDataServiceVersion: '3.0;NetFx',
};

const idsOf = (records: readonly Entity[]) => records.map(({ Id }) => Id);

// Texts of the seed with signs that patterns give a meaning.
const PIECES = ['a', '100%', '_', "O'Neil", 'Zeta P', '\\', 'ü', 'ventures 1', 'e'];
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** A condition of OData, and the same one in the language of the collections. */
const term = fc.oneof(
  ...(['contains', 'startswith', 'endswith'] as const).flatMap((name) =>
    ['Name', 'tolower(Name)'].map((field) =>
      fc.constantFrom(...PIECES).map((text) => {
        const pattern = { contains: '%x%', startswith: 'x%', endswith: '%x' }[name];
        const like = quoted(pattern.replace('x', () => escaped(text)));
        return [`${name}(${field},${quoted(text)})`, `Name like ${like}`] as const;
      }),
    ),
  ),
  fc.constantFrom(
    ["Tag/any(t: t eq 'Fintech')", "Tag eq 'Fintech'"] as const,
    [
      "Tag/any(t: contains(t,'ú') or t eq 'Fintech')",
      "Tag like '%ú%' or Tag eq 'Fintech'",
    ] as const,
    ['Country/any()', 'Country ne null'] as const,
    ["City/any(c: c in ('Austin','Oslo'))", "City in ('Austin','Oslo')"] as const,
    ['year(LastFundingDate) ge 2019', 'LastFundingDate ge 2019-01-01'] as const,
    [
      'year(LastFundingDate) ne 2020',
      'not (LastFundingDate ge 2020-01-01 and LastFundingDate le 2020-12-31)',
    ] as const,
    ['year(LastFundingDate) le 2019', 'LastFundingDate le 2019-12-31'] as const,
    ["contains(Name,'a') eq false", "not (Name like '%a%')"] as const,
    ...['TotalRaised gt 1000000', 'Founded eq null', "LastFundingStage in ('Series A','Seed')"].map(
      (same) => [same, same] as const,
    ),
  ),
);
const { tree } = fc.letrec<{ tree: readonly [string, string] }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    term,
    ...['and', 'or'].map((word) =>
      fc
        .tuple(tie('tree'), tie('tree'))
        .map(([a, b]) => [`(${a[0]}) ${word} (${b[0]})`, `(${a[1]}) ${word} (${b[1]})`] as const),
    ),
    tie('tree').map((a) => [`not (${a[0]})`, `not (${a[1]})`] as const),
  ),
}));

describe('queries', () => {
  test('a filter selects the records of the same filter of the collection, in its order, through all pages', async () => {
    const order = fc.constantFrom('', 'Name', 'TotalRaised desc,Founded', 'LastFundingDate');
    await fc.assert(
      fc.asyncProperty(
        tree,
        order,
        fc.integer({ min: 7, max: 60 }),
        async ([odata, own], $orderby, size) => {
          const sorted = $orderby === '' ? {} : { $orderby };
          const expected = await api.list('/startups', { $filter: own, $top: '5000', ...sorted });
          const prefer = { Prefer: `odata.maxpagesize=${size}` };
          const found = await all('/Startups', { $filter: odata, ...sorted }, prefer);
          expect(idsOf(found)).toEqual(idsOf(expected));
          expect((await get('/Startups/$count', { $filter: odata })).text).toBe(
            String(expected.length),
          );
        },
      ),
      runs(5, 240),
    );
  });

  test.each([
    ["tolower(Name) eq 'acme'", 'bad_filter', 'contains(tolower(Name)'],
    ["substringof('a',Name)", 'bad_filter', 'contains'],
    ["Tag/all(t: t eq 'AI')", 'bad_filter', 'any'],
    ["Tag/any(t: t ne 'AI')", 'bad_filter', 'any'],
    ['Tag/any(t: t eq null)', 'bad_filter', 'any'],
    ["Name/any(n: n eq 'AI')", 'bad_filter', 'one value'],
    ["Startup/Name eq 'AI'", 'bad_filter', 'Paths'],
    ["contains(Founded,'1')", 'operator_not_supported', 'Founded'],
    ['year(Date) eq 20240', 'bad_filter', 'year'],
    ["contains(Name,'a'", 'bad_filter', 'Expected )'],
  ])('%s is %s with its repair', async ($filter, code, words) => {
    const reply = await get('/FundingRounds', { $filter }).then(async (rounds) =>
      /Name|Tag|Founded/.test($filter) && !$filter.startsWith('Startup')
        ? get('/Startups', { $filter })
        : rounds,
    );
    expect([reply.status, errorIn(reply).code]).toEqual([400, code]);
    expect(errorIn(reply).message).toContain(words);
    expect(chargedOf(reply)).toBe(0);
  });

  test('the collections themselves take no functions', async () => {
    expect((await api.get('/startups', { $filter: "contains(Name,'a')" })).status).toBe(400);
  });

  test('$top is the number of all pages together, and $skip precedes it', async () => {
    const expected = idsOf(await api.list('/startups', { $top: '17', $skip: '3' }));
    const found = await all('/Startups', { $top: '17', $skip: '3' }, { Prefer: 'maxpagesize=5' });
    expect(idsOf(found)).toEqual(expected);
    expect(await page('/Startups', { $top: '0', $count: 'true' })).toEqual({
      '@odata.context': `${ROOT}/$metadata#Startups`,
      '@odata.count': Number((await get('/Startups/$count')).text),
      value: [],
    });
  });

  test('$select and $expand have the selected properties, in the context, too', async () => {
    const query = { $select: 'Name', $expand: 'FundingRounds($select=Amount,Date),Funds' };
    const reply = await get(`/Startups(${STARTUP})`, query);
    const { '@odata.context': context, ...entity } = reply.body as Entity;
    const own = await api.get(`/startups/${STARTUP}`, {
      $select: 'Name',
      $expand: 'FundingRounds',
    });
    const rounds = (own.body as { FundingRounds: Entity[] }).FundingRounds;
    expect(context).toBe(
      `${ROOT}/$metadata#Startups(Name,Funds(),FundingRounds(Amount,Date))/$entity`,
    );
    expect(Object.keys(entity)).toEqual(['Name', 'Funds', 'FundingRounds']);
    expect(entity.FundingRounds).toEqual(
      rounds.map(({ Amount, Date: day }) => ({ Amount, Date: day })),
    );
    const $expand = 'FundingRounds($select=Date;$top=2),Funds($select=Name)';
    const { value } = await page('/Startups', { $expand, $filter: `Id eq ${STARTUP}` });
    expect(value[0]?.FundingRounds).toEqual(
      rounds.slice(0, 2).map((each) => ({ Date: each.Date })),
    );
    expect(value[0]?.Funds).toContainEqual({ Name: expect.any(String) });
    expect((await get('/Startups', { $expand: 'Funds($select=Name' })).status).toBe(400);
    const wrong = await get('/Startups', { $expand: 'Funds($select=Amount)' });
    expect([wrong.status, errorIn(wrong).code]).toEqual([400, 'unknown_field']);
  });

  test('a navigation property has all its entities, page by page', async () => {
    const fund = seedId('fund2');
    await api.sql.query(
      `INSERT INTO venture.holding (fund_id, startup_id, status)
       SELECT $1, id, 'Held' FROM venture.startup WHERE deleted_at IS NULL ON CONFLICT DO NOTHING`,
      [fund],
    );
    const related = await all(`/Funds(${fund})/Startups`, { $select: 'Name' });
    const count = Number((await get('/Startups/$count')).text);
    expect(count).toBeGreaterThan(100);
    expect(related.length).toBe(count);
    const { value } = await page('/Funds', { $filter: `Id eq ${fund}`, $expand: 'Startups' });
    const [entity] = value;
    const link = String(entity?.['Startups@odata.nextLink']);
    expect(entity?.Startups).toHaveLength(100);
    expect((await page(link.slice(ROOT.length))).value.length).toBe(count - 100);
    expect((await page(`/Funds(${fund})/Startups`, { $top: '3' })).value.length).toBe(3);
    const round = (await page('/FundingRounds', { $top: '1' })).value[0];
    const startup = await get(`/FundingRounds(${round?.Id})/Startup`);
    expect([startup.status, (startup.body as Entity).Id]).toEqual([200, round?.StartupId]);
  });
});

describe('credits', () => {
  test('a page costs its records, and as much as the page of the collection', async () => {
    const reply = await get('/Startups', { $top: '30', $count: 'true' });
    const own = await api.get('/startups', { $top: '30' });
    expect(chargedOf(reply)).toBe(chargedOf(own));
    expect(chargedOf(await get('/Startups/$count'))).toBe(1);
    expect(chargedOf(await get(''))).toBe(0);
  });

  test('credits_max rejects a load that costs more before its first page, for 0 credits', async () => {
    const small = { Prefer: 'odata.maxpagesize=10' };
    const rejected = await get('/Startups', { credits_max: '20' }, small);
    expect([rejected.status, errorIn(rejected).code, chargedOf(rejected)]).toEqual([
      ...[400, 'price_above_limit', 0],
    ]);
    const [, top = ''] = /\$top=(\d+)/.exec(String(errorIn(rejected).message)) ?? [];
    expect((await all('/Startups', { credits_max: '20', $top: top }, small)).length).toBe(
      Number(top),
    );
    const whole = Number((await get('/Startups/$count')).text);
    const price = String(Math.ceil(whole));
    expect((await all('/Startups', { credits_max: price }, small)).length).toBe(whole);
  });

  test.each([
    ['balance', { plan: 'free' }],
    ['limit of the key', { plan: 'free', creditLimit: 120 }],
  ] as const)('a load that the %s does not pay does not begin', async (_, principal) => {
    const free = await openApi({ principal });
    const sends = httpCalls(free.url);
    const { headers } = await sends.send('GET', '/odata/v4');
    const limit = Number(headers['x-ratelimit-key-limit'] ?? headers['x-ratelimit-limit']);
    await free.sql.query(
      `INSERT INTO venture.startup (id, name, source, source_key)
       SELECT gen_random_uuid(), 'n' || n, 's', 'k' || n FROM generate_series(1, $1) AS n`,
      [4 * limit],
    );
    const reply = await sends.send('GET', '/odata/v4/Startups');
    expect([reply.status, errorIn(reply).code, chargedOf(reply)]).toEqual([
      ...[400, 'price_above_limit', 0],
    ]);
    sends.close();
    await free.close();
  });
});

describe('the protocol', () => {
  test.each([
    ['', 200],
    ['/$metadata', 200],
    ['/Startups?$top=1000', 200],
    ['/Startups?$top=0', 200],
    ['/Startups/$count', 200],
    [
      "/Startups?$filter=Founded%20ge%202000%20and%20contains(Name,'a')&$select=Id,Name,Founded&$orderby=Founded%20desc&$top=20",
      200,
    ],
    [`/Startups(${STARTUP})`, 200],
    [`/Startups(${STARTUP})/FundingRounds?$select=Amount`, 200],
    ['/FundingRounds?$expand=Startup($select=Name)&$top=5', 200],
    ['/Startups?$apply=aggregate($count as Count)', 400],
    ['/Investors', 404],
    ["/Startups('acme')", 404],
    ['/Startups?$top=x', 400],
    ['/Startups?$format=atom', 400],
  ] as const)('the request %s of Power Query is %i, in the form of OData', async (path, status) => {
    const reply = await calls.send('GET', `/odata/v4${path.replaceAll(' ', '%20')}`, POWER_QUERY);
    expect([reply.status, reply.headers['odata-version']]).toEqual([status, '4.0']);
    const type = path === '/$metadata' ? 'xml' : path.endsWith('$count') ? 'text/plain' : 'json';
    expect(reply.headers['content-type']).toContain(type);
    if (status < 400) return;
    const members = Object.keys(errorIn(reply)).filter((name) => name !== 'target');
    expect(Object.keys(reply.body as object)).toEqual(['error']);
    expect(members).toEqual(['code', 'message', 'innererror']);
  });

  test('a client of older versions gets an error, and other formats are not acceptable', async () => {
    const old = await get('/Startups', {}, { 'OData-MaxVersion': '3.0' });
    expect([old.status, errorIn(old).target]).toEqual([400, 'OData-MaxVersion']);
    const atom = await get('/Startups', {}, { Accept: 'application/atom+xml' });
    expect([atom.status, errorIn(atom).code]).toEqual([406, 'not_acceptable']);
  });

  test('a key is the user name of Basic, or the password; without a valid one the answer asks for Basic', async () => {
    const key = generateApiKey();
    const seen: string[] = [];
    const authenticate = withBasic(async (request, parameters) => {
      const credential = extractCredential(request, parameters);
      if (credential.kind !== 'key') throw unauthorized('malformed');
      seen.push(credential.key);
      throw unauthorized('unknown');
    });
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    const tries = [`${key}:`, `${key}:x`, `key:${key}`, key, ':', 'no key'];
    for (const text of tries) {
      const request = new IncomingMessage(new Socket());
      request.rawHeaders = ['Authorization', basic(text)];
      await expect(authenticate(request, new Map())).rejects.toMatchObject({
        details: { challenge: expect.stringMatching(/^Basic realm="/) },
      });
    }
    expect(seen).toEqual([key, key, key, key]);
    const reply = await get('', {}, { 'x-account': 'unknown' });
    expect([reply.status, reply.headers['www-authenticate']]).toEqual([
      ...[401, 'Basic realm="API key as the user name", charset="UTF-8"'],
    ]);
    const other = await api.get('/startups', {}, { 'x-account': 'unknown' });
    expect(other.headers['www-authenticate']).toMatch(/^Bearer/);
  });
});
