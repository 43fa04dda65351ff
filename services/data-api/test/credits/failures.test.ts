// Tests docs/spec/credits.md 10.4, 10.5, 10.10, 10.14.
// Tests docs/spec/operations.md 16.3.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { accountKeys, bucketOfAccount, bucketTag, generateApiKey } from '@vcds/credentials';
import { createRedisLedger } from '@vcds/metering/redis';
import { closeRedis, createLogger, createRedis, redisReady } from '@vcds/service-kit';
import {
  atLength,
  closedAfterAll,
  endConnections,
  eventually,
  type IssuedAccount,
} from '@vcds/test-kit';
import { givingBack } from '../../src/credits/give-back.ts';
import { codeOf, keyOf, observe } from './support/observe.ts';
import { type Metered, openStack, sumOf } from './support/stack.ts';

/** Longer than any test. */
const LONG_HOLD_MS = 60_000;
const stack = await closedAfterAll(openStack());
const TIMES = { holdMs: 3_000, lateMs: 60_000, outcomeMs: 60_000, onceMs: 86_400_000 };
const api = await stack.dataApi({ ledger: { times: TIMES } });
// On the free plan: a key of any scope, one to revoke, and one for news only; and an account per test.
const [threeKeys, growth, ...free] = await stack.issue(
  { plan: 'free', keys: [{}, {}, { scopes: ['news'] }] },
  { plan: 'growth', keys: [{}, {}, {}, {}] },
  ...Array.from({ length: 13 }, () => ({ plan: 'free', keys: [{}] })),
);

const nextFree = (): IssuedAccount => {
  const account = free.shift();
  if (account === undefined) throw new Error('Every account is taken.');
  return account;
};
const { whileReadsWait, untilOneReads, untilInFile, scriptsRun, ...observed } = observe(stack, api);
const { remainingOf, untilRemaining, untilCharged, untilServed, replies } = observed;

test('after a kill of data-api between reserve and settle, only its holds are blocked until they expire', async () => {
  const account = nextFree();
  const doomed = await stack.dataApiProcess(LONG_HOLD_MS);
  // For its clock the holds have expired.
  const later = await stack.dataApi({ ledger: { clockOffsetMs: () => LONG_HOLD_MS } });
  await whileReadsWait(async () => {
    const calls = Array.from({ length: 6 }, () =>
      doomed.get(keyOf(account), '/startups?$top=30').catch(() => 'cut off'),
    );
    await untilRemaining(account, 500 - 6 * 30);
    await doomed.kill();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['cut off']));
    // Other calls of the account use the rest of its credits.
    const other = await api.get(keyOf(account), '/news?$top=40');
    expect(other).toMatchObject({ status: 200, charged: 10, remaining: 500 - 6 * 30 - 10 });
    expect(await later.get(keyOf(account), '/pricing')).toMatchObject({ remaining: 490 });
  });
  expect(sumOf(await stack.charges(account.accountId))).toBe(10);
});

test('a loss of PostgreSQL during a call gives 503 and releases the hold at once', async () => {
  const account = nextFree();
  const answer = await whileReadsWait(async () => {
    const call = api.get(keyOf(account), '/startups?$top=20');
    await untilOneReads();
    expect(await remainingOf(account)).toBe(480);
    expect(await endConnections(stack.databaseUrl, 'data-api')).toBeGreaterThan(0);
    return call;
  });
  expect(answer).toMatchObject({ status: 503, charged: 0, remaining: 500 });
  expect(codeOf(answer)).toBe('unavailable');
});

test('if Redis hangs while a call is settled, the call is served, and charged once later', async () => {
  const account = nextFree();
  let call: Promise<Metered> | undefined;
  await whileReadsWait(async () => {
    call = api.get(keyOf(account), '/startups?$top=20');
    await untilRemaining(account, 480);
    await stack.redis.call('CLIENT', 'PAUSE', '4000', 'ALL');
  });
  expect(await call).toMatchObject({ status: 200, charged: 20, limit: 500, remaining: 480 });
  await untilCharged(account, 20);
  expect(await remainingOf(account)).toBe(480);
});

