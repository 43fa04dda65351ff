// Tests docs/spec/authentication.md 2.4, 2.6.
// Tests docs/spec/operations.md 16.2.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  accountKeys,
  bucketOfAccount,
  digestOf,
  generateApiKey,
  ownerKey,
  positionKey,
} from '@vcds/credentials';
import { createLogger, redisReady } from '@vcds/service-kit';
import { createTestRedisServer } from '@vcds/test-kit';
import type { IssuedKey } from '../../src/accounts/key.ts';
import { rebuild, reconcileBucket } from '../../src/accounts/reconcile.ts';
import { watchRedis } from '../../src/accounts/redis-guard.ts';
import { openStores } from '../../src/accounts/stores.ts';
import { narrowKey } from '../../src/keys/account-keys.ts';
import { createKeyChecker } from '../../src/keys/check-key.ts';
import { type Access, openAccess } from '../access.ts';
import { redisContents } from '../redis-contents.ts';
import { BUSY_BUCKET, crowd } from './crowded-bucket.ts';

let access: Access;
beforeEach(async () => {
  access = await openAccess();
});
afterEach(() => access.close());

const silent = createLogger({ service: 't', level: 'silent' });

/**
 * A live key, a revoked one and one of the account page, narrowed, all of an account; and one of
 * another account on another plan.
 */
async function populate() {
  const accountId = await access.accounts.create({ plan: 'growth' });
  const live = await access.accounts.issueKey({ accountId, origin: 'operator' });
  await access.accounts.limitKey(live.keyId, 500);
  const revoked = await access.accounts.issueKey({ accountId, origin: 'operator' });
  await access.accounts.revokeKey(revoked.keyId);
  const narrow = await narrowKeyOf(accountId);
  const otherId = await access.accounts.create({ plan: 'scale' });
  const other = await access.accounts.issueKey({ accountId: otherId, origin: 'operator' });
  const expectIntact = async (guard = access.guard): Promise<void> => {
    const checkKey = createKeyChecker({ ...access, guard });
    const check = (key: typeof live) => checkKey(digestOf(key.apiKey));
    expect(await check(live)).toMatchObject({
      principal: { accountId, plan: 'growth', creditLimit: 500 },
    });
    expect(await check(revoked)).toEqual({ rejected: 'revoked' });
    const scopes = new Set(['news', 'rounds']);
    expect(await check(narrow)).toMatchObject({ principal: { accountId, scopes } });
    expect(await check(other)).toMatchObject({ principal: { plan: 'scale' } });
    expect(await checkKey(digestOf(generateApiKey()))).toEqual({ rejected: 'unknown' });
  };
  await expectIntact();
  return { accountId, live, narrow, revoked, expectIntact };
}

async function narrowKeyOf(accountId: string): Promise<IssuedKey> {
  const creation = await access.accountKeys.create({ accountId });
  if (creation.status !== 'created') throw new Error(creation.status);
  const { key } = creation;
  await access.accountKeys.narrow(accountId, key.keyId, new Set(['rounds', 'news']));
  return key;
}

/** All of Redis that the journal can rebuild, comparable. */
const contents = () => redisContents(access.redis, '{m:*');

