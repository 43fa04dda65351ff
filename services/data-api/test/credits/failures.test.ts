import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { bucketOfAccount, bucketTag, generateApiKey } from '@vcds/credentials';
import { createRedisLedger } from '@vcds/metering/redis';
import { closeRedis, createLogger, createRedis, redisReady } from '@vcds/service-kit';
import { endConnections, eventually, type IssuedAccount } from '@vcds/test-kit';
import { givingBack } from '../../src/credits/give-back.ts';
import { type Caller, type Metered, openStack, type Stack, sumOf } from './support/stack.ts';

jest.setTimeout(90_000);

const HOLD_MS = 3_000;
/** A hold that outlasts whatever the machine is busy with. */
const LONG_HOLD_MS = 60_000;
let stack: Stack;
let api: Caller;
/** Accounts of the free plan with a key each, no two tests' the same. */
let free: IssuedAccount[];
/** One of the free plan with a key of any scope, one to be revoked, and one for news alone. */
let threeKeys: IssuedAccount;
let growth: IssuedAccount;
beforeAll(async () => {
  stack = await openStack();
  const times = { holdMs: HOLD_MS, lateMs: 60_000, outcomeMs: 60_000 };
  const issued = stack.issue(
    { plan: 'free', keys: [{}, {}, { scopes: ['news'] }] },
    { plan: 'growth', keys: [{}, {}, {}, {}] },
    ...Array.from({ length: 8 }, () => ({ plan: 'free', keys: [{}] })),
  );
  [[threeKeys, growth, ...free], api] = await Promise.all([
    issued,
    stack.dataApi({ ledger: { times } }),
  ]);
}, 180_000);
afterAll(() => stack.close());