describe('a call that costs little beside the balance', () => {
  const PATH = '/startups?$top=20';
  /** An account whose balance is known from a hold, so the ledger is available after each test. */
  const known = async (): Promise<IssuedAccount> => {
    const account = nextFree();
    expect((await api.get(keyOf(account), `/startups/${randomUUID()}`)).remaining).toBe(500);
    return account;
  };

  test('holds nothing while it runs, and a kill of data-api leaves nothing of it', async () => {
    const once = { headers: { 'Idempotency-Key': 'killed' } };
    const account = nextFree();
    const doomed = await stack.dataApiProcess(LONG_HOLD_MS);
    expect(await doomed.get(keyOf(account), '/pricing')).toMatchObject({ remaining: 500 });
    await whileReadsWait(async () => {
      const calls = [{}, once].map((more) =>
        doomed.get(keyOf(account), PATH, more).catch(() => 'cut off'),
      );
      await untilOneReads();
      expect(await remainingOf(account)).toBe(500);
      await doomed.kill();
      expect(await Promise.all(calls)).toEqual(['cut off', 'cut off']);
    });
    expect(await remainingOf(account)).toBe(500);
    expect(await stack.charges(account.accountId)).toEqual([]);
    const again = [
      await api.get(keyOf(account), PATH, once),
      await api.get(keyOf(account), PATH, once),
    ];
    const [first = 0, second] = again.map(({ charged }) => charged);
    expect([first > 0, second]).toEqual([true, 0]);
    expect(sumOf(await stack.charges(account.accountId))).toBe(first);
  });

  test('is charged once, in one step', async () => {
    const account = await known();
    const before = await replies();
    expect(await api.get(keyOf(account), PATH)).toMatchObject({ charged: 20, remaining: 480 });
    expect(await api.get(keyOf(account), PATH)).toMatchObject({ charged: 20, remaining: 460 });
    expect(await replies()).toEqual({ ...before, charge: (before.charge ?? 0) + 2 });
    expect(sumOf(await stack.charges(account.accountId))).toBe(40);
  });

  test('is free if it fails', async () => {
    const account = await known();
    const missing = await api.get(keyOf(account), `/startups/${randomUUID()}`);
    expect(missing).toMatchObject({ status: 404, charged: 0, remaining: 500 });
    const lost = await whileReadsWait(async () => {
      const call = api.get(keyOf(account), PATH);
      await untilOneReads();
      expect(await endConnections(stack.databaseUrl, 'data-api')).toBeGreaterThan(0);
      return call;
    });
    expect(lost).toMatchObject({ status: 503, charged: 0, remaining: 500 });
    expect(await stack.charges(account.accountId)).toEqual([]);
  });

  test('is rejected without its result if the balance is used or the key revoked meanwhile', async () => {
    const account = await known();
    const { ledger } = createRedisLedger({ redis: stack.redis });
    const hold = { account: account.accountId, op: 'other', max: 490, limit: 500 };
    const call = await whileReadsWait(async () => {
      const waiting = api.get(keyOf(account), PATH);
      await untilOneReads();
      const request = { keyId: 'key', endpoint: '/startups', requestId: 'request-1' };
      expect((await ledger.reserve({ ...hold, ...request })).status).toBe('held');
      return () => waiting;
    });
    const exhausted = await call();
    expect(exhausted).toMatchObject({ status: 429, charged: 0, remaining: 10 });
    expect(exhausted.body).toMatchObject({ credits: { required: 20, remaining: 10 } });
    await ledger.release(hold);
    expect(await remainingOf(account)).toBe(500);
    await stack.redis.sadd(accountKeys(account.accountId).revoked, account.keys[0]?.keyId ?? '');
    const revoked = await api.get(keyOf(account), PATH);
    expect([revoked.status, revoked.remaining]).toEqual([401, undefined]);
    expect(await stack.charges(account.accountId)).toEqual([]);
  });

  test('is served if Redis hangs while it is charged, and charged once later', async () => {
    const account = await known();
    const call = await whileReadsWait(async () => {
      const waiting = api.get(keyOf(account), PATH);
      await untilOneReads();
      await stack.redis.call('CLIENT', 'PAUSE', '4000', 'ALL');
      return () => waiting;
    });
    expect(await call()).toMatchObject({ status: 200, charged: 20, limit: 500, remaining: 480 });
    await untilCharged(account, 20);
    expect(await remainingOf(account)).toBe(480);
  });
});

