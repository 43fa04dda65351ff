import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { digestOf, generateApiKey } from '@vcds/credentials';
import { createTestRedisServer, type TestRedisServer } from '@vcds/test-kit';
import { openDatabase } from '../../src/store/database.ts';
import { createHistory } from '../../src/store/history.ts';
import { createKeyChecker, type KeyChecker } from '../../src/store/key-check.ts';
import { type Access, openAccess } from '../access.ts';

let server: TestRedisServer;
let access: Access;
let checker: KeyChecker;
beforeAll(async () => {
  server = await createTestRedisServer();
  access = await openAccess({ redisUrl: server.url });
  checker = createKeyChecker(access);
});
afterAll(async () => {
  await access.close();
  await server.drop();
});

test('while Redis is down keys are checked in the journal, with the same result', async () => {
  const accountId = await access.accounts.create({ plan: 'growth' });
  const issue = (options = {}) =>
    access.accounts.issueKey({ accountId, origin: 'operator' as const, ...options });
  const live = await issue();
  const narrowed = await issue({ scopes: ['news'], expiresInSeconds: 3_600 });
  const revoked = await issue();
  await access.accounts.revokeKey(revoked.keyId);
  const expired = await issue({ expiresInSeconds: 1 });
  access.clock.advance(1_000);
  const keys = [live, narrowed, revoked, expired].map(({ apiKey }) => apiKey);
  const checkAll = () =>
    Promise.all([...keys, generateApiKey()].map((key) => checker.check(digestOf(key))));
  const before = await checkAll();
  expect(before).toMatchObject([
    { principal: { accountId, keyId: live.keyId, plan: 'growth', scopes: null } },
    { principal: { keyId: narrowed.keyId, scopes: new Set(['news']) } },
    { rejected: 'revoked' },
    { rejected: 'expired' },
    { rejected: 'unknown' },
  ]);
  await server.kill();
  access.guard.invalidate();
  expect(await checkAll()).toEqual(before);
  // In the journal, though not yet in Redis: it takes effect at once.
  await expect(access.accounts.revokeKey(live.keyId)).rejects.toThrow();
  expect(await checker.check(digestOf(live.apiKey))).toEqual({ rejected: 'revoked' });
});

test('without the journal too, no key is valid', async () => {
  const unreachable = openDatabase('postgresql://user@127.0.0.1:1/nothing');
  const broken = createKeyChecker({ ...access, history: createHistory(unreachable) });
  await expect(broken.check(digestOf(generateApiKey()))).rejects.toMatchObject({
    code: 'unavailable',
  });
  await unreachable.$disconnect();
});
