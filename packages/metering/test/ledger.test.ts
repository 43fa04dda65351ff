import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount } from '@vcds/credentials';
import { OPEN_HOLDS_MAX, type Reservation } from '@vcds/metering';
import { NOON, openAccount, STORES, type StoreUnderTest, TIMES } from './support/stores.ts';

describe.each(STORES)('the ledger %s', (_, open) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const calls = (account: string, limit = 500) => ({
    reserve: (max: number, op: string = randomUUID(), keyId = 'key-1'): Promise<Reservation> =>
      store.ledger.reserve({ account, op, keyId, endpoint: '/startups', max, limit }),
    settle: (op: string, actual: number) => store.ledger.settle({ account, op }, actual),
    release: (op: string) => store.ledger.release({ account, op }),
    balance: () => store.ledger.balance(account, limit),
    charges: async () => {
      const { entries } = await store.stream.read(bucketOfAccount(account), 10_000);
      return entries.filter((entry) => entry.account === account);
    },
  });
  const newAccount = async (limit?: number) => {
    store.setClock(NOON);
    const account = await openAccount(store);
    return { account, ...calls(account, limit) };
  };

  describe('a call', () => {
    test('holds its ceiling, then pays what it cost and gets the rest back', async () => {
      const { reserve, settle, balance } = await newAccount();
      const held = await reserve(100, 'a');
      expect(held).toMatchObject({
        status: 'held',
        amount: 100,
        balance: { limit: 500, remaining: 400, used: 0, held: 100, purchased: 0, period: 202603 },
      });
      expect(await settle('a', 37)).toMatchObject({
        status: 'settled',
        charged: 37,
        balance: { remaining: 463, used: 37, held: 0 },
      });
      expect(await balance()).toMatchObject({
        status: 'known',
        balance: { remaining: 463, resetAt: new Date('2026-04-01T00:00:00Z') },
      });
    });

    test('that is released costs nothing and leaves no charge', async () => {
      const { reserve, release, charges } = await newAccount();
      await reserve(100, 'a');
      expect(await release('a')).toMatchObject({
        charged: 0,
        balance: { remaining: 500, held: 0 },
      });
      expect(await charges()).toEqual([]);
    });

    test('may use the last credit and not one more', async () => {
      const { reserve } = await newAccount();
      expect(await reserve(500)).toMatchObject({ status: 'held', balance: { remaining: 0 } });
      expect(await reserve(1)).toMatchObject({
        status: 'exhausted',
        required: 1,
        balance: { limit: 500, remaining: 0, used: 0, held: 500 },
      });
    });

    test('that is refused may be repeated smaller', async () => {
      const { reserve } = await newAccount();
      await reserve(480);
      const op = randomUUID();
      expect(await reserve(25, op)).toMatchObject({ status: 'exhausted', required: 25 });
      expect(await reserve(20, op)).toMatchObject({ status: 'held', balance: { remaining: 0 } });
    });

    test('cannot be charged more than it held', async () => {
      const { reserve, settle } = await newAccount();
      await reserve(10, 'a');
      await expect(settle('a', 11)).rejects.toThrow(RangeError);
      expect(await settle('a', 10)).toMatchObject({ charged: 10, balance: { used: 10, held: 0 } });
    });
  });

  describe('a repeated call', () => {
    test('holds once, and answers as the first time', async () => {
      const { reserve } = await newAccount();
      const first = await reserve(100, 'a');
      expect(await reserve(100, 'a')).toEqual(first);
      expect(await reserve(250, 'a')).toEqual(first);
    });

    test('is charged once, and is told the first charge', async () => {
      const { reserve, settle, release, charges } = await newAccount();
      await reserve(100, 'a');
      await settle('a', 30);
      expect(await settle('a', 30)).toMatchObject({ charged: 30, balance: { used: 30 } });
      expect(await settle('a', 99)).toMatchObject({ charged: 30, balance: { used: 30 } });
      expect(await release('a')).toMatchObject({ charged: 30, balance: { used: 30 } });
      expect(await charges()).toHaveLength(1);
    });

    test('that is over holds nothing again', async () => {
      const { reserve, settle } = await newAccount();
      await reserve(100, 'a');
      await settle('a', 30);
      expect(await reserve(100, 'a')).toMatchObject({
        status: 'finished',
        charged: 30,
        balance: { held: 0, remaining: 470 },
      });
    });

    test('of one account does not touch an operation of the same id of another', async () => {
      const [mine, theirs] = [await newAccount(), await newAccount()];
      await mine.reserve(100, 'same');
      await theirs.reserve(50, 'same');
      expect(await theirs.settle('same', 50)).toMatchObject({ charged: 50 });
      expect(await mine.settle('same', 100)).toMatchObject({ charged: 100 });
    });
  });

  describe('keys', () => {
    test('of one account share its balance', async () => {
      const { reserve } = await newAccount();
      await reserve(300, 'a', 'key-1');
      expect(await reserve(300, 'b', 'key-2')).toMatchObject({
        status: 'exhausted',
        balance: { remaining: 200 },
      });
    });

    test('that are revoked hold nothing, while calls they began still settle', async () => {
      const { account, reserve, settle } = await newAccount();
      await reserve(10, 'a', 'key-1');
      await store.accounts.revokeKey(account, 'key-1');
      expect(await reserve(10, 'b', 'key-1')).toEqual({ status: 'revoked' });
      expect(await reserve(10, 'c', 'key-2')).toMatchObject({ status: 'held' });
      expect(await settle('a', 10)).toMatchObject({ charged: 10 });
    });
  });

  describe('a hold nobody ends', () => {
    test('falls back to the account when its time is over', async () => {
      const { reserve, balance } = await newAccount();
      const held = await reserve(500, 'a');
      const expiresMs = held.status === 'held' ? held.expiresAt.getTime() : Number.NaN;
      expect(Math.abs(expiresMs - store.nowMs() - TIMES.holdMs)).toBeLessThan(5_000);
      store.advance(TIMES.holdMs - 10_000);
      expect(await reserve(1)).toMatchObject({ status: 'exhausted' });
      store.advance(10_000);
      expect(await balance()).toMatchObject({ balance: { held: 0, remaining: 500 } });
    });

    test('can be settled late in full while the account still has as much', async () => {
      const { reserve, settle, charges } = await newAccount();
      await reserve(100, 'a');
      store.advance(TIMES.holdMs);
      expect(await settle('a', 60)).toMatchObject({ charged: 60, balance: { used: 60, held: 0 } });
      expect(await settle('a', 60)).toMatchObject({ charged: 60, balance: { used: 60 } });
      expect(await charges()).toHaveLength(1);
    });

    test('is charged late at most what the account still has', async () => {
      const { reserve, settle } = await newAccount();
      await reserve(100, 'a');
      store.advance(TIMES.holdMs);
      await reserve(450, 'b');
      expect(await settle('a', 90)).toMatchObject({ charged: 50, balance: { remaining: 0 } });
      expect(await settle('b', 450)).toMatchObject({ charged: 450, balance: { used: 500 } });
    });

    test('is over for whoever repeats the call, and is forgotten in the end', async () => {
      const { reserve, settle } = await newAccount();
      await reserve(100, 'a');
      store.advance(TIMES.holdMs);
      expect(await reserve(100, 'a')).toMatchObject({ status: 'finished', charged: 0 });
      store.advance(TIMES.lateMs);
      expect(await settle('a', 100)).toMatchObject({ charged: 0, balance: { used: 0 } });
    });
  });

  describe('the month', () => {
    test('refills the allowance once, on the first', async () => {
      const { reserve, settle, balance } = await newAccount();
      store.setClock('2026-03-31T23:59:30Z');
      await reserve(500, 'a');
      await settle('a', 500);
      expect(await reserve(1)).toMatchObject({ status: 'exhausted' });
      store.setClock('2026-04-01T00:00:10Z');
      expect(await balance()).toMatchObject({
        balance: { remaining: 500, used: 0, period: 202604, resetAt: new Date('2026-05-01') },
      });
      await reserve(500, 'b');
      await settle('b', 500);
      expect(await reserve(1)).toMatchObject({ status: 'exhausted', balance: { used: 500 } });
    });

    test('of a call is the one it began in', async () => {
      const { reserve, settle, charges } = await newAccount();
      store.setClock('2026-12-31T23:59:50Z');
      await reserve(400, 'a');
      store.setClock('2027-01-01T00:00:10Z');
      expect(await reserve(500, 'b')).toMatchObject({ status: 'held', balance: { remaining: 0 } });
      expect(await settle('a', 400)).toMatchObject({ charged: 400, balance: { used: 0 } });
      expect(await settle('b', 500)).toMatchObject({ charged: 500, balance: { used: 500 } });
      expect((await charges()).map(({ op, period }) => [op, period])).toEqual([
        ['a', 202612],
        ['b', 202701],
      ]);
    });

    test('of a late call is charged with what that month had left', async () => {
      const { reserve, settle } = await newAccount();
      store.setClock('2026-03-31T23:58:50Z');
      await reserve(480, 'a');
      await settle('a', 480);
      await reserve(20, 'b');
      store.setClock('2026-04-01T00:00:10Z');
      expect(await settle('b', 20)).toMatchObject({ charged: 20, balance: { used: 0 } });
    });

    test('is not turned back with the clock', async () => {
      const { reserve, settle, balance } = await newAccount();
      store.setClock('2026-04-01T00:00:10Z');
      await reserve(300, 'a');
      await settle('a', 300);
      store.setClock('2026-03-31T23:00:00Z');
      expect(await balance()).toMatchObject({ balance: { period: 202604, remaining: 200 } });
      store.setClock('2026-04-02T00:00:00Z');
      expect(await balance()).toMatchObject({ balance: { period: 202604, remaining: 200 } });
    });

    test('may pass without a call', async () => {
      const { reserve, settle, balance } = await newAccount();
      await reserve(300, 'a');
      await settle('a', 300);
      store.setClock('2028-02-29T12:00:00Z');
      expect(await balance()).toMatchObject({
        balance: { period: 202802, remaining: 500, resetAt: new Date('2028-03-01') },
      });
    });
  });

  describe('purchased credits', () => {
    test('are spent after the allowance and do not lapse', async () => {
      const { account, reserve, settle, balance, charges } = await newAccount();
      await store.accounts.setPurchased(account, 1_000);
      expect(await balance()).toMatchObject({ balance: { limit: 500, remaining: 1_500 } });
      await reserve(600, 'a');
      expect(await settle('a', 600)).toMatchObject({
        balance: { used: 500, purchased: 900, remaining: 900 },
      });
      expect(await charges()).toMatchObject([{ charged: 600, purchased: 100, seq: 1 }]);
      store.setClock('2026-04-02T00:00:00Z');
      expect(await balance()).toMatchObject({ balance: { purchased: 900, remaining: 1_400 } });
    });

    test('are counted once however often a purchase is told', async () => {
      const { account, balance } = await newAccount();
      for (const total of [1_000, 1_000, 400]) await store.accounts.setPurchased(account, total);
      expect(await balance()).toMatchObject({ balance: { purchased: 1_000 } });
    });

    test("that last month's calls may still need are not promised again", async () => {
      const { account, reserve, settle } = await newAccount();
      await store.accounts.setPurchased(account, 100);
      store.setClock('2026-03-31T23:59:50Z');
      await reserve(600, 'a');
      store.setClock('2026-04-01T00:00:10Z');
      expect(await reserve(501, 'b')).toMatchObject({
        status: 'exhausted',
        balance: { remaining: 500, purchased: 100 },
      });
      expect(await settle('a', 550)).toMatchObject({ balance: { purchased: 50, remaining: 550 } });
      expect(await reserve(550, 'c')).toMatchObject({ status: 'held' });
    });
  });

  describe('a plan', () => {
    test('applies from the next call on, raised or lowered', async () => {
      const { account, reserve, settle } = await newAccount();
      await reserve(500, 'a');
      await settle('a', 500);
      expect(await calls(account, 10_000).reserve(600, 'b')).toMatchObject({
        status: 'held',
        balance: { limit: 10_000, remaining: 8_900 },
      });
      await settle('b', 600);
      expect(await reserve(1)).toMatchObject({
        status: 'exhausted',
        balance: { limit: 500, remaining: 0, used: 1_100 },
      });
    });

    test('lowered under calls in flight charges them, and never goes below nothing', async () => {
      const { account, settle, balance } = await newAccount();
      await store.accounts.setPurchased(account, 10);
      await calls(account, 10_000).reserve(5_000, 'a');
      expect(await balance()).toMatchObject({ balance: { limit: 500, remaining: 0, held: 5_000 } });
      expect(await settle('a', 700)).toMatchObject({
        charged: 700,
        balance: { used: 690, purchased: 0, remaining: 0 },
      });
    });
  });

  test('numbers of every size in bounds stay exact', async () => {
    const { reserve, settle } = await newAccount(1_000_000_000_000);
    for (let i = 0; i < 3; i++) {
      await reserve(999_999_999, `op-${i}`);
      await settle(`op-${i}`, 999_999_999);
    }
    expect(await reserve(1)).toMatchObject({
      balance: { limit: 1_000_000_000_000, used: 2_999_999_997, remaining: 997_000_000_002 },
    });
  });

  test.each([
    ['an empty account', { account: '' }],
    ['an op with a space', { op: 'a b' }],
    ['a key id that is too long', { keyId: 'k'.repeat(101) }],
    ['an endpoint with a line break', { endpoint: '/startups\n' }],
    ['no credits', { max: 0 }],
    ['a fraction of a credit', { max: 1.5 }],
    ['too many credits', { max: 1_000_000_001 }],
    ['a negative limit', { limit: -1 }],
  ])('a reservation with %s is a fault of the caller', async (__, change) => {
    const request = { account: 'a', op: 'o', keyId: 'k', endpoint: '/x', max: 1, limit: 1 };
    await expect(store.ledger.reserve({ ...request, ...change })).rejects.toThrow(RangeError);
  });

  test('an account cannot have more calls under way than bounded', async () => {
    const { reserve } = await newAccount(1_000_000);
    // By the hundred, lest the last wait for an answer longer than the client does.
    for (let held = 0; held < OPEN_HOLDS_MAX; held += 128) {
      const some = await Promise.all(Array.from({ length: 128 }, () => reserve(1)));
      expect(new Set(some.map(({ status }) => status))).toEqual(new Set(['held']));
    }
    expect(await reserve(1)).toMatchObject({ status: 'unavailable' });
    store.advance(TIMES.holdMs);
    expect(await reserve(1)).toMatchObject({ status: 'held', balance: { held: 1 } });
  });
});
