// Tests docs/spec/authentication.md 2.4.
// Tests docs/spec/registration.md 3.1, 3.3, 3.4, 3.5.
// Tests docs/spec/credits.md 10.6.
// Tests docs/spec/errors.md 11.3.
import { describe, expect, test } from '@jest/globals';
import { createMetrics, keySteps } from '@vcds/service-kit';
import request from 'supertest';
import { createAccessApp } from '../../src/app.ts';
import {
  ACCESS_URL,
  BASE,
  DATA_URL,
  keysOf,
  mailOf,
  newAddress,
  newClient,
  open,
  openFixture,
  proofIn,
  status,
  verify,
  wrong,
} from './fixture.ts';

const TEN_MINUTES_MS = 600_000;
const DAY_MS = 86_400_000;
const NEVER_ISSUED = '00000000-0000-4000-8000-000000000000';
const fixture = await openFixture();

describe('POST /auth/verify', () => {
  test('an account with 100 valid keys is 409 too_many_keys; the code is good after one is revoked', async () => {
    const { access } = fixture;
    const { registrationId, code, to } = await open(fixture);
    const accountId = await access.accounts.create({ email: to, plan: 'free' });
    const issue = () => access.accounts.issueKey({ accountId, origin: 'operator' });
    const [{ keyId }] = [await issue()];
    for (let i = 1; i < 100; i++) await issue();
    await expect(issue()).rejects.toThrow('100 active keys');
    const full = await verify(fixture, { request_id: registrationId, code });
    expect(full.status).toBe(409);
    expect(full.body.error).toMatchObject({
      code: 'too_many_keys',
      message: expect.stringContaining('revoke keys'),
    });
    await access.accounts.revokeKey(keyId);
    expect((await verify(fixture, { request_id: registrationId, code })).status).toBe(200);
  });

  test('a right code gives a key for 30 days, and exactly nine fields', async () => {
    const { registrationId, code, to } = await open(fixture);
    const issuedAtMs = fixture.access.clock.wallMs();
    const answer = await verify(fixture, { request_id: registrationId, code });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { api_key, usage, notice, ...rest } = answer.body;
    expect(Object.keys(answer.body)).toEqual([
      'api_key',
      'expires_at',
      'email',
      'credits',
      'base_url',
      'usage',
      'docs_url',
      'manage_url',
      'notice',
    ]);
    expect(rest).toEqual({
      expires_at: new Date(issuedAtMs + 30 * DAY_MS).toISOString(),
      email: to,
      credits: { limit: 500, remaining: 500, reset: expect.stringMatching(/-01T00:00:00.000Z$/) },
      base_url: `${DATA_URL}/v2`,
      docs_url: `${ACCESS_URL}/docs`,
      manage_url: `${ACCESS_URL}/account`,
    });
    expect(api_key).toMatch(/^pk_live_[0-9A-Za-z]{49}$/);
    expect(`${usage}${notice}`).not.toContain(api_key);
    expect(await status(fixture, registrationId)).toBe('completed');
    const usageAnswer = await request(fixture.app).get(`${BASE}/usage`).set('X-Api-Key', api_key);
    expect(usageAnswer.status).toBe(200);
  });

  test('the calls that the root of the data API states get a key', async () => {
    const [first, second] = keySteps(`${ACCESS_URL}${BASE}`);
    const call = (url: string, body: object) =>
      request(fixture.app)
        .post(new URL(url).pathname)
        .set('X-Forwarded-For', newClient())
        .send(body);
    const email = newAddress();
    const registered = await call(first.url, { ...first.body, email });
    expect(registered.status).toBe(202);
    const { code } = await mailOf(fixture, registered.body.request_id);
    const verified = await call(second.url, {
      ...second.body,
      ...{ request_id: registered.body.request_id, code },
    });
    expect([verified.status, verified.body.email]).toEqual([200, email]);
  });

  test('a bug is a 500 with the common error body', async () => {
    const broken = {
      ...fixture.access.registrations,
      status: () => Promise.reject(new Error('x')),
    };
    const { publicApp } = createAccessApp({
      ...fixture.access,
      metrics: createMetrics('t'),
      registrations: broken,
    });
    const answer = await request(publicApp)
      .get(`${BASE}/auth/status`)
      .query({ request_id: NEVER_ISSUED });
    expect([answer.status, answer.body.error.code]).toEqual([500, 'internal_error']);
    expect(answer.headers['retry-after']).toBe('30');
  });

  test('the GET variants register and verify with query parameters alone', async () => {
    const call = (name: string, query: object) =>
      request(fixture.app)
        .get(`${BASE}/auth/${name}`)
        .set('X-Forwarded-For', newClient())
        .query(query);
    for (const proof of ['request_id', 'email']) {
      const email = newAddress();
      const { status, body } = await call('register', { email });
      expect(status).toBe(202);
      const { code } = await mailOf(fixture, body.request_id);
      const verified = await call('verify', { [proof]: { ...body, email }[proof], code });
      expect([verified.status, verified.body.email]).toEqual([200, email]);
    }
  });

  test('registering again gives a fresh key on the same account; the older one stays valid', async () => {
    const first = await open(fixture);
    const one = await verify(fixture, proofIn(first));
    const second = await open(fixture, first.to.toUpperCase());
    const two = await verify(fixture, { email: first.to, code: second.code });
    expect(two.body.api_key).not.toBe(one.body.api_key);
    expect(await keysOf(fixture, { email: first.to })).toHaveLength(2);
    expect(await fixture.access.database.account.count({ where: { email: first.to } })).toBe(1);
    for (const { body } of [one, two]) {
      const usage = await request(fixture.app).get(`${BASE}/usage`).set('X-Api-Key', body.api_key);
      expect(usage.status).toBe(200);
    }
  });

  test('an account an operator made is found by its address, on its own plan', async () => {
    const email = newAddress();
    await fixture.access.accounts.create({ email, plan: 'growth' });
    const answer = await verify(fixture, proofIn(await open(fixture, email)));
    expect(answer.body.credits.limit).toBe(100_000);
  });

  test('wrong codes one to four are 401 with attempts_left, the fifth and all later ones 429', async () => {
    const mail = await open(fixture);
    const { registrationId, code } = mail;
    for (const left of [4, 3, 2, 1]) {
      const answer = await verify(fixture, { request_id: registrationId, code: wrong(code) });
      expect(answer.status).toBe(401);
      expect(answer.body.error.code).toBe('wrong_code');
      expect(answer.body.attempts_left).toBe(left);
      expect(await status(fixture, registrationId)).toBe('pending');
    }
    for (const attempt of [wrong(code), wrong(code), code]) {
      const answer = await verify(fixture, { request_id: registrationId, code: attempt });
      expect([answer.status, answer.body.error.code]).toEqual([429, 'too_many_attempts']);
    }
    expect(await status(fixture, registrationId)).toBe('expired');
    // Guessing does not lock out the owner: the message is sent, and its link works.
    expect(await fixture.mail.load(registrationId)).toEqual(mail);
  });

  test('410 once used, once expired to the millisecond, and for what never was', async () => {
    const used = await open(fixture);
    const usedBody = proofIn(used);
    await verify(fixture, usedBody);
    const late = await open(fixture);
    fixture.access.clock.advance(TEN_MINUTES_MS - 1);
    expect(await status(fixture, late.registrationId)).toBe('pending');
    fixture.access.clock.advance(1);
    expect(await status(fixture, late.registrationId)).toBe('expired');
    for (const body of [
      usedBody,
      { ...usedBody, code: wrong(used.code) },
      proofIn(late),
      { email: late.to, code: late.code },
      { request_id: NEVER_ISSUED, code: '123456' },
      { request_id: 'nothing-like-an-id', code: '123456' },
      { email: newAddress(), code: '123456' },
    ]) {
      const answer = await verify(fixture, body);
      expect([answer.status, answer.body.error.code]).toEqual([410, 'invalid_or_expired']);
    }
  });

  test('request_id wins over email; email means the newest registration still open', async () => {
    const email = newAddress();
    const older = await open(fixture, email);
    const newer = await open(fixture, email);
    const byEmail = await verify(fixture, { email, code: older.code });
    const isSameCode = older.code === newer.code;
    expect(byEmail.status).toBe(isSameCode ? 200 : 401);
    const both = await verify(fixture, {
      request_id: older.registrationId,
      email: newAddress(),
      code: older.code,
    });
    expect(both.status).toBe(200);
    expect((await verify(fixture, { email, code: newer.code })).status).toBe(
      isSameCode ? 410 : 200,
    );
  });

  test.each([
    ['nothing', {}, 'missing_fields'],
    ['no code', { email: 'a@example.com' }, 'missing_fields'],
    ['neither id nor address', { code: '123456' }, 'missing_fields'],
    ['an empty code', { email: 'a@example.com', code: '' }, 'missing_fields'],
    ['five digits', { email: 'a@example.com', code: '12345' }, 'bad_parameter'],
    ['letters', { email: 'a@example.com', code: '12345a' }, 'bad_parameter'],
    ['a number', { email: 'a@example.com', code: 123456 }, 'bad_parameter'],
    ['no address', { email: 'a@b@', code: '123456' }, 'bad_parameter'],
    ['a number as id', { request_id: 7, code: '123456' }, 'bad_parameter'],
  ])('400 for %s', async (_name, body, code) => {
    const answer = await verify(fixture, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
  });

  test('what is malformed counts as no attempt', async () => {
    const { registrationId, code } = await open(fixture);
    for (let i = 0; i < 6; i++) {
      await verify(fixture, { request_id: registrationId, code: 'abc' });
    }
    const answer = await verify(fixture, { request_id: registrationId, code: wrong(code) });
    expect(answer.body.attempts_left).toBe(4);
  });
});

describe('GET /auth/status', () => {
  test('pending at first; unknown after 24 hours, and for what was never issued', async () => {
    const { registrationId, code } = await open(fixture);
    expect(await status(fixture, registrationId)).toBe('pending');
    await verify(fixture, { request_id: registrationId, code });
    fixture.access.clock.advance(DAY_MS - 1);
    expect(await status(fixture, registrationId)).toBe('completed');
    fixture.access.clock.advance(1);
    expect(await status(fixture, registrationId)).toBe('unknown');
    expect(await status(fixture, NEVER_ISSUED)).toBe('unknown');
    expect(await status(fixture, 'x')).toBe('unknown');
    const late = await verify(fixture, { request_id: registrationId, code });
    expect(late.body.error.code).toBe('invalid_or_expired');
  });

  test('400 without request_id; only GET', async () => {
    const bare = await request(fixture.app).get(`${BASE}/auth/status`);
    expect([bare.status, bare.body.error.parameter]).toEqual([400, 'request_id']);
    expect((await request(fixture.app).post(`${BASE}/auth/status`)).status).toBe(405);
  });

  test('a registration expires in Redis after 24 hours', async () => {
    const { registrationId } = await open(fixture);
    const [key = ''] = await fixture.access.redis.keys(`*registration:${registrationId}`);
    const left = await fixture.access.redis.pttl(key);
    expect(left).toBeGreaterThan(DAY_MS - 60_000);
    expect(left).toBeLessThanOrEqual(DAY_MS);
  });
});

describe('when the key cannot be made', () => {
  test('503, and the same code works afterwards with the attempt given back', async () => {
    let isBroken = true;
    const other = await openFixture({
      replace: ({ accounts }) => ({
        accounts: {
          ...accounts,
          issueKey: (key) =>
            isBroken ? Promise.reject(new Error('no database')) : accounts.issueKey(key),
        },
      }),
    });
    const { registrationId, code } = await open(other);
    for (let i = 0; i < 6; i++) {
      const answer = await verify(other, { request_id: registrationId, code });
      expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
      expect(await status(other, registrationId)).toBe('pending');
    }
    isBroken = false;
    expect((await verify(other, { request_id: registrationId, code })).status).toBe(200);
  });

  test('503 while the ledger does not say what the account has; no key is made', async () => {
    const other = await openFixture({
      replace: ({ ledger }) => ({
        ledger: {
          ...ledger,
          balance: async () => ({ status: 'unavailable', cause: new Error('closed') }),
        },
      }),
    });
    const { registrationId, code, to } = await open(other);
    const answer = await verify(other, { request_id: registrationId, code });
    expect(answer.status).toBe(503);
    const account = await other.access.history.findAccount({ email: to });
    expect(account?.keys).toEqual([]);
  });
});
