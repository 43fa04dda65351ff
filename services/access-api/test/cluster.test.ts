import { afterAll, expect, test } from '@jest/globals';
import { digestOf, generateApiKey } from '@vcds/credentials';
import { emptyRedis, primariesOf } from '@vcds/service-kit';
import { createTestRedisCluster } from '@vcds/test-kit';
import { Cluster } from 'ioredis';
import { rebuild } from '../src/accounts/reconcile.ts';
import { createUnsentMails } from '../src/registration/mail-source.ts';
import { Person } from './pages/person.ts';
import { viewOf } from './pages/view.ts';
import { newAddress, open, openFixture, status, verify, wrong } from './registration/fixture.ts';

const cluster = await createTestRedisCluster({ replicas: 0 });
const fixture = await openFixture({ redisUrl: cluster.url });
afterAll(() => cluster.drop());

test('registration goes the same ways on a Redis Cluster', async () => {
  expect(fixture.access.redis).toBeInstanceOf(Cluster);
  const opened = await Promise.all(Array.from({ length: 12 }, () => open(fixture)));
  for (const [i, mail] of opened.entries()) {
    const { registrationId, code, linkUrl, to } = mail;
    const first = await verify(fixture, { email: to, code: wrong(code) });
    expect([first.status, first.body.attempts_left]).toEqual([401, 4]);
    if (i % 2 === 0) {
      expect((await verify(fixture, { request_id: registrationId, code })).status).toBe(200);
    } else {
      const person = new Person(fixture.app);
      const { pathname } = new URL(linkUrl);
      expect((await person.post(pathname)).status).toBe(200);
      expect(viewOf(await person.get('/account')).text).toContain(to);
    }
    expect(await status(fixture, registrationId)).toBe(i % 2 === 0 ? 'completed' : 'link_used');
  }
  const unsent = [await open(fixture), await open(fixture), await open(fixture)];
  const { redis, clock } = fixture.access;
  clock.advance(60_000);
  const due = await createUnsentMails(redis, clock).due();
  expect(due.sort()).toEqual(unsent.map(({ registrationId }) => registrationId).sort());
});

test('three registrations an hour are three on a Redis Cluster too', async () => {
  const email = newAddress();
  for (let i = 0; i < 3; i++) await open(fixture, email);
  await expect(open(fixture, email)).rejects.toThrow('There is no mail');
});

test('accounts and keys work the same on a Redis Cluster, lost and rebuilt', async () => {
  const { access } = fixture;
  const issued = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const accountId = await access.accounts.create({ plan: 'starter' });
      return access.accounts.issueKey({ accountId, origin: 'operator' });
    }),
  );
  const [first] = issued;
  if (first === undefined) throw new Error('no key was issued');
  await access.accounts.revokeKey(first.keyId);
  const expectIntact = async (): Promise<void> => {
    for (const { apiKey, accountId, keyId } of issued) {
      const expected =
        keyId === first.keyId ? { rejected: 'revoked' } : { principal: { accountId, keyId } };
      expect(await access.checkKey(digestOf(apiKey))).toMatchObject(expected);
    }
    expect(await access.checkKey(digestOf(generateApiKey()))).toEqual({ rejected: 'unknown' });
  };
  await expectIntact();
  await emptyRedis(access.redis);
  expect(await Promise.all(primariesOf(access.redis).map((node) => node.dbsize()))).toEqual([
    0, 0, 0,
  ]);
  await expectIntact();
  expect(await rebuild(access.redis, access)).toEqual({
    accounts: await access.database.account.count(),
    keys: await access.database.apiKey.count(),
  });
  await expectIntact();
});