test('a hold that Redis never confirmed is released', async () => {
  const { accountId: account } = nextFree();
  const logger = createLogger({ service: 'test', level: 'silent' });
  const redis = createRedis({
    url: stack.server.url,
    name: 'test',
    logger,
    commandTimeoutMs: 500,
  });
  await redisReady(redis);
  const { ledger } = createRedisLedger({ redis });
  const { ledger: other } = createRedisLedger({ redis: stack.redis });
  const releasing = givingBack({ ledger, logger, pausesMs: Array(50).fill(50) });
  const request = {
    account,
    op: 'unconfirmed',
    keyId: 'key',
    endpoint: '/startups',
    requestId: 'request-1',
    max: 400,
  };
  // Loads the script into Redis.
  const first = await other.reserve({ ...request, op: 'first', max: 1, limit: 500 });
  expect(first.status).toBe('held');
  await stack.redis.call('CLIENT', 'PAUSE', '30000', 'WRITE');
  const answer = await releasing.reserve({ ...request, limit: 500 });
  await stack.redis.call('CLIENT', 'UNPAUSE');
  expect(answer.status).toBe('unavailable');
  const operation = `${bucketTag(bucketOfAccount(account))}:op:${account}:${request.op}`;
  await eventually(async () => expect(await stack.redis.get(operation)).toMatch(/^done \d+ 0$/));
  expect(await other.balance(account, 500)).toMatchObject({ balance: { held: 1, used: 0 } });
  await closeRedis(redis);
});

test('while Redis is down, charged calls are free 503s and the rate card works; then all are served', async () => {
  const account = threeKeys;
  expect(await api.get(keyOf(account), '/startups?$top=20')).toMatchObject({ remaining: 480 });
  await stack.admin(['key', 'revoke', account.keys[1]?.keyId ?? '']);
  await untilInFile();
  let underWay: Promise<Metered> | undefined;
  await whileReadsWait(async () => {
    // More than an eighth of the balance, so it holds credits.
    underWay = api.get(keyOf(account), '/startups?$top=80');
    await untilRemaining(account, 400);
    await stack.server.kill();
    await eventually(async () => (await api.get(keyOf(account), '/news?$top=1')).status === 503);
  });
  // Read, but not charged, so not served.
  const unpaid = await underWay;
  expect([unpaid?.status, unpaid?.charged]).toEqual([503, 0]);
  const rejected = await api.get(keyOf(account), '/news?$top=1');
  expect(codeOf(rejected)).toBe('unavailable');
  expect(rejected.headers.get('retry-after')).toBe('30');
  expect((await api.get(keyOf(account), '/pricing')).status).toBe(200);
  expect((await api.get(keyOf(account, 2), '/pricing')).status).toBe(200);
  expect((await api.get(keyOf(account, 1), '/pricing')).status).toBe(401);
  expect((await api.get(generateApiKey(), '/pricing')).status).toBe(401);
  // Errors have the last known balance; without one, only the allowance.
  const { reset } = rejected;
  const lastKnown = { charged: 0, limit: 500, remaining: 400, reset };
  expect(rejected).toMatchObject(lastKnown);
  for (const [path, status] of [
    ['/startups?$top=0', 400],
    ['/startups/0b8f8c2e-8c34-4d5e-9d6b-0c3c7b6f5a11', 503],
    ['/startups/no-uuid', 404],
    ['/pricing', 200],
  ] as const) {
    expect(await api.get(keyOf(account), path)).toMatchObject({ status, ...lastKnown });
  }
  const other = await api.get(keyOf(nextFree()), '/startups?$top=0');
  expect(other).toMatchObject({ status: 400, charged: 0, limit: 500, reset });
  expect(other.remaining).toBeUndefined();

  await stack.server.restart();
  await redisReady(stack.redis);
  const served = await untilServed(account, '/news?$top=40');
  expect(served).toMatchObject({ status: 200, charged: 10 });
  await untilRemaining(account, 470);
  expect(sumOf(await stack.charges(account.accountId))).toBe(30);
});