describe('Redis is brought up to the journal', () => {
  test('when it was wiped under a running service: nothing is denied, nothing comes back', async () => {
    const { expectIntact } = await populate();
    const before = await contents();
    await access.redis.flushdb();
    // The first time from the journal; each check then restores what it needs.
    await expectIntact();
    await expectIntact();
    expect(await contents()).toEqual(before);
    expect(access.log()).toContain('reconciled a bucket of Redis with the journal');
  });

  test('when it was wiped before the service starts', async () => {
    const { expectIntact } = await populate();
    await access.redis.flushdb();
    const guard = access.newGuard();
    expect(guard.isConsistent).toBe(false);
    expect(await guard.audit()).toMatchObject({ accounts: 2, keys: 4 });
    expect(guard.isConsistent).toBe(true);
    await expectIntact(guard);
    expect(await guard.audit()).toEqual({ bucketsBehind: 0, accounts: 0, keys: 0 });
  });

  test('in one pass, however many accounts of a bucket changed, with their keys, in whatever order', async () => {
    const all = await crowd(access);
    await access.redis.flushdb();
    const { history, mirror } = access;
    const to = ((await history.positions())[BUSY_BUCKET] ?? 0) - 5;
    await reconcileBucket(access, { bucket: BUSY_BUCKET, from: 0, to });
    // No further than where it was asked to go, though later changes were found on the way.
    expect((await mirror.positions())[BUSY_BUCKET]).toBe(to);
    await access.newGuard().audit();
    expect(await mirror.positions()).toEqual(await history.positions());
    const audited = await contents();
    expect(await rebuild(access.redis, access)).toEqual(all);
    expect(await contents()).toEqual(audited);
  });

  test('when it lost its last changes: a revocation is not among the losses', async () => {
    const { accountId, live } = await populate();
    const { account, keys, revoked } = accountKeys(accountId);
    const names = [account, keys, revoked, positionKey(bucketOfAccount(accountId))];
    const saved = await Promise.all(names.map((name) => access.redis.dumpBuffer(name)));
    await access.accounts.revokeKey(live.keyId);
    expect(await access.checkKey(digestOf(live.apiKey))).toEqual({ rejected: 'revoked' });
    for (const [i, name] of names.entries()) {
      await access.redis.restore(name, 0, saved[i] ?? '', 'REPLACE');
    }
    expect(await access.checkKey(digestOf(live.apiKey))).toEqual({ rejected: 'revoked' });
    expect(await access.redis.sismember(revoked, live.keyId)).toBe(1);
  });

  test('when a writer died between journal and Redis', async () => {
    const { accountId, live } = await populate();
    const { apiKey } = await access.dying.issueKey({ accountId, origin: 'operator' });
    await access.dying.revokeKey(live.keyId);
    await access.guard.audit();
    expect(await access.checkKey(digestOf(apiKey))).toHaveProperty('principal');
    expect(await access.checkKey(digestOf(live.apiKey))).toEqual({ rejected: 'revoked' });
  });

  test('when a narrowing died on the way: by its repetition, which changes nothing more', async () => {
    const { accountId, narrow } = await populate();
    const { keyId } = narrow;
    const left = new Set(['news'] as const);
    await access.journal.commit(accountId, (change) => narrowKey(change, keyId, left));
    const scopes = async () => {
      const check = await access.checkKey(digestOf(narrow.apiKey));
      return 'principal' in check && check.principal.scopes;
    };
    expect(await scopes()).toEqual(new Set(['news', 'rounds']));
    expect(await access.accountKeys.narrow(accountId, keyId, left)).toBe('unchanged');
    expect(await scopes()).toEqual(new Set(['news']));
  });

  test('by the next writer of the bucket, which finds the gap', async () => {
    const { accountId, live } = await populate();
    await access.dying.revokeKey(live.keyId);
    await access.accounts.setPlan(accountId, 'free');
    const bucket = bucketOfAccount(accountId);
    expect((await access.mirror.positions())[bucket]).toBe(
      (await access.history.positions())[bucket],
    );
    expect(await access.checkKey(digestOf(live.apiKey))).toEqual({ rejected: 'revoked' });
  });

  test('an older state never replaces a newer one', async () => {
    const { accountId } = await populate();
    const older = await access.history.snapshot(accountId);
    await access.accounts.setPlan(accountId, 'free');
    const { applied } = await access.mirror.applyAccount(older, older.position - 1);
    expect(applied).toBeGreaterThan(older.position);
    expect(await access.redis.hget(accountKeys(accountId).account, 'plan')).toBe('free');
  });

  test('an account that cannot be applied stops no other one, and the journal is asked about its keys', async () => {
    const { accountId, live, expectIntact } = await populate();
    const names = accountKeys(accountId);
    await access.redis.del(names.account, names.keys);
    await access.redis.set(names.account, 'not a hash');
    for (const bucket of (await access.history.positions()).keys()) {
      await access.redis.del(positionKey(bucket));
    }
    access.guard.invalidate();
    await access.guard.audit();
    expect(await access.checkKey(digestOf(live.apiKey))).toMatchObject({
      principal: { accountId, plan: 'growth' },
    });
    expect(await access.guard.audit()).toMatchObject({ bucketsBehind: 0 });
    await expectIntact();
    await access.accounts.setPlan(accountId, 'growth');
    await rebuild(access.redis, access);
    await expectIntact();
  });

  test('a change writes no other key of the account', async () => {
    const { accountId, live, narrow } = await populate();
    const names = accountKeys(accountId);
    await access.redis.hset(names.keys, live.keyId, 'as it was');
    await access.accountKeys.narrow(accountId, narrow.keyId, new Set(['news']));
    await access.accounts.issueKey({ accountId, origin: 'operator' });
    await access.accounts.setPlan(accountId, 'scale');
    expect(await access.redis.hget(names.keys, live.keyId)).toBe('as it was');
    expect(await access.redis.hget(names.account, 'plan')).toBe('scale');
    expect(await access.checkKey(digestOf(narrow.apiKey))).toMatchObject({
      principal: { plan: 'scale', scopes: new Set(['news']) },
    });
  });

  test('keys that ended a day ago leave Redis and stay rejected, by the journal', async () => {
    const { accountId, live, revoked } = await populate();
    access.clock.advance(25 * 60 * 60 * 1000);
    await rebuild(access.redis, access);
    const names = accountKeys(accountId);
    expect(await access.redis.hexists(names.keys, revoked.keyId)).toBe(0);
    expect(await access.redis.exists(ownerKey(digestOf(revoked.apiKey)), names.revoked)).toBe(0);
    expect(await access.redis.exists(ownerKey(digestOf(live.apiKey)))).toBe(1);
    expect(await access.checkKey(digestOf(revoked.apiKey))).toEqual({ rejected: 'revoked' });
    expect(await access.checkKey(digestOf(generateApiKey()))).toEqual({ rejected: 'unknown' });
  });

  test('thousands of ended keys slow down no change: they are neither read nor written', async () => {
    const { accountId, live } = await populate();
    await access.owner.query(
      `INSERT INTO access.api_key SELECT gen_random_uuid(), account_id, md5(n::text) || md5('x' || n),
         hint, label, origin, scopes, is_narrowed, created_at, expires_at, created_at FROM access.api_key, generate_series(1, 5000) AS n WHERE id = $1`,
      [live.keyId],
    );
    access.clock.advance(25 * 60 * 60 * 1000);
    await access.accountKeys.narrow(accountId, live.keyId, new Set(['news']));
    await access.accounts.revokeKey(live.keyId);
    await rebuild(access.redis, access);
    expect(await access.redis.hlen(accountKeys(accountId).keys)).toBeLessThan(10);
    expect((await access.history.findAccount({ id: accountId }))?.keys.length).toBe(500);
  });

  test('beside writers at work: everything ends as the journal says', async () => {
    const { accountId } = await populate();
    const keepIssuing = Array.from({ length: 20 }, async (_, i) => {
      const { keyId } = await access.accounts.issueKey({ accountId, origin: 'operator' });
      if (i % 3 === 0) await access.redis.flushdb();
      if (i % 2 === 0) await access.accounts.revokeKey(keyId);
    });
    const audits = Array.from({ length: 5 }, () => access.newGuard().audit());
    await Promise.all([...keepIssuing, ...audits]);
    await access.guard.audit();
    const after = await contents();
    await rebuild(access.redis, access);
    expect(after).toEqual(await contents());
  });

  test('rebuild removes what the journal does not hold, and leaves everything else alone', async () => {
    const { accountId, expectIntact } = await populate();
    const before = await contents();
    const bucket = bucketOfAccount(accountId);
    const unknown = digestOf(generateApiKey());
    await access.redis.set(ownerKey(unknown), `${accountId} ${randomUUID()}`);
    await access.redis.set(positionKey(bucket), 999);
    await access.redis.hset(accountKeys(accountId).account, 'plan', 'scale', 'position', 999);
    const balance = positionKey(bucket).replace('position', 'credits:x');
    await access.redis.set(balance, 'kept');
    const steps: number[] = [];
    const rebuilt = await rebuild(access.redis, access, (n) => steps.push(n));
    expect(rebuilt).toEqual({ accounts: 2, keys: 4 });
    expect(steps.at(-1)).toBe(256);
    expect(await contents()).toEqual({ ...before, [balance]: 'kept' });
    await expectIntact(access.newGuard());
  });

  test('a Redis ahead of the journal is reported, and changes are rejected', async () => {
    const { accountId } = await populate();
    await access.redis.hset(accountKeys(accountId).account, 'position', 999);
    await access.redis.set(positionKey(bucketOfAccount(accountId)), 999);
    await access.newGuard().audit();
    expect(access.log()).toContain('Redis is ahead of the journal');
    await expect(access.accounts.setPlan(accountId, 'free')).rejects.toThrow(
      'npm run admin -- rebuild',
    );
  });

  test('after a rebuild a running service follows a journal that was set back', async () => {
    const { accountId, expectIntact } = await populate();
    const position = positionKey(bucketOfAccount(accountId));
    await access.redis.set(position, 999);
    await expectIntact();
    await rebuild(access.redis, access);
    await expectIntact();
  });
});

