// Tests docs/spec/addresses.md 1.2.
// Tests docs/spec/registration.md 3.1, 3.2, 3.7, 3.8.
// Tests docs/spec/errors.md 11.3.
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { createHttpServer } from '@vcds/service-kit';
import { eventually } from '@vcds/test-kit';
import request from 'supertest';
import { domainKey, mailboxKey } from '../../src/registration/redis-keys.ts';
import {
  ACCESS_URL,
  BASE,
  mailOf,
  newAddress,
  open,
  openFixture,
  proofIn,
  register,
  verify,
} from './fixture.ts';

const slowDomain = { name: 'slow.example.com', until: Promise.resolve() };
const fixture = await openFixture({
  blockedDomains: ['blocked.example.com'],
  replace: () => ({
    canReceive: async (domain) => {
      if (domain === slowDomain.name) await slowDomain.until;
      return domain !== 'no-mail.example.com';
    },
  }),
});

const HOUR_MS = 3_600_000;

describe('POST /auth/register', () => {
  test('answers 202 with exactly five fields, and has the message sent', async () => {
    const answer = await register(fixture, 'Ada@Example.COM');
    expect(answer.status).toBe(202);
    expect(Object.keys(answer.body)).toEqual([
      'status',
      'message',
      'request_id',
      'expires_in',
      'next',
    ]);
    expect(answer.body).toMatchObject({ status: 'sent', expires_in: 600 });
    expect(answer.headers['cache-control']).toBe('no-store');
    const id: string = answer.body.request_id;
    await fixture.access.mails.settled();
    expect(fixture.access.queued.filter((queued) => queued === id)).toHaveLength(1);
    const mail = await mailOf(fixture, id);
    expect(mail).toMatchObject({ registrationId: id, to: 'ada@example.com' });
    expect(mail.code).toMatch(/^\d{6}$/);
    expect(mail.linkUrl).toMatch(new RegExp(`^${ACCESS_URL}/account/sign-in/[0-9a-f]{80}$`));
    expect(mail.expiresAt.toISOString()).toBe('2025-01-15T12:10:00.000Z');
  });

  test('the message is the same however often it is loaded, and gone once sent', async () => {
    const mail = await open(fixture);
    expect(await fixture.mail.load(mail.registrationId)).toEqual(mail);
    await fixture.mail.markSent(mail.registrationId);
    await fixture.mail.markSent(mail.registrationId);
    expect(await fixture.mail.load(mail.registrationId)).toBeUndefined();
    const answer = await verify(fixture, proofIn(mail));
    expect(answer.status).toBe(200);
  });

  test('there is no message to load for an id that is none, was not issued, or has expired', async () => {
    expect(await fixture.mail.load('7')).toBeUndefined();
    expect(await fixture.mail.load('00000000-0000-4000-8000-000000000000')).toBeUndefined();
    await expect(fixture.mail.markSent('7')).resolves.toBeUndefined();
    const other = await openFixture();
    const { registrationId } = await open(other);
    other.access.clock.advance(600_000);
    expect(await other.mail.load(registrationId)).toBeUndefined();
  });

  test('sends the message even if the client disconnects', async () => {
    const before = fixture.access.queued.length;
    const server = createHttpServer(fixture.app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    slowDomain.until = once(server, 'connection').then(async ([socket]) => {
      await once(socket, 'close');
    });
    const client = connect(address.port, '127.0.0.1');
    const path = `${BASE}/auth/register?email=somebody@${slowDomain.name}`;
    client.end(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(client, 'close');
    server.close();
    await eventually(() => fixture.access.queued.length > before);
    const mail = await mailOf(fixture, fixture.access.queued[before] ?? '');
    expect(mail.to).toBe(`somebody@${slowDomain.name}`);
  });

  test.each([
    ['a disposable domain', 'somebody@mailinator.com'],
    ['a name below a disposable domain', 'somebody@deep.mailinator.com'],
    ['a domain the operator blocks', 'somebody@blocked.example.com'],
    ['a domain that takes no mail', 'somebody@no-mail.example.com'],
  ])('%s gets the same 202 without request_id', async (_name, email) => {
    const rejected = await register(fixture, email);
    const accepted = await register(fixture, newAddress());
    expect(rejected.status).toBe(202);
    expect(rejected.body.status).toBe('accepted');
    expect(rejected.body).not.toHaveProperty('request_id');
    const { request_id: _, ...rest } = accepted.body;
    expect({ ...rejected.body, status: 'sent' }).toEqual(rest);
    expect(Object.keys(rejected.headers)).toEqual(Object.keys(accepted.headers));
  });

  test('a known and a new address: same status, header names and body length', async () => {
    const known = await open(fixture);
    const { registrationId, code } = known;
    expect((await verify(fixture, { request_id: registrationId, code })).status).toBe(200);
    const again = await register(fixture, known.to);
    const fresh = await register(fixture, newAddress());
    expect(again.status).toBe(fresh.status);
    expect(Object.keys(again.headers)).toEqual(Object.keys(fresh.headers));
    expect(again.text).toHaveLength(fresh.text.length);
    const { request_id: _, ...left } = again.body;
    const { request_id: __, ...right } = fresh.body;
    expect(left).toEqual(right);
  });

  test.each([
    ['no body', undefined, 'email_required'],
    ['an empty object', {}, 'email_required'],
    ['an empty address', { email: '  ' }, 'email_required'],
    ['null', { email: null }, 'email_required'],
    ['no address', { email: 'somebody' }, 'bad_parameter'],
    ['a number', { email: 7 }, 'bad_parameter'],
    ['an address literal', { email: 'a@[127.0.0.1]' }, 'bad_parameter'],
    ['a list', ['a@example.com'], 'bad_json'],
  ])('400 for %s', async (_name, body, code) => {
    const answer = await request(fixture.app).post(`${BASE}/auth/register`).send(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe(code);
  });

  test('400 email_required for a GET without one, unknown_parameter for one nothing reads', async () => {
    const bare = await request(fixture.app).get(`${BASE}/auth/register`);
    expect([bare.status, bare.body.error.code]).toEqual([400, 'email_required']);
    const typo = await request(fixture.app).get(`${BASE}/auth/register?emial=a@example.com`);
    expect(typo.body.error).toMatchObject({ code: 'unknown_parameter', suggestion: 'email' });
    const query = await request(fixture.app).post(`${BASE}/auth/register?email=a@example.com`);
    expect(query.body.error).toMatchObject({
      ...{ code: 'unknown_parameter', parameter: 'email' },
      message: expect.stringContaining('JSON body'),
    });
    const plus = await request(fixture.app).get(`${BASE}/auth/register?email=ada+vc@example.com`);
    expect(plus.body.error).toMatchObject({
      ...{ code: 'bad_parameter', parameter: 'email' },
      message: expect.stringContaining('%2B'),
    });
  });

  test('405 for other methods, 415 for other bodies', async () => {
    const deleted = await request(fixture.app).delete(`${BASE}/auth/register`);
    expect([deleted.status, deleted.headers.allow]).toEqual([405, 'POST, GET, HEAD, OPTIONS']);
    const form = await request(fixture.app)
      .post(`${BASE}/auth/register`)
      .type('form')
      .send('email=a@example.com');
    expect(form.body.error.code).toBe('unsupported_media_type');
  });
});

describe('limits', () => {
  test('an address has three registrations in any hour; a fourth gets a 202 without request_id', async () => {
    const email = newAddress();
    const ids: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      const answer = await register(fixture, i % 2 === 0 ? email : email.toUpperCase());
      expect(answer.status).toBe(202);
      ids.push(answer.body.request_id);
      fixture.access.clock.advance(60_000);
    }
    expect(ids.map((id) => typeof id)).toEqual(['string', 'string', 'string', 'undefined']);
    fixture.access.clock.advance(HOUR_MS - 4 * 60_000 - 1);
    expect((await register(fixture, email)).body.request_id).toBeUndefined();
    fixture.access.clock.advance(1);
    expect((await register(fixture, email)).body.request_id).toBeDefined();
    expect((await register(fixture, email)).body.request_id).toBeUndefined();
  });

  test('three are three, however many come at once', async () => {
    const email = newAddress();
    const answers = await Promise.all(Array.from({ length: 30 }, () => register(fixture, email)));
    expect(answers.filter((answer) => answer.body.request_id !== undefined)).toHaveLength(3);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
  });

  test.each([
    ['an IPv4 address', () => '203.0.113.7', '203.0.113.8'],
    ['an IPv6 /64', (i: number) => `2001:db8:1:2::${i.toString(16)}`, '2001:db8:1:3::1'],
  ])('%s has twenty registrations in any hour, then 429', async (_name, client, neighbour) => {
    for (let i = 0; i < 20; i++) {
      expect((await register(fixture, newAddress(), client(i))).status).toBe(202);
    }
    const rejected = await register(fixture, newAddress(), client(20));
    expect(rejected.status).toBe(429);
    expect(rejected.body.error.code).toBe('too_many_requests');
    expect(rejected.headers['retry-after']).toBe('3600');
    expect((await register(fixture, newAddress(), neighbour)).status).toBe(202);
    fixture.access.clock.advance(HOUR_MS);
    expect((await register(fixture, newAddress(), client(0))).status).toBe(202);
  });
});

describe('one mailbox under several addresses', () => {
  const opened = async (addresses: readonly string[]) => {
    const answers = await Promise.all(addresses.map((address) => register(fixture, address)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
    return answers.filter((answer) => answer.body.request_id !== undefined).length;
  };

  test('has six messages in any hour, whatever tag follows its name', async () => {
    const tagged = (host: string) => Array.from({ length: 22 }, (_, i) => `ada+${i}@${host}`);
    expect(await opened(tagged('mailbox.example'))).toBe(6);
    expect(await opened(['ada@mailbox.example', 'ADA+x@mailbox.example'])).toBe(0);
    expect(await opened(['bob@mailbox.example', 'ada@other.example', 'a.da@mailbox.example'])).toBe(
      3,
    );
    fixture.access.clock.advance(HOUR_MS);
    expect(await opened(tagged('mailbox.example'))).toBe(6);
  });

  test('nor where its dots are, at hosts that ignore them', async () => {
    const spellings = ['grace.hopper', 'g.race.hopper', 'gracehopper', 'gr.ac.eh.op.per+news'];
    const all = spellings.flatMap((name) => [`${name}@gmail.com`, `${name}@googlemail.com`]);
    expect(await opened(all)).toBe(6);
    expect(await opened(['gracehoppe.r@gmail.com'])).toBe(0);
    expect(await opened(['grace@gmail.com'])).toBe(1);
  });

  test('nor by tags after a hyphen or names of subdomains, at hosts that have them', async () => {
    const tags = Array.from({ length: 40 }, (_, i) => `grace-${i}@yahoo.com`);
    expect(await opened(tags)).toBe(6);
    const names = Array.from({ length: 40 }, (_, i) => `x${i}@grace.fastmail.com`);
    expect(await opened(names)).toBe(6);
  });

  test('a domain whose addresses may all be one mailbox has thirty messages in any hour', async () => {
    const all = Array.from({ length: 40 }, (_, i) => `x${i}@s${i % 3}.catch-all.example`);
    expect(await opened(all)).toBe(30);
    expect(await opened(['ada@catch-all.example'])).toBe(0);
    fixture.access.clock.advance(HOUR_MS);
    expect(await opened(['ada@catch-all.example'])).toBe(1);
  });

  test('the owner of an account there still gets a link, and the response and codes do not tell', async () => {
    const [owner, other] = ['owner@full.example', 'other@full.example'];
    const { access } = fixture;
    await access.accounts.create({ email: owner, plan: 'free' });
    await opened(Array.from({ length: 30 }, (_, i) => `x${i}@full.example`));
    await access.mails.settled();
    const queuedBefore = access.queued.length;
    const answers = [await register(fixture, other), await register(fixture, owner)];
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    await eventually(() => access.queued.length === queuedBefore + 1);
    const mail = await mailOf(fixture, access.queued.at(-1) ?? '');
    expect(mail.to).toBe(owner);
    for (const email of [owner, other]) {
      const answer = await verify(fixture, { email, code: mail.code });
      expect(answer.body.error.code).toBe('invalid_or_expired');
    }
    const page = await request(fixture.app).get(new URL(mail.linkUrl).pathname);
    expect(page.status).toBe(200);
  });

  test('a registration that could not be opened does not count for its domain', async () => {
    const { redis, secrets } = fixture.access;
    const address = 'ada@failing.example';
    await redis.set(mailboxKey(secrets.digest('mailbox', address)), 'no set');
    expect((await register(fixture, address)).status).toBe(500);
    const domain = domainKey(secrets.digest('mailbox', 'failing.example'));
    expect(await redis.zcard(domain)).toBe(0);
  });

  test('has an account for each of its addresses', async () => {
    for (const email of ['lin+a@mailbox.example', 'lin+b@mailbox.example']) {
      const answer = await verify(fixture, proofIn(await open(fixture, email)));
      expect([answer.status, answer.body.email]).toEqual([200, email]);
    }
  });
});

test('an IPv6 /48 has sixty registrations in any hour, whatever its /64', async () => {
  const from = (i: number) => register(fixture, newAddress(), `2001:db8:f:${i.toString(16)}::1`);
  const answers = await Promise.all(Array.from({ length: 61 }, (_, i) => from(i)));
  expect(answers.filter((answer) => answer.status === 202)).toHaveLength(60);
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1);
  expect((await register(fixture, newAddress(), '2001:db8:e:1::1')).status).toBe(202);
  // Rejected ones do not count for their /64.
  const again = () => register(fixture, newAddress(), '2001:db8:f:ffff::1');
  fixture.access.clock.advance(HOUR_MS / 2);
  for (let i = 0; i < 21; i++) expect((await again()).status).toBe(429);
  fixture.access.clock.advance(HOUR_MS / 2);
  expect((await again()).status).toBe(202);
});

test('an IPv4 address has twenty, also mapped into IPv6 and with a port', async () => {
  const forms = ['192.0.2.77', '::ffff:192.0.2.77', '::ffff:c000:024d', '192.0.2.77:4711'];
  for (let i = 0; i < 20; i++) {
    expect((await register(fixture, newAddress(), forms[i % forms.length])).status).toBe(202);
  }
  for (const form of forms) {
    expect((await register(fixture, newAddress(), form)).status).toBe(429);
  }
});

test('plain HTTP is rejected behind a proxy, before anything is counted', async () => {
  const other = await openFixture({ environment: { REQUIRE_HTTPS: 'true' } });
  const answer = await register(other, newAddress());
  expect([answer.status, answer.body.error.code]).toEqual([403, 'https_required']);
  expect(await other.access.redis.keys('{r:*')).toEqual([]);
  expect(await other.access.redis.keys('network:*')).toEqual([]);
});

test('503 while Redis is out of reach', async () => {
  const other = await openFixture();
  await other.close();
  for (const answer of [
    await register(other, newAddress()),
    await verify(other, { email: newAddress(), code: '123456' }),
    await request(other.app).get(`${BASE}/auth/status`).query({
      request_id: '00000000-0000-4000-8000-000000000000',
    }),
  ]) {
    expect([answer.status, answer.body.error.code]).toEqual([503, 'unavailable']);
    expect(answer.headers['retry-after']).toBe('30');
  }
});
