import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { type ClientOptions, createClient, filter, VcdsError } from '@vcds/client';
import { clientOn, errorBody, KEY, type Planned } from './fake-fetch.ts';

const UNAVAILABLE = {
  status: 503,
  body: errorBody('unavailable'),
  headers: { 'Retry-After': '30' },
};
const BUSY = { status: 429, body: errorBody('too_many_requests'), headers: { 'Retry-After': '2' } };
const OK = { body: [1] };

async function failureOf(planned: readonly Planned[], options?: Partial<ClientOptions>) {
  const { client, ...network } = clientOn(planned, options);
  const error = await client.get('/startups').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof VcdsError)) throw new Error(`not a VcdsError: ${error}`);
  return { error, ...network };
}

describe('a request', () => {
  test('has what is no option as a parameter, which the service checks', async () => {
    const { client, sent } = clientOn([OK, OK]);
    const misnamed = { $filter: 'Founded eq 2020', country: 'France' } as object;
    await client.startups.list(misnamed).toArray();
    await client.startups.get('ID', misnamed);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(
      Array(2).fill('?%24filter=Founded+eq+2020&country=France'),
    );
  });

  test.each<[string, Parameters<typeof Object>[0], string]>([
    ['a text as it is', { $filter: "Country eq 'France'" }, '%24filter=Country+eq+%27France%27'],
    ['a filter', { $filter: filter`Name eq ${"O'Neil"}` }, '%24filter=Name+eq+%27O%27%27Neil%27'],
    [
      'a list, with quotes where needed',
      { $select: ['Food, Drink', 'b'] },
      '%24select=%22Food%2C+Drink%22%2Cb',
    ],
    ['numbers and booleans', { $top: 5, $count: false }, '%24top=5&%24count=false'],
    ['no absent parameter', { $top: undefined, $skip: 1 }, '%24skip=1'],
  ])('sends %s', async (_, parameters, query) => {
    const { client, sent } = clientOn([OK]);
    await client.get('/startups', parameters);
    expect(sent[0]?.url).toBe(`https://api.example/v2/startups?${query}`);
  });

  test('puts parameters into the path, encoded, and rejects a missing one', async () => {
    const { client, sent } = clientOn([OK]);
    await client.get('/categories/{dimension}/{value}/startups', {
      ...{ dimension: 'industry', value: ['Food, Drink', 'a/b'], $top: 1 },
    });
    expect(sent[0]?.url).toBe(
      'https://api.example/v2/categories/industry/%22Food%2C%20Drink%22%2Ca%2Fb/startups?%24top=1',
    );
    for (const id of ['', '..']) {
      await expect(client.get('/startups/{id}', { id })).rejects.toThrow(TypeError);
    }
  });

  test('has the key and the limit in headers, and follows no redirect', async () => {
    const { client, sent } = clientOn([OK, OK], { creditsMax: 5 });
    await client.get('/startups', {}, { creditsMax: 3 });
    await client.get('/startups');
    expect(sent.map(({ init }) => new Headers(init.headers).get('X-Credits-Max'))).toEqual([
      '3',
      '5',
    ]);
    expect(new Headers(sent[0]?.init.headers).get('X-Api-Key')).toBe(KEY);
    expect(sent[0]?.init.redirect).toBe('manual');
  });
});