test('while Redis hangs, calls are rejected by the circuit breaker; then they are served again', async () => {
  const account = nextFree();
  const before = await api.get(keyOf(account), '/startups?$top=20');
  expect(before).toMatchObject({ status: 200, remaining: 480 });
  const pid = Number(/process_id:(\d+)/.exec(await stack.redis.info('server'))?.[1]);
  const isCircuitOpen = async (): Promise<boolean> => {
    const text = await (await fetch(`${api.internalUrl}/metrics`)).text();
    return /^vcds_redis_circuits_open\{[^}]*client="data-api"[^}]*\} 1$/m.test(text);
  };
  const scriptsBefore = await scriptsRun();
  process.kill(pid, 'SIGSTOP');
  try {
    await eventually(async () => {
      expect((await api.get(keyOf(account), '/startups?$top=80')).status).toBe(503);
      return isCircuitOpen();
    });
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.get(keyOf(account), '/startups?$top=20')),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, charged: 0, limit: 500 });
      expect(codeOf(answer)).toBe('unavailable');
      expect(answer.headers.get('retry-after')).toBe('30');
    }
    const mistake = await api.get(keyOf(account), '/startups?$top=0');
    expect(mistake).toMatchObject({ status: 400, charged: 0, remaining: 480 });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const served = await untilServed(account, '/startups?$top=20');
  expect(served).toMatchObject({ status: 200, charged: 20 });
  // None of the fifty was sent; the holds of earlier ones are released.
  expect((await scriptsRun()) - scriptsBefore).toBeLessThan(50);
  await untilRemaining(account, 460);
  expect(sumOf(await stack.charges(account.accountId))).toBe(40);
});

test('after a loss of all data of Redis, the balances are restored from the ledger', async () => {
  const account = nextFree();
  await api.get(keyOf(account), '/startups?$top=40');
  await api.get(keyOf(account), '/startups?$top=40');
  await stack.charges(account.accountId);
  await stack.redis.flushall();
  const answer = await untilServed(account, '/startups?$top=20');
  expect(answer).toMatchObject({ status: 200, charged: 20, remaining: 400 });
  expect(sumOf(await stack.charges(account.accountId))).toBe(100);
});

test('after kills of Redis under load, no call is charged twice, and no error is charged', async () => {
  const account = growth;
  let stopped = false;
  let charged = 0;
  let rejected = 0;
  const statuses = new Set<number>();
  const client = async (number: number): Promise<void> => {
    while (!stopped) {
      const answer = await api.get(keyOf(account, number % 4), '/startups?$top=2');
      statuses.add(answer.status);
      if (answer.status === 200) charged += answer.charged ?? 0;
      else {
        rejected += 1;
        await delay(50);
      }
    }
  };
  const load = Array.from({ length: 12 }, (_, number) => client(number));
  const untilMoreServed = async (): Promise<void> => {
    const before = charged;
    await eventually(() => charged >= before + 2 * atLength(40, 100));
  };
  for (let kill = 0; kill < atLength(1, 3); kill++) {
    await untilMoreServed();
    const before = rejected;
    await stack.server.kill();
    await eventually(() => rejected > before);
    await stack.server.restart();
    await redisReady(stack.redis);
  }
  await untilMoreServed();
  stopped = true;
  await Promise.all(load);
  expect([...statuses].sort()).toEqual([200, 503]);
  const charges = await stack.charges(account.accountId);
  const used = sumOf(charges);
  // Every charge has the 2 credits of one successful call, so none is of an error.
  expect(new Set(charges.map(({ charged }) => charged))).toEqual(new Set([2]));
  expect(used).toBeLessThanOrEqual(charged);
  await untilRemaining(account, 100_000 - used);
});
