// Tests docs/spec/legacy-tokens.md 15.2, 15.6, 15.8.
import { createHook } from 'node:async_hooks';
import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@vcds/service-kit';
import { rotationPairs } from '@vcds/test-kit';
import { beginPasswordAttempt, PASSWORD_LIMITS } from '../../src/legacy/attempt-limits.ts';
import { createPasswordCheck, hashPassword } from '../../src/legacy/password.ts';
import { createRegistrationSecrets } from '../../src/registration/secrets.ts';
import { CHEAP_SCRYPT } from '../access.ts';
import { newClient, openFixture } from '../registration/fixture.ts';
import { basic, exchange, newUser, PASSWORD } from './legacy.ts';

const fixture = await openFixture();

const { perNetwork, perSite, perUserName } = PASSWORD_LIMITS;

async function statuses(calls: readonly PromiseLike<{ status: number }>[]) {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(calls)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('guessing passwords', () => {
  test('200 wrong ones at once from a network: exactly 20 are compared', async () => {
    const { userName } = await newUser(fixture.access);
    const client = newClient();
    const calls = Array.from({ length: 200 }, (_, i) =>
      exchange(fixture, basic(userName, `wrong ${i}`), client),
    );
    expect(await statuses(calls)).toEqual({ 401: perNetwork.max, 429: 200 - perNetwork.max });
  });

  test('above the limit also the correct one is rejected, with Retry-After; another network is not', async () => {
    const { userName } = await newUser(fixture.access);
    const client = newClient();
    for (let i = 0; i < perNetwork.max; i++) {
      await exchange(fixture, basic(`unknown${i}`, 'wrong'), client);
      fixture.access.clock.advance(1_000);
    }
    const rejected = await exchange(fixture, basic(userName, PASSWORD), client);
    expect([rejected.status, rejected.body.error.code]).toEqual([429, 'too_many_requests']);
    const wait = Number(rejected.headers['retry-after']);
    expect(wait).toBe(3_600 - perNetwork.max);
    expect((await exchange(fixture, basic(userName, PASSWORD))).status).toBe(200);
    fixture.access.clock.advance(wait * 1_000);
    expect((await exchange(fixture, basic(userName, PASSWORD), client)).status).toBe(200);
  });

  test('from many networks at once: no more than 50 for a user name, known or not', async () => {
    const { userName } = await newUser(fixture.access);
    for (const name of [userName, 'unknown@example.com']) {
      const calls = Array.from({ length: 70 }, (_, i) =>
        exchange(fixture, basic(i % 2 === 0 ? name : name.toUpperCase(), `wrong ${i}`)),
      );
      expect(await statuses(calls)).toEqual({ 401: perUserName.max, 429: 70 - perUserName.max });
    }
  });

  test('a network that logged in within 30 days is exempt from the lock of its user name', async () => {
    const { userName } = await newUser(fixture.access);
    const { clock } = fixture.access;
    const [home, other, ...networks] = Array.from({ length: 7 }, () => newClient());
    const lockOut = async () => {
      for (let i = 0; i < perUserName.max; i++) {
        await exchange(fixture, basic(userName, `wrong ${i}`), networks[i % networks.length]);
      }
    };
    const statusFrom = async (client: string | undefined, password = PASSWORD) =>
      (await exchange(fixture, basic(userName, password), client)).status;
    expect(await statusFrom(home)).toBe(200);
    await lockOut();
    expect([await statusFrom(other), await statusFrom(home)]).toEqual([429, 200]);
    // It may guess no more than any network.
    for (let i = 0; i < perNetwork.max; i++) expect(await statusFrom(home, 'wrong')).toBe(401);
    expect(await statusFrom(home)).toBe(429);
    clock.advance(30 * 86_400_000);
    await lockOut();
    expect(await statusFrom(home)).toBe(429);
  });

  test('at most the latest ten networks of a user name are exempt', async () => {
    const { userName } = await newUser(fixture.access);
    const clients = Array.from({ length: 11 }, () => newClient());
    for (const client of clients) {
      await exchange(fixture, basic(userName, PASSWORD), client);
      fixture.access.clock.advance(1_000);
    }
    for (let i = 0; i < perUserName.max; i++) await exchange(fixture, basic(userName, 'wrong'));
    const [first, ...rest] = clients;
    expect((await exchange(fixture, basic(userName, PASSWORD), first)).status).toBe(429);
    for (const client of rest) {
      expect((await exchange(fixture, basic(userName, PASSWORD), client)).status).toBe(200);
    }
  });

  test('a /48 has sixty wrong ones, whatever its /64', async () => {
    const calls = Array.from({ length: 70 }, (_, i) =>
      exchange(fixture, basic(`unknown${i}`, 'wrong'), `2001:db8:c:${i + 1}::1`),
    );
    expect(await statuses(calls)).toEqual({ 401: perSite.max, 429: 70 - perSite.max });
  });

  test('correct passwords and keys are not counted', async () => {
    const { userName, accountId } = await newUser(fixture.access);
    const { apiKey } = await fixture.access.accounts.issueKey({ accountId, origin: 'operator' });
    const client = newClient();
    for (let i = 0; i < perNetwork.max + 5; i++) {
      expect((await exchange(fixture, basic(userName, PASSWORD), client)).status).toBe(200);
      expect((await exchange(fixture, basic(apiKey), client)).status).toBe(200);
    }
  });

  test('running comparisons reserve attempts for seconds, not for an hour', async () => {
    const network = newClient();
    const begin = () => beginPasswordAttempt(fixture.access, 'ada', network);
    const waitSeconds = async () => {
      const error = await begin().catch((error: unknown) => error);
      return error instanceof ApiError ? error.details.retryAfterSeconds : undefined;
    };
    const pending = await Promise.all(Array.from({ length: perNetwork.max }, begin));
    expect(await waitSeconds()).toBe(5);
    await pending[0]?.takeBack();
    const last = await begin();
    for (const attempt of [...pending.slice(1), last]) await attempt.keep();
    expect(await waitSeconds()).toBe(3_600);
    await last.takeBack();
    expect(await waitSeconds()).toBe(3_600);
  });

  test.each(rotationPairs())('%s: a network that %s stored is exempt for %s', async (_, a, b) => {
    const { redis, clock } = fixture.access;
    const own = newClient();
    const beginWith = (list: string, client: string) =>
      beginPasswordAttempt(
        { redis, clock, secrets: createRegistrationSecrets(list) },
        `hopper ${own}`,
        client,
      );
    await (await beginWith(a, own)).succeed();
    const { max } = PASSWORD_LIMITS.perUserName;
    await Promise.all(Array.from({ length: max }, () => beginWith(b, newClient())));
    await expect(beginWith(b, newClient())).rejects.toThrow('Too many wrong passwords');
    await expect(beginWith(b, own)).resolves.toBeDefined();
  });

  test('a password whose process crashed counts as wrong', async () => {
    const network = newClient();
    const begin = () => beginPasswordAttempt(fixture.access, 'grace', network);
    for (let i = 0; i < perNetwork.max; i++) await begin();
    fixture.access.clock.advance(30_001);
    await expect(begin()).rejects.toMatchObject({
      details: { retryAfterSeconds: 3_600 - 30.001 },
    });
  });

  test('an attempt without PostgreSQL is not counted', async () => {
    const { userName } = await newUser(fixture.access);
    const { owner } = fixture.access;
    const client = newClient();
    await owner.query('ALTER TABLE access.login RENAME TO away');
    try {
      const calls = Array.from({ length: perNetwork.max }, () =>
        exchange(fixture, basic(userName, PASSWORD), client),
      );
      expect(await statuses(calls)).toEqual({ 503: perNetwork.max });
    } finally {
      await owner.query('ALTER TABLE access.away RENAME TO login');
    }
    expect((await exchange(fixture, basic(userName, PASSWORD), client)).status).toBe(200);
  });

  test('Redis holds neither user names nor networks', async () => {
    const client = newClient();
    await exchange(fixture, basic('somebody@example.com', 'wrong'), client);
    const { userName } = await newUser(fixture.access);
    await exchange(fixture, basic(userName, PASSWORD), client);
    const { redis } = fixture.access;
    const names = (await redis.keys('*:*')).join('\n');
    expect(names).toMatch(/^user-name:[0-9a-f]{64}:passwords$/m);
    const [known = ''] = await redis.keys('user-name:*:networks');
    expect((await redis.zrange(known, '0', '-1')).join()).toMatch(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/);
    expect(names).not.toContain('somebody');
    expect(names).not.toContain(client);
  });
});

describe('a password', () => {
  test('is stored as scrypt with its parameters and its own salt', async () => {
    const [one, two] = [await hashPassword(PASSWORD), await hashPassword(PASSWORD)];
    for (const hash of [one, two]) {
      expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    }
    expect(one).not.toBe(two);
    const matches = createPasswordCheck();
    expect(await matches(PASSWORD, one)).toBe(true);
    expect(await matches(`${PASSWORD} `, one)).toBe(false);
  });

  test('is compared with the parameters of its hash', async () => {
    // RFC 7914 §12: scrypt of "pleaseletmein", N = 16384, r = 8, p = 1; its first 32 bytes.
    const hash = Buffer.from(
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2',
      'hex',
    );
    const [salt, text] = [Buffer.from('SodiumChloride'), hash].map((bytes) =>
      bytes.toString('base64').replace(/=+$/, ''),
    );
    const matches = createPasswordCheck();
    expect(await matches('pleaseletmein', `$scrypt$ln=14,r=8,p=1$${salt}$${text}`)).toBe(true);
    const cheap = (await hashPassword(PASSWORD)).replace('ln=15', 'ln=14');
    expect(await matches(PASSWORD, cheap)).toBe(false);
    await expect(matches(PASSWORD, '$2b$10$abc')).rejects.toThrow('malformed');
  });

  test('without a hash is never correct, and takes the same work', async () => {
    const matches = createPasswordCheck();
    const hash = await hashPassword(PASSWORD);
    await matches('warm', undefined);
    let hashes = 0;
    const counter = createHook({
      init: (_id, type) => {
        if (type === 'SCRYPTREQUEST') hashes += 1;
      },
    }).enable();
    for (const kept of [hash, undefined]) {
      hashes = 0;
      expect(await matches('wrong', kept)).toBe(false);
      expect(hashes).toBe(1);
    }
    counter.disable();
  });

  test('a hundred may wait; the next is rejected, and the waiting ones get a result', async () => {
    const matches = createPasswordCheck();
    const hash = await hashPassword(PASSWORD, CHEAP_SCRYPT);
    const calls = Array.from({ length: 103 }, () => matches('wrong', hash));
    const results = await Promise.allSettled(calls);
    const rejected = results.filter(({ status }) => status === 'rejected');
    expect(rejected).toHaveLength(1);
    expect(rejected[0]).toMatchObject({ reason: { code: 'unavailable' } });
    expect(results.filter((each) => each.status === 'fulfilled' && !each.value)).toHaveLength(102);
    expect(await matches(PASSWORD, hash)).toBe(true);
  });
});