describe('a response', () => {
  const headers = {
    'X-Credits-Charged': '2',
    'X-RateLimit-Limit': '500',
    'X-RateLimit-Remaining': '498',
    'X-RateLimit-Reset': '1796083200',
    Link: '<http://other.example/v2/startups?%24skip=2>; rel="next"',
  };
  const balance = { limit: 500, remaining: 498, reset: '2026-12-01T00:00:00.000Z' };

  test('has data, credits, request id and the next page on the same path', async () => {
    const { client } = clientOn([{ ...OK, headers }]);
    expect(await client.get('/startups')).toEqual({
      data: [1],
      credits: { charged: 2, ...balance },
      requestId: 'request-1',
      next: '/startups?%24skip=2',
      isNextOmitted: false,
      hints: [],
    });
  });

  test('has the hints, decoded', async () => {
    const hint = "City 'Kolm' occurs nowhere%2C did you mean 'K%C3%B6ln'?, Tag 'x' occurs nowhere.";
    const { client } = clientOn([{ ...OK, headers: { ...headers, 'X-Hint': hint } }]);
    expect((await client.get('/startups')).hints).toEqual([
      "City 'Kolm' occurs nowhere, did you mean 'Köln'?",
      "Tag 'x' occurs nowhere.",
    ]);
  });

  test('pages by the cursor of the link, in place of $skip', async () => {
    const Link = '<http://other.example/v2/activityfeed?types=fund.added&cursor=c1>; rel="next"';
    const { client, sent } = clientOn([{ ...OK, headers: { Link } }, OK]);
    await client.activity({ types: ['fund.added'], $skip: 5 }).toArray();
    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '?types=fund.added&%24skip=5',
      '?types=fund.added&cursor=c1',
    ]);
  });

  test('without a usable balance has none', async () => {
    const unusable = { 'X-RateLimit-Reset': '1e20', 'X-RateLimit-Limit': 'many' };
    const { client } = clientOn([{ ...OK, headers: unusable }]);
    const { credits } = await client.get('/startups');
    expect(credits).toEqual({ charged: 0, limit: null, remaining: null, reset: null });
  });

  test('adds up the credits of a client, and is reported with those of errors', async () => {
    const events: unknown[] = [];
    const { client } = clientOn([{ ...OK, headers }, UNAVAILABLE, { ...OK, headers }], {
      onResponse: ({ status, credits }) => events.push([status, credits.charged]),
    });
    await client.get('/startups');
    await client.get('/startups');
    expect(client.credits).toEqual({ spent: 4, responses: 3, ...balance });
    expect(events).toEqual([
      [200, 2],
      [503, 0],
      [200, 2],
    ]);
  });
});

describe('an error', () => {
  test('has every member of the body', async () => {
    const details = {
      field: 'Nmae',
      position: 3,
      value: 'Nmae',
      suggestion: 'Name',
      see: 'https://x',
    };
    const credits = { limit: 500, remaining: 1, required: 25, plan: 'free', reset: '2026-12-01' };
    const actions = [{ type: 'wait', until: '2026-12-01' }];
    const body = errorBody(
      'unknown_field',
      { ...details, retryable: 1, stack: 2 },
      {
        ...{ credits, actions, attempts_left: 4 },
      },
    );
    const { error } = await failureOf([{ status: 400, body }]);
    expect(error).toMatchObject({
      ...{ ...details, status: 400, code: 'unknown_field', message: 'Message of unknown_field.' },
      ...{ credits, actions, attemptsLeft: 4, requestId: 'request-1', retryable: false },
    });
    expect(String(error.stack)).toContain('Message of unknown_field');
  });

  test.each<[string, Planned, string, boolean]>([
    ['a failed connection', { fails: new TypeError('fetch failed') }, 'network_error', true],
    ['a response that is not JSON', { body: '<html>' }, 'unexpected_response', false],
    ['an error that is not JSON', { status: 404, body: '<html>' }, 'unexpected_response', false],
    [
      'a redirect',
      { status: 302, headers: { Location: 'https://x' } },
      'unexpected_redirect',
      false,
    ],
    ['a large response', { body: 'x'.repeat(101) }, 'response_too_large', false],
  ])('says %s', async (_, planned, code, retryable) => {
    const { error, sent } = await failureOf([planned], { responseBytesMax: 100 });
    expect(error).toMatchObject({ code, retryable });
    expect(sent).toHaveLength(1);
  });

  test('of a response that does not arrive in time is a timeout; an aborted call throws its reason', async () => {
    const never: typeof fetch = (_, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        if (init?.signal?.aborted) reject(init.signal.reason);
      });
    const { error } = await failureOf([], { fetch: never, timeoutMs: 1 });
    expect(error).toMatchObject({ code: 'timeout', retryable: true });
    const { client } = clientOn([], { fetch: never });
    const signal = AbortSignal.abort('stopped');
    await expect(client.get('/startups', {}, { signal })).rejects.toBe('stopped');
  });

  test('never contains the key', async () => {
    const { error } = await failureOf([{ fails: new TypeError('fetch failed') }]);
    const { client } = clientOn([]);
    expect(inspect([error, client], { depth: 9, showHidden: true })).not.toContain(KEY);
    expect(() => createClient({ apiKey: `${KEY}\n` })).toThrow(/^(?!.*pk_live)/s);
    for (const baseUrl of ['ftp://a', 'https://user@a', 'https://a?b']) {
      expect(() => createClient({ apiKey: KEY, baseUrl })).toThrow(TypeError);
    }
  });
});

