import { afterAll, expect, test } from '@jest/globals';
import { digestOf, generateApiKey } from '@vcds/credentials';
import { createTestRedisCluster } from '@vcds/test-kit';
import { Cluster } from 'ioredis';
import { rebuild } from '../../src/store/rebuild.ts';
import { openAccess } from '../access.ts';

const cluster = await createTestRedisCluster({ replicas: 0 });
const access = await openAccess({ redisUrl: cluster.url });
afterAll(() => cluster.drop());

test('accounts and keys work the same on a Redis Cluster, lost and rebuilt', async () => {
  expect(access.redis).toBeInstanceOf(Cluster);
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
      expect(await access.guard.check(digestOf(apiKey))).toMatchObject(expected);
    }
    expect(await access.guard.check(digestOf(generateApiKey()))).toEqual({ rejected: 'unknown' });
  };
  await expectIntact();
  for (const node of (access.redis as Cluster).nodes('master')) await node.flushall();
  await expectIntact();
  expect(await rebuild(access.redis, access.history, access.clock)).toEqual({
    accounts: 20,
    keys: 20,
  });
  await expectIntact();
}, 60_000);
