import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHttpServer } from '@vcds/service-kit';
import { Person } from '../account-area/person.ts';
import {
  BASE,
  type Fixture,
  keysOf,
  newAddress,
  open,
  openFixture,
  status,
  verify,
  wrong,
} from './fixture.ts';

const DAY_MS = 86_400_000;
let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

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

  test('1,000 wrong codes: exactly five are evaluated', async () => {
    const { registrationId, code } = await open(fixture);
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, (_, i) =>
        post({ request_id: registrationId, code: wrong(code, i + 1) }),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect(count(401)).toBe(4);
    expect(count(429)).toBe(996);
    const lefts = answers
      .filter((answer) => answer.status === 401)
      .map((a) => a.body.attempts_left);
    expect(lefts.sort()).toEqual([1, 2, 3, 4]);
    const [key = ''] = await fixture.access.redis.keys(`*registration:${registrationId}`);
    expect(await fixture.access.redis.hget(key, 'attempts')).toBe('5');
    const right = await verify(fixture, { request_id: registrationId, code });
    expect(right.body.error.code).toBe('too_many_attempts');
  }, 60_000);

  test('1,000 right codes: exactly one key', async () => {
    const { registrationId, code, to } = await open(fixture);
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => post({ request_id: registrationId, code })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 410)).toHaveLength(999);
    expect(await keysOf(fixture, { email: to })).toHaveLength(1);
  }, 60_000);

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
  test('then codes are not looked at any more, and the link still works', async () => {
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
    const refused = await verify(fixture, { request_id: last.registrationId, code: last.code });
    expect([refused.status, refused.body.error.code]).toEqual([429, 'too_many_requests']);
    const waited = (clock.wallMs() - startedAtMs) / 1000;
    expect(refused.headers['retry-after']).toBe(String(86_400 - waited));
    expect(await status(fixture, last.registrationId)).toBe('pending');
    const { pathname } = new URL(last.linkUrl);
    const person = new Person(fixture.app);
    await person.get(pathname);
    expect((await person.post(pathname)).status).toBe(200);
    expect(await status(fixture, last.registrationId)).toBe('link_used');
    clock.advance(DAY_MS);
    const next = await open(fixture, email);
    const answer = await verify(fixture, { request_id: next.registrationId, code: next.code });
    expect(answer.status).toBe(200);
  });
});
