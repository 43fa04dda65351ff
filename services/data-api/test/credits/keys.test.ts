// Tests docs/spec/credits.md 10.15.
// Tests docs/spec/plans.md 13.4.
import { describe, expect, test } from '@jest/globals';
import { closedAfterAll, type IssuedAccount } from '@vcds/test-kit';
import { seedId } from '../support/collections.ts';
import { type Metered, openStack } from './support/stack.ts';

const stack = await closedAfterAll(openStack());
const api = await stack.dataApi();
const [free, narrowed] = await stack.issue(
  { plan: 'free', keys: [{}] },
  { plan: 'starter', keys: [{ scopes: ['news', 'people'] }, {}] },
);

const keyOf = ({ keys }: IssuedAccount, number = 0): string => keys[number]?.apiKey ?? '';
const nextMonth = (): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
};
const errorOf = ({ body }: Metered) => (body as { error: Record<string, unknown> }).error;
const STARTUP = `/startups/${seedId('startup2')}`;

describe('a narrowed key', () => {
  test('is rejected with the missing scope, without a charge', async () => {
    const rejected = await api.get(keyOf(narrowed), '/startups');
    expect(rejected).toMatchObject({ status: 403, charged: 0, limit: 10_000, remaining: 10_000 });
    const see = 'https://access.example.com/account/credits';
    expect(errorOf(rejected)).toMatchObject({ code: 'not_entitled', status: 403, see });
    expect(errorOf(rejected).message).toMatch(/restricted to people, news.*companies/);
    expect((await api.get(keyOf(narrowed), '/startups?$nonsense=1')).status).toBe(403);
    expect((await api.get(keyOf(narrowed), '/startups?quote=true')).status).toBe(403);
    expect((await api.get(keyOf(narrowed), '/news?$expand=Startup&quote=true')).status).toBe(403);
  });

  test('and a plan without the scope are rejected alike', async () => {
    for (const account of [narrowed, free]) {
      const rejected = await api.get(keyOf(account), '/find?website=acme.example');
      expect(rejected).toMatchObject({ status: 403, charged: 0 });
      expect(errorOf(rejected).message).toContain('find');
    }
  });

  test('has access to its scopes and the rate card', async () => {
    expect(await api.get(keyOf(narrowed), '/news?$top=4')).toMatchObject({ charged: 1 });
    expect(await api.get(keyOf(narrowed), '/persons?$top=1')).toMatchObject({ charged: 1 });
    expect(await api.get(keyOf(narrowed), '/pricing')).toMatchObject({ status: 200, charged: 0 });
  });

  test('shares the balance of its account', async () => {
    const one = await api.get(keyOf(narrowed), '/pricing');
    expect(await api.get(keyOf(narrowed, 1), '/startups?$top=8')).toMatchObject({
      remaining: (one.remaining ?? 0) - 8,
    });
  });
});

describe('a key with a monthly limit', () => {
  test('is 429 key_limit_reached beyond it, free, with three actions; other keys go on', async () => {
    const [account] = await stack.issue({ plan: 'free', keys: [{}, {}] });
    const [capped, other] = [keyOf(account), keyOf(account, 1)];
    const keyId = account.keys[0]?.keyId ?? '';
    expect(await api.get(capped, '/startups?$top=30')).toMatchObject({ charged: 30 });
    await stack.admin(['key', 'limit', keyId, '40']);
    const rejected = await api.get(capped, '/startups?$expand=Tags');
    expect(rejected).toMatchObject({ status: 429, charged: 0, limit: 500, remaining: 470 });
    const reset = nextMonth().toISOString();
    const key = { limit: 40, remaining: 10 };
    expect(rejected.body).toEqual({
      error: {
        code: 'key_limit_reached',
        status: 429,
        message: expect.stringContaining('10 credits remain of the 40 credits that this key'),
        trace_id: rejected.headers.get('x-request-id'),
      },
      credits: { limit: 500, remaining: 470, required: 32, plan: 'free', reset, key },
      actions: [
        { type: 'raise_key_limit', url: `https://access.example.com/account/keys/${keyId}/limit` },
        { type: 'reduce_page_size', parameter: '$top', max: 8 },
        { type: 'wait', until: reset },
      ],
    });
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
    const quoted = await api.get(capped, '/startups?quote=true');
    expect(quoted.body).toMatchObject({ credits: { key } });
    const once = { headers: { 'Idempotency-Key': 'beyond' } };
    expect(await api.get(capped, '/startups', once)).toMatchObject({ status: 429, charged: 0 });
    const smaller = await api.get(capped, '/startups?$expand=Tags&$top=8');
    expect(smaller).toMatchObject({ status: 200, charged: 10 });
    const keyHeaders = (answer: Metered) =>
      ['Limit', 'Remaining'].map((name) => answer.headers.get(`X-RateLimit-Key-${name}`));
    expect(keyHeaders(smaller)).toEqual(['40', '0']);
    expect(keyHeaders(await api.get(capped, '/pricing'))).toEqual(['40', '0']);
    const free = await api.get(other, STARTUP);
    expect(free).toMatchObject({ status: 200, charged: 1 });
    expect(keyHeaders(free)).toEqual([null, null]);
    await stack.admin(['key', 'limit', keyId, 'none']);
    expect(await api.get(capped, STARTUP)).toMatchObject({ status: 200, charged: 1 });
  });
});
