// Tests docs/spec/registration.md 3.3, 3.5, 3.6, 3.7.
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHttpServer } from '@vcds/service-kit';
import { atLength } from '@vcds/test-kit';
import { Person } from '../pages/person.ts';
import {
  BASE,
  keysOf,
  newAddress,
  newClient,
  open,
  openFixture,
  proofIn,
  status,
  verify,
  wrong,
} from './fixture.ts';

const DAY_MS = 86_400_000;
/** Requests at the same time. */
const AT_ONCE = atLength(80, 1_000);
const fixture = await openFixture();

describe('many at once', () => {
  let server: Server;
  beforeAll(async () => {
    // The server of the service, which keeps idle connections for longer than node's own does.
    server = createHttpServer(fixture.app).listen({ port: 0, host: '127.0.0.1', backlog: 2_048 });
    await once(server, 'listening');
  });
  afterAll(() => void server.close());

  const post = async (body: object) => {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}${BASE}/auth/verify`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as { attempts_left?: number } };
  };

  test('many wrong codes: exactly five are evaluated', async () => {
    const { registrationId, code } = await open(fixture);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) =>
        post({ request_id: registrationId, code: wrong(code, i + 1) }),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect(count(401)).toBe(4);
    expect(count(429)).toBe(AT_ONCE - 4);
    const lefts = answers
      .filter((answer) => answer.status === 401)
      .map((a) => a.body.attempts_left);
    expect(lefts.sort()).toEqual([1, 2, 3, 4]);
    const [key = ''] = await fixture.access.redis.keys(`*registration:${registrationId}`);
    expect(await fixture.access.redis.hget(key, 'attempts')).toBe('5');
    const right = await verify(fixture, { request_id: registrationId, code });
    expect(right.body.error.code).toBe('too_many_attempts');
  });

  test('many right codes: exactly one key', async () => {
    const { registrationId, code, to } = await open(fixture);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => post({ request_id: registrationId, code })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 410)).toHaveLength(AT_ONCE - 1);
    expect(await keysOf(fixture, { email: to })).toHaveLength(1);
  });

  test('registrations of a new address verified together share one account', async () => {
    const email = newAddress();
    const opened = [await open(fixture, email), await open(fixture, email)];
    const answers = await Promise.all(
      opened.map(({ registrationId, code }) =>
        verify(fixture, { request_id: registrationId, code }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect(await keysOf(fixture, { email })).toHaveLength(2);
  });
});

describe('twenty wrong codes a day for an address', () => {
  test('then codes are not compared any more, and the link still works', async () => {
    const email = newAddress();
    const { clock } = fixture.access;
    const startedAtMs = clock.wallMs();
    for (let round = 0; round < 4; round++) {
      const { registrationId, code } = await open(fixture, email);
      for (let i = 1; i <= 5; i++) {
        await verify(fixture, { request_id: registrationId, code: wrong(code, i) });
      }
      clock.advance(30 * 60_000);
    }
    const last = await open(fixture, email);
    const rejected = await verify(fixture, proofIn(last));
    expect([rejected.status, rejected.body.error.code]).toEqual([429, 'too_many_requests']);
    const waited = (clock.wallMs() - startedAtMs) / 1000;
    expect(rejected.headers['retry-after']).toBe(String(86_400 - waited));
    expect(await status(fixture, last.registrationId)).toBe('pending');
    const { pathname } = new URL(last.linkUrl);
    const person = new Person(fixture.app);
    expect((await person.post(pathname)).status).toBe(200);
    expect(await status(fixture, last.registrationId)).toBe('link_used');
    clock.advance(DAY_MS);
    const next = await open(fixture, email);
    const answer = await verify(fixture, proofIn(next));
    expect(answer.status).toBe(200);
  });
});

describe('twenty wrong codes an hour from a network', () => {
  const endRegistrations = async (clients: readonly string[]) => {
    const ended: string[] = [];
    for (const client of clients) {
      const { registrationId, code } = await open(fixture);
      for (let i = 1; i <= 5; i++) {
        const answer = await verify(
          fixture,
          { request_id: registrationId, code: wrong(code, i) },
          client,
        );
        if (answer.body.error.code === 'too_many_requests') break;
      }
      if ((await status(fixture, registrationId)) === 'expired') ended.push(registrationId);
    }
    return ended.length;
  };

  test('one network ends four registrations, and then counts against none', async () => {
    const client = newClient();
    expect(await endRegistrations(Array(10).fill(client))).toBe(4);
    const { registrationId, code, linkUrl } = await open(fixture);
    const guess = { request_id: registrationId, code: wrong(code) };
    const rejected = await verify(fixture, guess, client);
    expect([rejected.status, rejected.body.error.code]).toEqual([429, 'too_many_requests']);
    expect(rejected.headers['retry-after']).toBe('3600');
    // A correct code is not compared either: it may be one of many guesses.
    expect((await verify(fixture, { ...guess, code }, client)).status).toBe(429);
    const next = await verify(fixture, guess);
    expect([next.status, next.body.error.attempts_left ?? next.body.attempts_left]).toEqual([
      401, 4,
    ]);
    const { pathname } = new URL(linkUrl);
    const person = new Person(fixture.app, client);
    expect((await person.post(pathname)).status).toBe(200);
    fixture.access.clock.advance(3_600_000);
    const later = await open(fixture);
    const right = proofIn(later);
    expect((await verify(fixture, right, client)).status).toBe(200);
  });

  test('an IPv6 /64 is one network, and a /48 ends twelve registrations whatever its /64', async () => {
    const inOne = Array.from({ length: 6 }, (_, i) => `2001:db8:a:1::${i + 1}`);
    expect(await endRegistrations(inOne)).toBe(4);
    const inSite = Array.from({ length: 20 }, (_, i) => `2001:db8:b:${i + 1}::1`);
    expect(await endRegistrations(inSite)).toBe(12);
  });

  test('what is not compared counts for nothing: right, used, dead, expired, unknown', async () => {
    const client = newClient();
    for (let i = 0; i < 7; i++) {
      const { registrationId, code } = await open(fixture);
      const body = { request_id: registrationId, code };
      expect((await verify(fixture, body, client)).status).toBe(200);
      for (let j = 0; j < 3; j++) {
        expect((await verify(fixture, body, client)).body.error.code).toBe('invalid_or_expired');
      }
    }
    const dead = await open(fixture);
    const guess = { request_id: dead.registrationId, code: wrong(dead.code) };
    for (let i = 0; i < 5; i++) await verify(fixture, guess);
    for (let i = 0; i < 21; i++) {
      expect((await verify(fixture, guess, client)).body.error.code).toBe('too_many_attempts');
    }
    const fresh = await open(fixture);
    const last = { request_id: fresh.registrationId, code: wrong(fresh.code) };
    expect((await verify(fixture, last, client)).status).toBe(401);
  });
});