const keyOf = ({ keys }: IssuedAccount, number = 0): string => keys[number]?.apiKey ?? '';
const nextFree = (): IssuedAccount => {
  const account = free.shift();
  if (account === undefined) throw new Error('Every account is taken.');
  return account;
};
/** Runs `during` while no call can read startups: all are between reserving and settling. */
const whileReadsWait = async <T>(during: () => Promise<T>): Promise<T> => {
  const client = await stack.sql.connect();
  await client.query('BEGIN; LOCK TABLE venture.startup IN ACCESS EXCLUSIVE MODE');
  try {
    return await during();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
};
/** Waits until a call is reading, which a hold does not say: it comes before. */
const untilOneReads = async (): Promise<void> => {
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = 'data-api' AND wait_event_type = 'Lock'`;
  await eventually(async () => (await stack.sql.query(waiting)).rowCount !== 0);
};
const remainingOf = async (account: IssuedAccount): Promise<number | undefined> =>
  (await api.get(keyOf(account), '/pricing')).remaining;
const untilRemaining = async (account: IssuedAccount, credits: number): Promise<void> => {
  await eventually(async () => (await remainingOf(account)) === credits);
};
/** Waits for the charges themselves: a hold lowers what remains just as a charge does. */
const untilCharged = async (account: IssuedAccount, credits: number): Promise<void> => {
  await eventually(async () => sumOf(await stack.charges(account.accountId)) >= credits);
};
const untilServed = async (account: IssuedAccount, path: string): Promise<Metered> => {
  for (;;) {
    const answer = await api.get(keyOf(account), path);
    if (answer.status !== 503) return answer;
    await delay(50);
  }
};
/** Waits until all that was written is in Redis' file: while that is flushed, Redis keeps it back. */
const untilInFile = async (): Promise<void> => {
  await eventually(async () =>
    /^aof_buffer_length:0\r?$/m.test(await stack.redis.info('persistence')),
  );
};
const codeOf = ({ body }: Metered): unknown => (body as { error: { code: unknown } }).error.code;

test('data-api killed between reserving and settling: only its holds are blocked, and not for long', async () => {
  const account = nextFree();
  const doomed = await stack.dataApiProcess(LONG_HOLD_MS);
  // One to which the holds have lasted as long as they may.
  const later = await stack.dataApi({ ledger: { clockOffsetMs: () => LONG_HOLD_MS } });
  await whileReadsWait(async () => {
    const calls = Array.from({ length: 6 }, () =>
      doomed.get(keyOf(account), '/startups?$top=30').catch(() => 'cut off'),
    );
    await untilRemaining(account, 500 - 6 * 30);
    await doomed.kill();
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['cut off']));
    // Others of the account are served meanwhile, from what is left.
    const other = await api.get(keyOf(account), '/news?$top=40');
    expect(other).toMatchObject({ status: 200, charged: 10, remaining: 500 - 6 * 30 - 10 });
    expect(await later.get(keyOf(account), '/pricing')).toMatchObject({ remaining: 490 });
  });
  expect(sumOf(await stack.charges(account.accountId))).toBe(10);
});

test('a client that hangs up pays for what was read for it', async () => {
  const account = nextFree();
  await whileReadsWait(async () => {
    const client = new AbortController();
    const gone = api.get(keyOf(account), '/startups?$top=20', client.signal);
    const rejected = expect(gone).rejects.toThrow('aborted');
    await untilRemaining(account, 480);
    client.abort();
    await rejected;
  });
  await untilCharged(account, 20);
  expect(await remainingOf(account)).toBe(480);
});

test('PostgreSQL gone in the midst of a call: 503, and the hold is given back at once', async () => {
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

test('Redis that hangs while a call is settled: served, and charged once when it goes on', async () => {
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

test('a reservation that Redis carried out and never confirmed is given back', async () => {
  const { accountId: account } = nextFree();
  const logger = createLogger({ service: 'test', level: 'silent' });
  const redis = createRedis({
    url: stack.server.url,
    name: 'test',
    logger,
    commandTimeoutMs: 50,
  });
  await redisReady(redis);
  const { ledger } = createRedisLedger({ redis });
  const { ledger: patient } = createRedisLedger({ redis: stack.redis });
  const careful = givingBack({ ledger, logger, pausesMs: Array(50).fill(50) });
  const ask = {
    account,
    op: 'unconfirmed',
    keyId: 'key',
    endpoint: '/startups',
    requestId: 'request-1',
    max: 400,
  };
  // So that Redis knows the script.
  const first = await patient.reserve({ ...ask, op: 'first', max: 1, limit: 500 });
  expect(first.status).toBe('held');
  await stack.redis.call('CLIENT', 'PAUSE', '30000', 'WRITE');
  const answer = await careful.reserve({ ...ask, limit: 500 });
  await stack.redis.call('CLIENT', 'UNPAUSE');
  expect(answer.status).toBe('unavailable');
  const operation = `${bucketTag(bucketOfAccount(account))}:op:${account}:${ask.op}`;
  let fate = '';
  for (let look = 0; look < 250 && !fate.startsWith('done'); look++) {
    fate = (await stack.redis.get(operation)) ?? '';
    await delay(20);
  }
  expect(fate).toMatch(/^done \d+ 0$/);
  expect(await patient.balance(account, 500)).toMatchObject({ balance: { held: 1, used: 0 } });
  await closeRedis(redis);
});

test('Redis down: 503 at no cost, the rate card for those with a key; back: served by itself', async () => {
  const account = threeKeys;
  expect(await api.get(keyOf(account), '/startups?$top=20')).toMatchObject({ remaining: 480 });
  await stack.admin(['key', 'revoke', account.keys[1]?.keyId ?? '']);
  await untilInFile();
  let underWay: Promise<Metered> | undefined;
  await whileReadsWait(async () => {
    underWay = api.get(keyOf(account), '/startups?$top=30');
    await untilRemaining(account, 450);
    await stack.server.kill();
    await eventually(async () => (await api.get(keyOf(account), '/news?$top=1')).status === 503);
  });
  // Computed, but it could not be paid for: not served.
  const unpaid = await underWay;
  expect([unpaid?.status, unpaid?.charged]).toEqual([503, 0]);
  const rejected = await api.get(keyOf(account), '/news?$top=1');
  expect(codeOf(rejected)).toBe('unavailable');
  expect(rejected.headers.get('retry-after')).toBe('30');
  expect((await api.get(keyOf(account), '/pricing')).status).toBe(200);
  expect((await api.get(keyOf(account, 2), '/pricing')).status).toBe(200);
  expect((await api.get(keyOf(account, 1), '/pricing')).status).toBe(401);
  expect((await api.get(generateApiKey(), '/pricing')).status).toBe(401);
  // Mistakes are charged, too, with the balance last known; of an account never seen, its allowance.
  const { reset } = rejected;
  const lastKnown = { charged: 0, limit: 500, remaining: 450, reset };
  expect(rejected).toMatchObject(lastKnown);
  for (const [path, status] of [
    ['/startups?$top=0', 400],
    ['/startups/0b8f8c2e-8c34-4d5e-9d6b-0c3c7b6f5a11', 503],
    ['/startups/no-uuid', 404],
    ['/pricing', 200],
  ] as const) {
    expect(await api.get(keyOf(account), path)).toMatchObject({ status, ...lastKnown });
  }
  const unseen = await api.get(keyOf(nextFree()), '/startups?$top=0');
  expect(unseen).toMatchObject({ status: 400, charged: 0, limit: 500, reset });
  expect(unseen.remaining).toBeUndefined();

  await stack.server.restart();
  await redisReady(stack.redis);
  const served = await untilServed(account, '/news?$top=40');
  expect(served).toMatchObject({ status: 200, charged: 10 });
  await untilRemaining(account, 470);
  expect(sumOf(await stack.charges(account.accountId))).toBe(30);
});

test('Redis silent: refused without asking it; served again once it answers', async () => {
  const account = nextFree();
  const before = await api.get(keyOf(account), '/startups?$top=20');
  expect(before).toMatchObject({ status: 200, remaining: 480 });
  const pid = Number(/process_id:(\d+)/.exec(await stack.redis.info('server'))?.[1]);
  const isCircuitOpen = async (): Promise<boolean> => {
    const text = await (await fetch(`${api.internalUrl}/metrics`)).text();
    return /^vcds_redis_circuits_open\{[^}]*client="data-api"[^}]*\} 1$/m.test(text);
  };
  const scriptsRun = async (): Promise<number> => {
    const stats = (await stack.redis.info('commandstats')).matchAll(/_eval(?:sha)?:calls=(\d+)/g);
    return [...stats].reduce((sum, [, calls]) => sum + Number(calls), 0);
  };
  const scriptsBefore = await scriptsRun();
  process.kill(pid, 'SIGSTOP');
  try {
    while (!(await isCircuitOpen())) {
      expect((await api.get(keyOf(account), '/startups?$top=20')).status).toBe(503);
    }
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
  // None of the fifty was sent; what was sent before is given back in time.
  expect((await scriptsRun()) - scriptsBefore).toBeLessThan(50);
  await untilRemaining(account, 460);
  expect(sumOf(await stack.charges(account.accountId))).toBe(40);
});

test('Redis that lost everything: closed, then healed from the ledger, nobody has more', async () => {
  const account = nextFree();
  await api.get(keyOf(account), '/startups?$top=40');
  await api.get(keyOf(account), '/startups?$top=40');
  await stack.charges(account.accountId);
  await stack.redis.flushall();
  const answer = await untilServed(account, '/startups?$top=20');
  expect(answer).toMatchObject({ status: 200, charged: 20, remaining: 400 });
  expect(sumOf(await stack.charges(account.accountId))).toBe(100);
});

test('Redis killed under load: nothing is charged twice, no error is charged', async () => {
  const account = growth;
  let stopped = false;
  let charged = 0;
  const statuses = new Set<number>();
  const client = async (number: number): Promise<void> => {
    while (!stopped) {
      const answer = await api.get(keyOf(account, number % 4), '/startups?$top=2');
      statuses.add(answer.status);
      if (answer.status === 200) charged += answer.charged ?? 0;
      else await delay(50);
    }
  };
  const load = Array.from({ length: 12 }, (_, number) => client(number));
  const untilMoreServed = async (): Promise<void> => {
    const before = charged;
    await eventually(() => charged >= before + 2 * 100);
  };
  for (let kill = 0; kill < 3; kill++) {
    await untilMoreServed();
    await stack.server.kill();
    await delay(300);
    await stack.server.restart();
    await redisReady(stack.redis);
  }
  await untilMoreServed();
  stopped = true;
  await Promise.all(load);
  expect([...statuses].sort()).toEqual([200, 503]);
  const charges = await stack.charges(account.accountId);
  const used = sumOf(charges);
  // Every charge is the 2 credits of one call that was served, so none is of an error.
  expect(new Set(charges.map(({ charged }) => charged))).toEqual(new Set([2]));
  expect(used).toBeLessThanOrEqual(charged);
  await untilRemaining(account, 100_000 - used);
});
