// Tests docs/spec/addresses.md 1.5.
// Tests docs/spec/authentication.md 2.5.
// Tests docs/spec/credits.md 10.3, 10.5, 10.8, 10.11, 10.12.
// Tests docs/spec/find.md 20.1.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { accountKeys, generateApiKey } from '@vcds/credentials';
import { createLogger } from '@vcds/service-kit';
import { closedAfterAll, type IssuedAccount } from '@vcds/test-kit';
import { seedId } from '../support/collections.ts';
import { type Metered, openStack, sumOf } from './support/stack.ts';

const stack = await closedAfterAll(openStack());
const api = await stack.dataApi();
/** A data-api with a short statement time-out. */
const hurried = await stack.dataApi({}, { STATEMENT_TIMEOUT_MS: '500' });
const [paid, free] = await stack.issue(
  { plan: 'scale', keys: [{}, {}, {}] },
  { plan: 'free', keys: [{}, {}] },
);

const keyOf = ({ keys }: IssuedAccount, number = 0): string => keys[number]?.apiKey ?? '';
const nextMonth = (): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
};
const errorOf = ({ body }: Metered) => (body as { error: Record<string, unknown> }).error;
const STARTUP = `/startups/${seedId('startup2')}`;
const NO_MATCH = encodeURIComponent("Name eq 'no such name'");

describe('a charged response', () => {
  test('has the charge, the balance, the allowance and the time of the next one', async () => {
    const key = keyOf(paid);
    const first = await api.get(key, '/startups?$top=10');
    expect(first).toMatchObject({ status: 200, charged: 10, limit: 1_000_000 });
    expect(first.reset).toBe(nextMonth().getTime() / 1000);
    expect(first.headers.get('cache-control')).toBe('private, no-store');
    expect(first.headers.get('access-control-expose-headers')).toContain('X-Credits-Charged');
    const second = await api.get(key, '/startups?$top=10');
    expect(second.remaining).toBe((first.remaining ?? 0) - 10);
  });

  test.each([
    ['/startups?$top=10', 10],
    ['/startups?$top=10&$select=Id', 10],
    ['/startups?$top=10&$expand=Tags', 13],
    ['/startups?$top=10&$expand=Tags,Funds', 15],
    ['/startups', 25],
    [`/startups?$filter=${NO_MATCH}`, 1],
    [`/startups?$filter=${NO_MATCH}&$expand=Tags`, 1],
    ['/startups?$count=true', 1],
    ['/startups?$count=true&$top=100', 1],
    [STARTUP, 1],
    [`${STARTUP}?$expand=Tags`, 2],
    ['/startups/search?q=agora', 1],
    ['/startups/search?q=zzzzqqqq', 1],
    ['/startups/tags/search?q=fin', 1],
    ['/companies/search?q=zeta', 1],
    ['/startups/fundingrounds?$top=5', 3],
    ['/startups/postvaluations?$top=4', 2],
    ['/persons?$top=7', 7],
    // The check values of docs/spec/credits.md 10.3 rule 4, on an endpoint of the same price.
    ['/news?$top=50', 13],
    ['/news?$top=50&$expand=Startup,Fund', 19],
    ['/pricing', 0],
  ])('%s is charged %i', async (path, credits) => {
    const answer = await api.get(keyOf(paid), path);
    expect(answer).toMatchObject({ status: 200, charged: credits });
  });

  test('is charged for the returned records, not for the page size', async () => {
    const answer = await api.get(keyOf(paid), `${STARTUP}/references?$top=100`);
    const records = (answer.body as unknown[]).length;
    expect(records).toBeGreaterThan(1);
    expect(answer.charged).toBe(Math.ceil(records / 4));
  });

  test('is in the ledger and in the access log by its request id, with key and credits', async () => {
    const lines: string[] = [];
    const logger = createLogger({ service: 'test', sink: { write: (line) => lines.push(line) } });
    const logged = await stack.dataApi({ logger });
    const { headers } = await logged.get(keyOf(paid, 1), '/news?$top=50');
    const requestId = headers.get('x-request-id');
    const rejected = await logged.get(keyOf(paid, 1), '/news?$top=0');
    const charges = await stack.charges(paid.accountId);
    expect(charges.filter((charge) => charge.request_id === requestId)).toMatchObject([
      { key_id: paid.keys[1]?.keyId, endpoint: '/news', charged: 13 },
    ]);
    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    const caller = { accountId: paid.accountId, keyId: paid.keys[1]?.keyId };
    expect(requests).toMatchObject([
      { requestId, status: 200, ...caller, charged: 13 },
      { requestId: rejected.headers.get('x-request-id'), status: 400, ...caller, charged: 0 },
    ]);
  });

  test('is in the ledger with its key and endpoint, credit for credit', async () => {
    const before = await stack.charges(paid.accountId);
    await api.get(keyOf(paid, 1), '/news?$top=50');
    await api.get(keyOf(paid, 2), STARTUP);
    const { remaining } = await api.get(keyOf(paid), '/pricing');
    const charges = await stack.charges(paid.accountId);
    expect(charges.slice(before.length)).toMatchObject([
      { key_id: paid.keys[1]?.keyId, endpoint: '/news', charged: 13 },
      { key_id: paid.keys[2]?.keyId, endpoint: '/startups/{id}', charged: 1 },
    ]);
    expect(sumOf(charges)).toBe(1_000_000 - (remaining ?? 0));
  });
});

