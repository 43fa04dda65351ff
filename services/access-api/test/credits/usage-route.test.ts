// Tests docs/spec/authentication.md 2.1, 2.2.
// Tests docs/spec/credits.md 10.6.
import { describe, expect, test } from '@jest/globals';
import { generateApiKey } from '@vcds/credentials';
import request from 'supertest';
import { BASE, open, openFixture, proofIn, verify } from '../registration/fixture.ts';
import { charge } from './spending.ts';

const fixture = await openFixture();
const { registrationId, code } = await open(fixture);
const first = await verify(fixture, { request_id: registrationId, code });
const apiKey: string = first.body.api_key;

const usage = () => request(fixture.app).get(`${BASE}/usage`);

describe('GET /usage', () => {
  test('answers the credits object for a key in any of its three forms, free of charge', async () => {
    for (const answer of [
      await usage().set('X-Api-Key', apiKey),
      await usage().set('Authorization', `Bearer ${apiKey}`),
      await usage().query({ token: apiKey }),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        limit: 500,
        remaining: 500,
        reset: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00.000Z$/),
        key: null,
      });
      expect(answer.headers).toMatchObject({
        'x-credits-charged': '0',
        'x-ratelimit-limit': '500',
        'x-ratelimit-remaining': '500',
        'x-ratelimit-reset': String(Date.parse(answer.body.reset) / 1000),
        'cache-control': 'no-store',
      });
    }
  });

  test('shows what was spent, whichever key of the account asks', async () => {
    const { registrationId, code, to } = await open(fixture);
    const first = await verify(fixture, { request_id: registrationId, code });
    const again = await open(fixture, to);
    const second = await verify(fixture, proofIn(again));
    const account = await fixture.access.history.findAccount({ email: to });
    const keyId = account?.keys[0]?.id ?? '';
    const spending = { account: account?.id ?? '', keyId, amount: 7, limit: 500 };
    await charge(fixture.access.ledger, spending);
    for (const { body } of [first, second]) {
      expect((await usage().set('X-Api-Key', body.api_key)).body.remaining).toBe(493);
    }
  });

  test('shows what a key with a monthly limit may still use', async () => {
    const { registrationId, code, to } = await open(fixture);
    const { body } = await verify(fixture, { request_id: registrationId, code });
    const account = await fixture.access.history.findAccount({ email: to });
    const keyId = account?.keys[0]?.id ?? '';
    await fixture.access.accounts.limitKey(keyId, 50);
    const spending = { account: account?.id ?? '', keyId, amount: 7, limit: 500 };
    await charge(fixture.access.ledger, spending);
    const answer = await usage().set('X-Api-Key', body.api_key);
    expect(answer.body).toMatchObject({ remaining: 493, key: { limit: 50, remaining: 43 } });
    expect(answer.headers).toMatchObject({ 'x-ratelimit-key-remaining': '43' });
  });

  test('401 with its reason: missing, malformed, unknown, revoked, expired, two that differ', async () => {
    const { registrationId, code, to } = await open(fixture);
    const issued = await verify(fixture, { request_id: registrationId, code });
    const account = await fixture.access.history.findAccount({ email: to });
    await fixture.access.accounts.revokeKey(account?.keys[0]?.id ?? '');
    for (const [answer, reason] of [
      [await usage(), 'missing'],
      [await usage().set('X-Api-Key', `${apiKey}x`), 'malformed'],
      [await usage().set('X-Api-Key', generateApiKey()), 'unknown'],
      [await usage().set('Authorization', 'Bearer a.b.c'), 'unknown'],
      [await usage().set('X-Api-Key', issued.body.api_key), 'revoked'],
      [await usage().set('X-Api-Key', apiKey).query({ token: generateApiKey() }), 'malformed'],
    ] as const) {
      expect(answer.status).toBe(401);
      expect(answer.body.error).toMatchObject({ code: 'unauthorized', reason });
    }
    fixture.access.clock.advance(30 * 86_400_000);
    const expired = await usage().set('X-Api-Key', apiKey);
    expect(expired.body.error.reason).toBe('expired');
  });

  test('400 for a parameter nothing reads', async () => {
    const { registrationId, code: mailed } = await open(fixture);
    const { body } = await verify(fixture, { request_id: registrationId, code: mailed });
    for (const [query, code] of [
      ['month=now', 'unknown_parameter'],
      ['month=%zz', 'bad_parameter'],
    ] as const) {
      const answer = await usage().set('X-Api-Key', body.api_key).query(query);
      expect(answer.body.error).toMatchObject({ code, status: 400 });
      expect(answer.headers).toMatchObject({ 'x-credits-charged': '0' });
      expect((await usage().query(query)).status).toBe(401);
    }
  });

  test('503 while Redis is out of reach', async () => {
    const other = await openFixture();
    const { body } = await verify(other, proofIn(await open(other)));
    await other.close();
    const answer = await request(other.app).get(`${BASE}/usage`).set('X-Api-Key', body.api_key);
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
  });
});

test('a token in the query is taken by every endpoint and read by none that needs no key', async () => {
  const answer = await request(fixture.app)
    .get(`${BASE}/auth/status`)
    .query({ request_id: 'x', token: 'anything' });
  expect(answer.body).toEqual({ status: 'unknown' });
});
