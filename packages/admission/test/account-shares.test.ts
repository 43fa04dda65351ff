// Tests docs/spec/limits.md 12.4, 12.5.
import { expect, test } from '@jest/globals';
import { eventually } from '@vcds/test-kit';
import { Registry } from 'prom-client';
import { AccountShares } from '../src/account-shares.ts';
import type { Caller, ShareLimits } from '../src/steady-share.ts';

const OUTAGE = new Error('connection lost');
const TIME_LIMIT = new Error('time limit');
const here = (): boolean => false;

/** Shares with a clock that the test advances; a call that must wait fails at once. */
function open(slots: number, slotsPerAccount: number, limits: Partial<ShareLimits> = {}) {
  let nowMs = 0;
  const registry = new Registry();
  const shares = new AccountShares({
    slots,
    slotsPerAccount,
    registry,
    isOutage: (thrown) => thrown === OUTAGE,
    clock: { wallMs: () => nowMs, monotonicMs: () => nowMs },
    limits: { ownWaitMsMax: 1, connectionWaitMsMax: 1, ...limits },
  });
  return {
    enter: (accountId: string, plan: Caller['plan'] = 'scale') =>
      shares.acquire({ accountId, plan }, here),
    shares,
    registry,
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
}

/** A read of the account that takes `ms` by the clock and then fails. */
async function fail(
  { enter, advance }: ReturnType<typeof open>,
  account: string,
  ms: number,
  error: Error = new Error('rejected'),
): Promise<void> {
  const slot = await enter(account);
  const read = slot.run(async () => {
    advance(ms);
    throw error;
  });
  await expect(read).rejects.toBe(error);
}

test('an account has its slots and no more, independent of other accounts', async () => {
  const { enter, registry } = open(10, 2);
  const slots = [await enter('a'), await enter('a')];
  const rejection = { code: 'too_many_requests', details: { retryAfterSeconds: 1 } };
  await expect(enter('a')).rejects.toMatchObject(rejection);
  await enter('b');
  slots[0]?.release();
  slots[0]?.release();
  await enter('a');
  await expect(enter('a')).rejects.toMatchObject(rejection);
  const metrics = await registry.metrics();
  expect(metrics).toContain('vcds_account_share_rejections_total{reason="concurrency"} 2');
  expect(metrics).toContain('vcds_account_share_calls{state="running"} 3');
});

test('accounts that wait are served in turn, however many calls each has waiting', async () => {
  const { enter } = open(1, 1, { ownWaitMsMax: 60_000 });
  const order: string[] = [];
  let slot = await enter('first');
  const waiting = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(async (name) => {
    const mine = await enter(name.charAt(0));
    order.push(name);
    slot = mine;
  });
  for (let served = 0; served < waiting.length; served++) {
    const before = order.length;
    slot.release();
    await eventually(() => order.length > before, { intervalMs: 1 });
  }
  await Promise.all(waiting);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a call is rejected at once if the queue of its account is full', async () => {
  const { enter } = open(1, 1, { waitingMax: 2, ownWaitMsMax: 60_000 });
  const slot = await enter('a');
  const waiting = [enter('a'), enter('a')];
  await expect(enter('a')).rejects.toMatchObject({ code: 'too_many_requests' });
  slot.release();
  (await waiting[0])?.release();
  (await waiting[1])?.release();
});

test('a call fails with unavailable if other accounts use all connections', async () => {
  const { enter } = open(1, 1);
  await enter('a');
  await expect(enter('b')).rejects.toMatchObject({ code: 'unavailable' });
});

test('a client that disconnects while its call waits gets no slot', async () => {
  const { enter, shares } = open(1, 1, { ownWaitMsMax: 60_000 });
  const slot = await enter('a');
  let hasLeft = false;
  const waiting = shares.acquire({ accountId: 'a', plan: 'scale' }, () => hasLeft);
  hasLeft = true;
  slot.release();
  await expect(waiting).rejects.toMatchObject({ code: 'request_timeout' });
  await enter('a');
});

test('more than 5 s of database time of failed calls rejects calls until it has drained', async () => {
  const api = open(10, 2);
  await fail(api, 'a', 4_000);
  await fail(api, 'a', 4_000);
  // 8,000 ms less what drained meanwhile, 100 ms a second.
  const rejected = {
    code: 'too_many_requests',
    details: { retryAfterSeconds: expect.closeTo(26) },
  };
  await expect(api.enter('a')).rejects.toMatchObject(rejected);
  await api.enter('b');
  api.advance(25_900);
  await expect(api.enter('a')).rejects.toMatchObject({ code: 'too_many_requests' });
  api.advance(200);
  await api.enter('a');
});

test('failed calls reject the calls of an account for a minute at most', async () => {
  const api = open(10, 8);
  const slots = await Promise.all(Array.from({ length: 8 }, () => api.enter('a')));
  const failed = slots.map((slot) =>
    slot.run(async () => {
      api.advance(10_000);
      throw new Error('rejected');
    }),
  );
  await Promise.allSettled(failed);
  await expect(api.enter('a')).rejects.toMatchObject({
    details: { retryAfterSeconds: expect.closeTo(60) },
  });
});

test('a time limit counts as unpaid time; an outage and a successful read do not', async () => {
  const outage = open(10, 2);
  for (let calls = 0; calls < 4; calls++) await fail(outage, 'a', 9_000, OUTAGE);
  const slot = await outage.enter('a');
  await slot.run(async () => outage.advance(60_000));
  await outage.enter('a');
  const timeLimit = open(10, 2);
  await fail(timeLimit, 'a', 9_000, TIME_LIMIT);
  await expect(timeLimit.enter('a')).rejects.toMatchObject({ code: 'too_many_requests' });
});

test.each(['free', 'scale'] as const)(
  'after a stall of the database, which every read exceeded, calls of %s accounts are served at once',
  async (plan) => {
    const { enter, advance } = open(10, 2);
    const accounts = ['a', 'b', 'c'];
    for (let round = 0; round < 3; round++) {
      const slots = await Promise.all(accounts.flatMap((id) => [enter(id, plan), enter(id, plan)]));
      let isFirst = true;
      const reads = slots.map((slot) =>
        slot.run(async () => {
          if (isFirst) advance(10_000);
          isFirst = false;
          throw TIME_LIMIT;
        }),
      );
      await Promise.allSettled(reads);
    }
    // A read that only waited for the end of the stall does not count either.
    const [slow, other] = [await enter('a', plan), await enter('b', plan)];
    await slow.run(async () => advance(3_000));
    other.release();
    for (const id of accounts) (await enter(id, plan)).release();
  },
);

test('a time limit counts while reads of other accounts succeed', async () => {
  const { enter, advance } = open(10, 2);
  const slot = await enter('a');
  const read = slot.run(async () => {
    for (let second = 0; second < 18; second++) {
      const other = await enter('b');
      await other.run(async () => advance(500));
    }
    throw TIME_LIMIT;
  });
  await expect(read).rejects.toBe(TIME_LIMIT);
  await expect(enter('a')).rejects.toMatchObject({ code: 'too_many_requests' });
});

test('an account that reads permanently has half its slots while others call', async () => {
  const { enter, advance } = open(10, 4, { otherActiveMs: 100 });
  const read = async (ms: number, calls: number) => {
    const slots = await Promise.all(Array.from({ length: calls }, () => enter('a')));
    const [first, ...others] = slots.map((slot) => slot.run(async () => advance(ms)));
    await Promise.all([first, ...others]);
  };
  // Four concurrent reads use twice the sustained rate of two.
  await read(1_000, 4);
  (await enter('b')).release();
  const slots = [await enter('a'), await enter('a')];
  await expect(enter('a')).rejects.toMatchObject({ code: 'too_many_requests' });
  // Alone it has all of them.
  advance(150);
  slots.push(await enter('a'), await enter('a'));
  await expect(enter('a')).rejects.toMatchObject({ code: 'too_many_requests' });
  for (const slot of slots) slot.release();
  // The excess has drained.
  advance(2_000);
  (await enter('b')).release();
  await Promise.all(Array.from({ length: 4 }, () => enter('a')));
});

test('an account on the free plan reads a tenth of the time while others call, else all the time', async () => {
  const { enter, advance } = open(10, 2, { otherActiveMs: 1_000 });
  const read = async (ms: number): Promise<void> => {
    const slot = await enter('a', 'free');
    await slot.run(async () => advance(ms));
  };
  await read(3_000);
  await read(3_000);
  (await enter('b')).release();
  // 6,000 ms less 100 ms for each of the three seconds after the first read, less the burst.
  await expect(enter('a', 'free')).rejects.toMatchObject({
    code: 'too_many_requests',
    details: { retryAfterSeconds: expect.closeTo((6_000 - 300 - 1_000) / 100) },
  });
  advance(47_000);
  (await enter('b')).release();
  (await enter('a', 'free')).release();
});

test.each(['free', 'scale'] as const)(
  'a lone %s account keeps its slots after a call that used no database time',
  async (plan) => {
    const { enter, advance } = open(10, 4);
    // An idle account is evicted.
    (await enter('a', plan)).release();
    const slots = await Promise.all(Array.from({ length: 4 }, () => enter('a', plan)));
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const reads = slots.map((slot) => slot.run(() => ended));
    advance(900);
    end();
    await Promise.all(reads);
    await Promise.all(Array.from({ length: 4 }, () => enter('a', plan)));
  },
);

test('an account that changes to a paid plan gets the share of that plan at once', async () => {
  const { enter, advance } = open(10, 2);
  const slot = await enter('a', 'free');
  await slot.run(async () => advance(3_000));
  (await enter('b')).release();
  await expect(enter('a', 'free')).rejects.toMatchObject({ code: 'too_many_requests' });
  (await enter('a', 'starter')).release();
  (await enter('b')).release();
  await Promise.all([enter('a', 'starter'), enter('a', 'starter')]);
});

test('a read that ends in an outage of the database does not count as time of the account', async () => {
  const shares = open(10, 2);
  const { enter, advance } = shares;
  const slot = await enter('a', 'free');
  const read = slot.run(async () => {
    advance(11_000);
    throw OUTAGE;
  });
  await expect(read).rejects.toBe(OUTAGE);
  (await enter('b')).release();
  (await enter('a', 'free')).release();
});

test('an account on a paid plan keeps half its slots, independent of its reading time', async () => {
  const { enter, advance } = open(10, 2);
  const slot = await enter('a');
  await slot.run(async () => advance(60_000));
  (await enter('b')).release();
  const kept = await enter('a');
  await expect(enter('a')).rejects.toMatchObject({ code: 'too_many_requests' });
  kept.release();
});