describe('an error is free', () => {
  const id = seedId('nothing');
  const broken = async (apiKey: string): Promise<Metered> => {
    await stack.sql.query('ALTER TABLE venture.news RENAME TO news_away');
    try {
      return await api.get(apiKey, '/news?$select=Id,Title');
    } finally {
      await stack.sql.query('ALTER TABLE venture.news_away RENAME TO news');
    }
  };
  const slow = async (apiKey: string): Promise<Metered> => {
    const client = await stack.sql.connect();
    await client.query('BEGIN; LOCK TABLE venture.news IN ACCESS EXCLUSIVE MODE');
    try {
      return await hurried.get(apiKey, '/news?$top=3');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  };
  const call = (path: string) => (apiKey: string) => api.get(apiKey, path);
  const limited = (apiKey: string) =>
    api.get(apiKey, '/startups', { headers: { 'X-Credits-Max': '24' } });
  type Asked = readonly [code: string, status: number, call: (apiKey: string) => Promise<Metered>];
  const AUTHENTICATED: readonly Asked[] = [
    ['unknown_parameter', 400, call('/startups?City=Oslo')],
    ['unknown_field', 400, call('/startups?$select=Nome')],
    ['unknown_relation', 400, call('/startups?$expand=Owners')],
    ['field_not_filterable', 400, call('/startups?$orderby=Tag')],
    ['operator_not_supported', 400, call("/startups?$filter=Keywords%20ne%20'a'")],
    ['bad_filter', 400, call('/startups?$filter=Name%20eq')],
    ['bad_parameter', 400, call('/startups?$top=0')],
    ['top_above_plan', 400, call('/startups?$top=101')],
    ['price_above_limit', 400, limited],
    ['bad_parameter', 400, call('/startups?quote=yes')],
    ['not_found', 404, call(`/startups/${id}`)],
    ['not_found', 404, call(`/startups/${id}/references`)],
    ['not_found', 404, call('/startups/no-uuid')],
    ['unknown_path', 404, call('/nowhere')],
    ['bad_parameter', 400, call('/startups/%zz')],
    ['method_not_allowed', 405, (key) => api.send('DELETE', key, STARTUP)],
    ['method_not_allowed', 405, (key) => api.send('POST', key, '/pricing')],
    ['internal_error', 500, broken],
    ['unavailable', 503, slow],
  ];

  test.each(AUTHENTICATED)('%s (%i) does not change the balance', async (code, status, asked) => {
    const key = keyOf(free);
    const before = await api.get(key, '/pricing');
    const answer = await asked(key);
    expect(answer.status).toBe(status);
    expect(errorOf(answer).code).toBe(code);
    const { limit, remaining, reset } = before;
    expect(answer).toMatchObject({ charged: 0, limit, remaining, reset });
    expect(await api.get(key, '/pricing')).toMatchObject({ remaining });
  });

  test('none of them is in the ledger', async () => {
    expect(await stack.charges(free.accountId)).toEqual([]);
  });

  test('one without authentication has no credits headers', async () => {
    for (const [key, path, status] of [
      [undefined, '/startups', 401],
      ['not-a-key', '/startups', 401],
      [generateApiKey(), '/startups', 401],
      [undefined, '/nowhere', 404],
      ['not-a-key', '/nowhere', 404],
      [generateApiKey(), '/nowhere', 404],
      [keyOf(free), `/startups?$filter=${'x'.repeat(140_000)}`, 414],
    ] as const) {
      const answer = await api.get(key, path);
      expect(answer.status).toBe(status);
      expect([answer.charged, answer.remaining]).toEqual([undefined, undefined]);
      if (status !== 401) continue;
      const { message, see } = errorOf(answer);
      expect(message).toContain('POST https://access.example.com/api/v1/auth/register');
      expect(see).toBe('https://access.example.com/account');
    }
  });

  test('the ledger rejects a revoked key that is still cached, without a balance', async () => {
    const [account] = await stack.issue({ plan: 'starter', keys: [{}, {}] });
    expect(await api.get(keyOf(account), STARTUP)).toMatchObject({ status: 200, charged: 1 });
    // A revocation is in the ledger before the key caches receive it.
    const { revoked } = accountKeys(account.accountId);
    await stack.redis.sadd(revoked, account.keys[0]?.keyId ?? '');
    const rejected = await api.get(keyOf(account), STARTUP);
    expect(rejected.status).toBe(401);
    expect(errorOf(rejected)).toMatchObject({ code: 'unauthorized', reason: 'revoked' });
    expect(rejected.remaining).toBeUndefined();
    expect(await api.get(keyOf(account, 1), STARTUP)).toMatchObject({ remaining: 9_998 });
  });
});

describe('an account without sufficient credits', () => {
  let account: IssuedAccount;
  beforeAll(async () => {
    [account] = await stack.issue({ plan: 'free', keys: [{}] });
    const spent = [100, 100, 100, 100, 80];
    for (const top of spent) {
      expect(await api.get(keyOf(account), `/startups?$top=${top}`)).toMatchObject({
        status: 200,
        charged: top,
      });
    }
  });

  test('gets the required and remaining credits and three actions', async () => {
    const secondsLeft = (): number => (nextMonth().getTime() - Date.now()) / 1000;
    const most = Math.ceil(secondsLeft());
    const rejected = await api.get(keyOf(account), '/startups');
    const least = Math.ceil(secondsLeft());
    expect(rejected).toMatchObject({ status: 429, charged: 0, limit: 500, remaining: 20 });
    const reset = nextMonth().toISOString();
    expect(rejected.body).toEqual({
      error: {
        code: 'credits_exhausted',
        status: 429,
        message: expect.stringContaining('25 credits, but 20 credits remain'),
        trace_id: rejected.headers.get('x-request-id'),
      },
      credits: { limit: 500, remaining: 20, required: 25, plan: 'free', reset },
      actions: [
        { type: 'purchase_credits', url: 'https://access.example.com/account/credits' },
        { type: 'reduce_page_size', parameter: '$top', max: 20 },
        { type: 'wait', until: reset },
      ],
    });
    const retryAfter = Number(rejected.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(least);
    expect(retryAfter).toBeLessThanOrEqual(most);
  });

  test('can use the suggested smaller page', async () => {
    const { body } = await api.get(keyOf(account), '/startups?$expand=Tags');
    const actions = (body as { actions: { type: string; max?: number }[] }).actions;
    const max = actions.find(({ type }) => type === 'reduce_page_size')?.max;
    expect(max).toBe(16);
    const answer = await api.get(keyOf(account), `/startups?$expand=Tags&$top=${max}`);
    expect(answer).toMatchObject({ status: 200, charged: 20, remaining: 0 });
  });

  test.each([
    '/startups/search?q=agora',
    '/companies/search?q=agora',
    '/startups/tags/search?q=fin',
    '/startups?$count=true',
    STARTUP,
  ])('%s has a flat price, so no page size is suggested', async (path) => {
    const rejected = await api.get(keyOf(account), path);
    expect(rejected).toMatchObject({ status: 429, charged: 0, remaining: 0 });
    const { credits, actions } = rejected.body as {
      credits: { required: number };
      actions: { type: string }[];
    };
    expect(credits.required).toBe(1);
    expect(actions.map(({ type }) => type)).toEqual(['purchase_credits', 'wait']);
  });

  test('still gets the rate card, quotes and errors', async () => {
    const quoted = await api.get(keyOf(account), '/startups?quote=true');
    expect(quoted).toMatchObject({ status: 200, charged: 0, remaining: 0 });
    expect(quoted.body).toMatchObject({ credits: { remaining: 0, required: 25 } });
    expect(await api.get(keyOf(account), '/pricing')).toMatchObject({ status: 200, remaining: 0 });
    expect((await api.get(keyOf(account), '/startups?$top=0')).status).toBe(400);
  });

  test('has used exactly its allowance in the ledger', async () => {
    expect(sumOf(await stack.charges(account.accountId))).toBe(500);
  });
});

test('metrics count reserved, settled and released credits', async () => {
  const text = await (await fetch(`${api.internalUrl}/metrics`)).text();
  const measured = new Map(
    [
      ...text.matchAll(
        /^(?:vcds_credits_total|vcds_ledger_replies_total)\{(.*),service=.*\} (\d+)$/gm,
      ),
    ].map(([, labels = '', value]) => [labels, Number(value)]),
  );
  const credits = (outcome: string): number => measured.get(`outcome="${outcome}"`) ?? 0;
  expect(credits('settled')).toBeGreaterThan(500);
  expect(credits('released')).toBeGreaterThan(0);
  expect(credits('reserved')).toBe(credits('settled') + credits('released'));
  for (const [step, status] of [
    ['reserve', 'held'],
    ['reserve', 'exhausted'],
    ['charge', 'settled'],
    ['charge', 'revoked'],
  ]) {
    expect(measured.get(`step="${step}",status="${status}"`)).toBeGreaterThan(0);
  }
});