describe('a call is repeated', () => {
  test.each<[string, readonly Planned[], readonly number[], string | undefined]>([
    ['once after a 5xx', [UNAVAILABLE, OK], [30_000], undefined],
    ['no second time after a 5xx', [UNAVAILABLE, UNAVAILABLE], [30_000], 'unavailable'],
    ['after 30 s without Retry-After', [{ status: 502, body: '' }, OK], [30_000], undefined],
    [
      'after each of three too_many_requests',
      [BUSY, BUSY, BUSY, OK],
      [2000, 2000, 2000],
      undefined,
    ],
    ['no fourth time', [BUSY, BUSY, BUSY, BUSY], [2000, 2000, 2000], 'too_many_requests'],
    [
      'never without credits',
      [{ status: 429, body: errorBody('credits_exhausted'), headers: { 'Retry-After': '9' } }],
      [],
      'credits_exhausted',
    ],
    [
      'never after a longer wait than allowed',
      [{ ...BUSY, headers: { 'Retry-After': '61' } }],
      [],
      'too_many_requests',
    ],
    [
      'never after another error',
      [{ status: 400, body: errorBody('bad_filter') }],
      [],
      'bad_filter',
    ],
    [
      'never after a lost connection, which may have been charged',
      [{ fails: new TypeError('reset') }],
      [],
      'network_error',
    ],
  ])('%s', async (_, planned, waits, code) => {
    const { client, sent, waitedMs } = clientOn(planned);
    const result = await client.get('/startups').catch((error: VcdsError) => error.code);
    expect(code === undefined ? result : { data: result }).toMatchObject({ data: code ?? [1] });
    expect(waitedMs).toEqual(waits);
    expect(sent).toHaveLength(planned.length);
  });

  test.each([
    ['Fri, 27 Nov 2026 12:00:50 GMT', {}, [50_000]],
    ['Fri, 27 Nov 2026 11:00:00 GMT', {}, [1_000]],
    ['Fri, 27 Nov 2026 12:01:30 GMT', {}, []],
    // The client's clock is behind or ahead.
    ['Fri, 27 Nov 2026 12:05:05 GMT', { Date: 'Fri, 27 Nov 2026 12:05:00 GMT' }, [5_000]],
    ['Fri, 27 Nov 2026 11:50:05 GMT', { Date: 'Fri, 27 Nov 2026 11:50:00 GMT' }, [5_000]],
    ['Fri, 27 Nov 2026 12:00:50 GMT', { Date: 'today' }, [50_000]],
    ['-5', {}, [1_000]],
    ['soon', {}, [1_000]],
  ])('after Retry-After: %s, in a response with %j', async (date, others, waits) => {
    const now = () => Date.parse('2026-11-27T12:00:00Z');
    const busy = { ...BUSY, headers: { 'Retry-After': date, ...others } };
    const { client, waitedMs } = clientOn([busy, OK], { now });
    await client.get('/startups').catch(() => undefined);
    expect(waitedMs).toEqual(waits);
  });

  test('never, if the client says so', async () => {
    const { error, sent } = await failureOf([UNAVAILABLE], { retry: false });
    expect(error.code).toBe('unavailable');
    expect(sent).toHaveLength(1);
  });
});

test('a list of companies is matched by calls of a hundred items, with results in order', async () => {
  const items = Array.from({ length: 150 }, (_, i) => ({ ref: `${i}`, name: `Company ${i}` }));
  const result = ({ ref }: { readonly ref: string }) => ({ ref, verdict: 'none' });
  const { client, sent } = clientOn([
    { body: items.slice(0, 100).map(result) },
    { body: items.slice(100).map(result) },
  ]);
  const refs: string[] = [];
  for await (const { ref } of client.companies.matchAll(items, { creditsMax: 100 })) refs.push(ref);
  expect(refs).toEqual(items.map(({ ref }) => ref));
  expect(sent.map(({ url, init }) => [url, init.method, JSON.parse(String(init.body))])).toEqual([
    ['https://api.example/v2/companies/match', 'POST', items.slice(0, 100)],
    ['https://api.example/v2/companies/match', 'POST', items.slice(100)],
  ]);
  expect(new Headers(sent[0]?.init.headers).get('X-Credits-Max')).toBe('100');
});
