import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount, bucketTag } from '@vcds/credentials';
import { type CreditLedger, LEDGER_TIMES, type Ledger, periodOf } from '@vcds/metering';
import {
  assertLedgerServes,
  createRedisLedger,
  defineScript,
  isScriptError,
  type RedisClient,
} from '@vcds/metering/redis';
import { closeRedis } from '@vcds/service-kit';
import { createTestRedisServer, type TestRedisServer } from '@vcds/test-kit';
import { lossyProxy } from './support/lossy-proxy.ts';
import { connectRedis } from './support/redis-client.ts';
import { requestOf } from './support/request.ts';
import { openAccount } from './support/stores.ts';

describe('the ledger in Redis', () => {
  let server: TestRedisServer;
  let redis: RedisClient;
  let other: RedisClient;
  let credit: CreditLedger;
  beforeAll(async () => {
    server = await createTestRedisServer();
    redis = await connectRedis(server.url);
    other = await connectRedis(server.url);
    credit = createRedisLedger({ redis });
  });
  afterAll(async () => {
    await Promise.all([closeRedis(redis), closeRedis(other)]);
    await server.drop();
  });

  const rejected = { status: 'unavailable', cause: expect.any(Error) };

  test('keeps everything of an account under one hash tag, and lets calls expire', async () => {
    const account = await openAccount(credit);
    const tag = bucketTag(bucketOfAccount(account));
    await redis.flushall();
    await openAccountAgain(account);
    await credit.ledger.reserve(requestOf(account, { op: 'a' }));
    await credit.ledger.reserve(requestOf(account, { op: 'b' }));
    await credit.ledger.settle({ account, op: 'b' }, 13);
    const keys = await redis.keys('*');
    expect(keys.filter((key) => !key.startsWith(`${tag}:`))).toEqual([]);
    const { holdMs, lateMs, outcomeMs } = LEDGER_TIMES;
    const lives = async (op: string) => redis.pttl(`${tag}:op:${account}:${op}`);
    expect(await lives('a')).toBeGreaterThan(holdMs + lateMs - 10_000);
    expect(await lives('a')).toBeLessThanOrEqual(holdMs + lateMs);
    expect(await lives('b')).toBeGreaterThan(outcomeMs - 10_000);
    expect(await lives('b')).toBeLessThanOrEqual(outcomeMs);
  });

  test('writes nothing when it has nothing to say', async () => {
    const account = await openAccount(credit);
    await credit.ledger.balance(account, 500);
    const before = await dirty();
    for (let i = 0; i < 5; i++) await credit.ledger.balance(account, 500);
    await credit.ledger.reserve(requestOf(account, { max: 501 }));
    expect(await dirty()).toBe(before);
  });

  test('sends the text of a script once, and again only if Redis has lost it', async () => {
    const account = await openAccount(credit);
    await credit.ledger.balance(account, 500);
    await redis.config('RESETSTAT');
    for (let i = 0; i < 5; i++) await credit.ledger.balance(account, 500);
    expect(await calls('eval')).toBe(0);
    await redis.script('FLUSH');
    expect(await credit.ledger.balance(account, 500)).toMatchObject({ status: 'known' });
    expect([await calls('eval'), await calls('evalsha')]).toEqual([1, 6]);
  });

  test('runs one script of a client under its own name, whatever other scripts it runs', async () => {
    const [first, second] = [defineScript('return ARGV[1]'), defineScript('return KEYS[1]')];
    expect(await first(redis, ['key'], ['argument'])).toBe('argument');
    expect(await second(redis, ['key'], ['argument'])).toBe('key');
    expect(await first(redis, [], [7])).toBe('7');
    const fault = await defineScript('return redis.call("GET")')(redis, []).catch(isScriptError);
    expect(fault).toBe(true);
  });

  test('holds nothing while Redis has no memory left, but still charges calls under way', async () => {
    const account = await openAccount(credit);
    await credit.ledger.reserve(requestOf(account, { op: 'a' }));
    await redis.config('SET', 'maxmemory', '1mb');
    expect(await credit.ledger.reserve(requestOf(account, { op: 'b' }))).toEqual(rejected);
    expect(await credit.ledger.settle({ account, op: 'a' }, 13)).toMatchObject({
      charged: 13,
      balance: { used: 13, held: 0 },
    });
    await redis.config('SET', 'maxmemory', '0');
    expect(await credit.ledger.reserve(requestOf(account, { op: 'b' }))).toMatchObject({
      status: 'held',
    });
  });

  test('that answers too late has held once, and says so when asked again', async () => {
    const account = await openAccount(credit);
    await other.client('PAUSE', 30_000, 'WRITE');
    expect(await credit.ledger.reserve(requestOf(account, { op: 'a' }))).toEqual(rejected);
    await other.client('UNPAUSE');
    expect(await credit.ledger.reserve(requestOf(account, { op: 'a' }))).toMatchObject({
      status: 'held',
      balance: { held: 25, remaining: 475 },
    });
  });

  describe('whose first reply to a call is lost', () => {
    const request = (account: string, op: string) => {
      const period = periodOf(Date.now());
      return { ...requestOf(account, { op }), actual: 13, period };
    };
    /** Runs a step; its first reply is lost, and `meanwhile` ends before the retry. */
    const whileLost = async <T>(
      meanwhile: (account: string) => Promise<unknown>,
      step: (ledger: Ledger, account: string) => Promise<T>,
    ): Promise<{ account: string; answer: T }> => {
      const url = new URL(server.url);
      const proxy = await lossyProxy(Number(url.port), Number.POSITIVE_INFINITY);
      url.port = String(proxy.port);
      const client = await connectRedis(url.href);
      const account = await openAccount(credit);
      const { ledger } = createRedisLedger({ redis: client });
      // Loads the scripts, and leaves a hold.
      await ledger.charge(request(account, 'a'));
      await ledger.reserve(request(account, 'b'));
      await ledger.settle({ account, op: 'a' }, 13);
      proxy.loseNext(() => meanwhile(account));
      const answer = await step(ledger, account);
      expect(proxy.dropped).toBe(1);
      await closeRedis(client);
      await proxy.close();
      return { account, answer };
    };
    /** The same until Redis is reached again in time, which a machine under load misses at times. */
    const retriedWhileLost: typeof whileLost = async (meanwhile, step) => {
      for (let attemptsLeft = 10; ; attemptsLeft--) {
        const result = await whileLost(meanwhile, step);
        if (attemptsLeft === 0 || !isUnavailable(result.answer)) return result;
      }
    };
    const close = (account: string) => credit.stream.close(bucketOfAccount(account));

    test('charges it once and reports that, if the bucket is closed before the retry', async () => {
      const { account, answer } = await retriedWhileLost(close, (ledger, id) =>
        ledger.charge(request(id, 'c')),
      );
      expect(answer).toMatchObject({ status: 'settled', charged: 13, balance: { used: 26 } });
      const { entries } = await credit.stream.read(bucketOfAccount(account), 10);
      expect(entries.map(({ op }) => op)).toEqual(['a', 'c']);
    });

    test('holds its credits once, if the bucket is closed before the retry', async () => {
      const { answer } = await retriedWhileLost(close, (ledger, id) =>
        ledger.reserve(request(id, 'c')),
      );
      expect(answer).toMatchObject({ status: 'held', balance: { used: 13, held: 50 } });
    });

    test('does not report it as certainly free, if Redis has lost the outcome', async () => {
      const uncertain = { status: 'unavailable', cause: { isUncertain: true } };
      const wipe = () => other.flushall();
      const charged = await whileLost(wipe, (ledger, id) => ledger.charge(request(id, 'c')));
      expect(charged.answer).toMatchObject(uncertain);
      const settled = await whileLost(wipe, (ledger, id) =>
        ledger.settle({ account: id, op: 'b' }, 13),
      );
      expect(settled.answer).toMatchObject(uncertain);
      const certain = await credit.ledger.charge(request(settled.account, 'd'));
      expect(certain).toMatchObject({ status: 'unavailable' });
      expect(certain).not.toMatchObject(uncertain);
    });
  });

  test('does not hide a fault of its own as being unavailable', async () => {
    const account = await openAccount(credit);
    const tag = bucketTag(bucketOfAccount(account));
    await redis.set(`${tag}:credits:${account}`, 'not a hash');
    await expect(credit.ledger.balance(account, 500)).rejects.toThrow('WRONGTYPE');
    await redis.xadd(`${tag}:ledger`, '*', 'charge', 'not an entry');
    await expect(credit.stream.read(bucketOfAccount(account), 10)).rejects.toThrow('malformed');
  });

  test.each([
    ['a hold that never ends', { holdMs: 0 }, 256],
    ['an outcome kept for a fraction of a millisecond', { outcomeMs: 0.5 }, 256],
    ['a late settlement before the hold expires', { lateMs: -1 }, 256],
    ['no buckets', {}, 0],
    ['more buckets than there are', {}, 257],
  ])('is not opened with %s', (_, change, buckets) => {
    const times = { ...LEDGER_TIMES, ...change };
    expect(() => createRedisLedger({ redis, times, buckets })).toThrow(RangeError);
  });

  test.each([
    ['a bucket there is not', () => credit.stream.read(256, 1)],
    ['no entries', () => credit.stream.read(0, 0)],
    ['a key without a name', () => credit.accounts.revokeKey(randomUUID(), '')],
    ['fewer than no purchases', () => credit.accounts.setPurchased(randomUUID(), -1)],
  ])('is not asked for %s', async (_, ask) => {
    await expect(ask()).rejects.toThrow(RangeError);
  });

  const openAccountAgain = (account: string) => credit.stream.open(bucketOfAccount(account), 0);
  const calls = async (command: string): Promise<number> =>
    Number(
      new RegExp(`cmdstat_${command}:calls=(\\d+)`).exec(await redis.info('commandstats'))?.[1] ??
        0,
    );
  const dirty = async (): Promise<number> =>
    Number(/rdb_changes_since_last_save:(\d+)/.exec(await redis.info('persistence'))?.[1]);
});

test('the ledger serves once a bucket is open, and not while Redis takes no writes', async () => {
  const server = await createTestRedisServer();
  const redis = await connectRedis(server.url);
  await expect(assertLedgerServes(redis)).rejects.toThrow('closed');
  const { stream } = createRedisLedger({ redis });
  for (let bucket = 0; bucket < 256; bucket++) await stream.open(bucket, 0);
  await assertLedgerServes(redis);
  await redis.config('SET', 'maxmemory', '1');
  await expect(assertLedgerServes(redis)).rejects.toThrow('OOM');
  await redis.config('SET', 'maxmemory', '0');
  await assertLedgerServes(redis);
  await closeRedis(redis);
  await server.drop();
});

function isUnavailable(answer: unknown): boolean {
  return (
    typeof answer === 'object' &&
    answer !== null &&
    'status' in answer &&
    answer.status === 'unavailable'
  );
}