describe('trust', () => {
  test('no check is answered from a Redis that may be another, until it is compared', async () => {
    const { live, expectIntact } = await populate();
    access.guard.invalidate();
    await access.database.$disconnect();
    await access.redis.flushdb();
    await expectIntact();
    expect(access.guard.isConsistent).toBe(true);
    expect(await access.checkKey(digestOf(live.apiKey))).toHaveProperty('principal');
  });

  test('a key that Redis lost is found by the journal, and unavailable without it', async () => {
    const { live } = await populate();
    const digest = digestOf(live.apiKey);
    const { history } = openStores('postgres://127.0.0.1:1/none', access.redis, access.clock);
    const withoutJournal = createKeyChecker({ ...access, history });
    expect(await withoutJournal(digest)).toHaveProperty('principal');
    await access.redis.del(ownerKey(digest));
    await expect(withoutJournal(digest)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await access.checkKey(digest)).toHaveProperty('principal');
    expect(await withoutJournal(digest)).toHaveProperty('principal');
  });

  test('is withdrawn while an audit is under way that began before', async () => {
    await populate();
    const audit = access.guard.audit();
    access.guard.invalidate();
    await audit;
    expect(access.guard.isConsistent).toBe(false);
    await access.guard.audit();
    expect(access.guard.isConsistent).toBe(true);
  });
});

test('a Redis that restarts empty is restored before it is trusted', async () => {
  const server = await createTestRedisServer();
  const own = await openAccess({ redisUrl: server.url });
  // One client, as in the service: an audit that a second one began could find the first not connected.
  const { redis } = own;
  const watch = watchRedis(redis, own.guard, silent);
  try {
    const accountId = await own.accounts.create({ plan: 'free' });
    const { apiKey, keyId } = await own.accounts.issueKey({ accountId, origin: 'operator' });
    await own.accounts.revokeKey(keyId);
    const closed = new Promise((resolve) => redis.once('close', resolve));
    await server.kill();
    await closed;
    expect(own.guard.isConsistent).toBe(false);
    await expect(own.guard.check(digestOf(apiKey))).rejects.toMatchObject({ code: 'unavailable' });
    await server.restart();
    await redisReady(redis);
    expect(await own.guard.check(digestOf(apiKey))).toEqual({ rejected: 'revoked' });
  } finally {
    watch.stop();
    await own.close();
    await server.drop();
  }
});
