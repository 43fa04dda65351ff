// Tests docs/spec/credits.md 10.4, 10.14.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount } from '@vcds/credentials';
import { type Once, OPEN_HOLDS_MAX } from '@vcds/metering';
import { newAccount } from './support/account.ts';
import { requestOf } from './support/request.ts';
import { STORES, type StoreUnderTest, TIMES } from './support/stores.ts';

describe.each(STORES)('the ledger %s', (_, open) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  describe('calls with one idempotency key', () => {
    const DAY_MS = 86_400_000;
    const chargerOf = async () => {
      const { account, balance } = await newAccount(store);
      const charge = (actual: number, once: Once) => {
        const request = requestOf(account, { max: 100 });
        return store.ledger.charge({ ...request, actual, period: 202_603, once });
      };
      return { account, balance, charge };
    };

    test('are charged once, whatever the number at the same time, and again after a day', async () => {
      const { charge, balance } = await chargerOf();
      const once = { key: 'k', request: 'r' };
      const all = await Promise.all([7, 8, 9, 10].map((actual) => charge(actual, once)));
      const statuses = all.map(({ status }) => status).sort();
      expect(statuses).toEqual(['repeated', 'repeated', 'repeated', 'settled']);
      const charged = all.map((each) => ('charged' in each ? each.charged : undefined));
      const [first = 0] = charged;
      expect(charged).toEqual([first, first, first, first]);
      expect(await charge(5, { key: 'other', request: 'r' })).toMatchObject({ status: 'settled' });
      expect(await balance()).toMatchObject({ balance: { used: first + 5 } });
      store.advance(DAY_MS - 60_000);
      expect(await charge(7, once)).toMatchObject({ status: 'repeated', charged: first });
      store.advance(120_000);
      expect(await charge(7, once)).toMatchObject({ status: 'settled', charged: 7 });
    });

    test('belong to one request; others are not charged', async () => {
      const { account, charge, balance } = await chargerOf();
      await charge(7, { key: 'k', request: 'r' });
      const other = { key: 'k', request: 's' };
      expect(await charge(7, other)).toEqual({ status: 'mismatch' });
      expect(await store.ledger.balanceFor(account, 500, other)).toEqual({ status: 'mismatch' });
      expect(await balance()).toMatchObject({ balance: { used: 7 } });
    });

    test('succeed without credits if one was charged, and a rejected one has not used its key', async () => {
      const { charge } = await chargerOf();
      const once = { key: 'k', request: 'r' };
      for (const key of ['a', 'b', 'c', 'd', 'k']) await charge(100, { key, request: 'r' });
      expect(await charge(100, { key: 'e', request: 'r' })).toMatchObject({ status: 'exhausted' });
      expect(await charge(100, once)).toMatchObject({ status: 'repeated', charged: 100 });
      expect(await charge(100, { key: 'e', request: 's' })).toMatchObject({ status: 'exhausted' });
    });
  });

  describe('a call', () => {
    test('holds its ceiling, then pays what it cost and gets the rest back', async () => {
      const { reserve, settle, balance } = await newAccount(store);
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
      const { reserve, release, charges } = await newAccount(store);
      await reserve(100, 'a');
      expect(await release('a')).toMatchObject({
        charged: 0,
        balance: { remaining: 500, held: 0 },
      });
      expect(await charges()).toEqual([]);
    });

    test('may use the last credit and not one more', async () => {
      const { reserve } = await newAccount(store);
      expect(await reserve(500)).toMatchObject({ status: 'held', balance: { remaining: 0 } });
      expect(await reserve(1)).toMatchObject({
        status: 'exhausted',
        required: 1,
        balance: { limit: 500, remaining: 0, used: 0, held: 500 },
      });
    });

    test('that is rejected may be repeated smaller', async () => {
      const { reserve } = await newAccount(store);
      await reserve(480);
      const op = randomUUID();
      expect(await reserve(25, op)).toMatchObject({ status: 'exhausted', required: 25 });
      expect(await reserve(20, op)).toMatchObject({ status: 'held', balance: { remaining: 0 } });
    });

    test('cannot be charged more than it held', async () => {
      const { reserve, settle } = await newAccount(store);
      await reserve(10, 'a');
      await expect(settle('a', 11)).rejects.toThrow(RangeError);
      expect(await settle('a', 10)).toMatchObject({ charged: 10, balance: { used: 10, held: 0 } });
    });
  });

  describe('a charge without a hold', () => {
    test('needs what a hold needs, and is the charge that a hold would have settled', async () => {
      const { reserve, charge, charges } = await newAccount(store);
      await reserve(380, 'a');
      expect(await charge(121, 1)).toMatchObject({
        status: 'exhausted',
        required: 121,
        balance: { remaining: 120, used: 0, held: 380 },
      });
      expect(await charge(120, 37, { op: 'b' })).toMatchObject({
        status: 'settled',
        charged: 37,
        balance: { remaining: 83, used: 37, held: 380 },
      });
      const call = { keyId: 'key-1', endpoint: '/startups', requestId: 'request-1' };
      expect(await charges()).toMatchObject([{ op: 'b', ...call, charged: 37, period: 202603 }]);
    });

    test('is made once, however often it is repeated, and then cannot be released', async () => {
      const { charge, settle, release, charges } = await newAccount(store);
      const first = await charge(100, 30, { op: 'a' });
      expect(await charge(100, 30, { op: 'a' })).toEqual(first);
      expect(await charge(500, 99, { op: 'a' })).toEqual(first);
      expect(await settle('a', 99)).toMatchObject({ charged: 30, balance: { used: 30 } });
      expect(await release('a')).toMatchObject({ charged: 30, balance: { used: 30 } });
      expect(await charges()).toHaveLength(1);
    });

    test('spends the allowance, then purchased credits, and not one more', async () => {
      const { account, charge, charges } = await newAccount(store);
      await store.accounts.setPurchased(account, 100);
      expect(await charge(550, 550)).toMatchObject({
        charged: 550,
        balance: { remaining: 50, used: 500, purchased: 50 },
      });
      expect(await charge(51, 1)).toMatchObject({ status: 'exhausted', required: 51 });
      expect(await charge(50, 50)).toMatchObject({ charged: 50, balance: { remaining: 0 } });
      expect((await charges()).map(({ purchased }) => purchased)).toEqual([50, 50]);
    });

    test('of a revoked key is rejected, and of a closed bucket unavailable; both are free', async () => {
      const { account, charge, balance } = await newAccount(store);
      await store.accounts.revokeKey(account, 'key-2');
      expect(await charge(10, 10, { keyId: 'key-2' })).toEqual({ status: 'revoked' });
      await store.stream.close(bucketOfAccount(account));
      expect(await charge(10, 10)).toMatchObject({ status: 'unavailable' });
      await store.stream.open(bucketOfAccount(account), 0);
      expect(await balance()).toMatchObject({ balance: { used: 0, held: 0, remaining: 500 } });
    });

    test('belongs to the month that its call began in', async () => {
      const { reserve, settle, charge, charges } = await newAccount(store);
      await reserve(450, 'a');
      await settle('a', 450);
      store.setClock('2026-04-01T00:00:10Z');
      expect(await charge(50, 50)).toMatchObject({
        charged: 50,
        balance: { period: 202604, used: 0, remaining: 500 },
      });
      expect(await charge(10, 10, { period: 202604 })).toMatchObject({ balance: { used: 10 } });
      // That month is over for long.
      store.setClock('2026-06-01T00:00:10Z');
      expect(await charge(10, 10)).toMatchObject({ balance: { period: 202606, used: 10 } });
      expect((await charges()).map(({ period }) => period)).toEqual([
        202603, 202603, 202604, 202606,
      ]);
    });

    test('belongs to the current month if the one that its call began in cannot pay', async () => {
      const { account, reserve, settle, charge, charges } = await newAccount(store);
      await reserve(450, 'a');
      await settle('a', 450);
      store.setClock('2026-04-01T00:00:10Z');
      expect(await charge(51, 25)).toMatchObject({
        status: 'settled',
        charged: 25,
        balance: { period: 202604, used: 25, remaining: 475 },
      });
      // Neither month can pay, although both together could; the balance explains the rejection.
      expect(await charge(476, 476)).toMatchObject({
        status: 'exhausted',
        balance: { period: 202604, remaining: 475 },
      });
      // Purchased credits are for either month.
      await store.accounts.setPurchased(account, 10);
      expect(await charge(485, 485)).toMatchObject({ charged: 485, balance: { remaining: 0 } });
      expect((await charges()).map(({ period }) => period)).toEqual([202603, 202604, 202604]);
    });

    test('is not made for an operation that was reserved, or for more than its ceiling', async () => {
      const { reserve, settle, charge } = await newAccount(store);
      await reserve(10, 'a');
      await expect(charge(10, 5, { op: 'a' })).rejects.toThrow('settled and not charged');
      expect(await settle('a', 5)).toMatchObject({ charged: 5 });
      await expect(charge(10, 11)).rejects.toThrow(RangeError);
    });
  });

  describe('a repeated call', () => {
    test('holds once, and answers as the first time', async () => {
      const { reserve } = await newAccount(store);
      const first = await reserve(100, 'a');
      expect(await reserve(100, 'a')).toEqual(first);
      expect(await reserve(250, 'a')).toEqual(first);
    });

    test('is charged once, and reports the first charge', async () => {
      const { reserve, settle, release, charges } = await newAccount(store);
      await reserve(100, 'a');
      await settle('a', 30);
      expect(await settle('a', 30)).toMatchObject({ charged: 30, balance: { used: 30 } });
      expect(await settle('a', 99)).toMatchObject({ charged: 30, balance: { used: 30 } });
      expect(await release('a')).toMatchObject({ charged: 30, balance: { used: 30 } });
      expect(await charges()).toHaveLength(1);
    });

    test('that is over holds nothing again', async () => {
      const { reserve, settle } = await newAccount(store);
      await reserve(100, 'a');
      await settle('a', 30);
      expect(await reserve(100, 'a')).toMatchObject({
        status: 'finished',
        charged: 30,
        balance: { held: 0, remaining: 470 },
      });
    });

    test('of one account does not touch an operation of the same id of another', async () => {
      const [mine, theirs] = [await newAccount(store), await newAccount(store)];
      await mine.reserve(100, 'same');
      await theirs.reserve(50, 'same');
      expect(await theirs.settle('same', 50)).toMatchObject({ charged: 50 });
      expect(await mine.settle('same', 100)).toMatchObject({ charged: 100 });
    });
  });

  describe('keys', () => {
    test('of one account share its balance', async () => {
      const { reserve } = await newAccount(store);
      await reserve(300, 'a', 'key-1');
      expect(await reserve(300, 'b', 'key-2')).toMatchObject({
        status: 'exhausted',
        balance: { remaining: 200 },
      });
    });

    test('that are revoked hold nothing, while calls they began still settle', async () => {
      const { account, reserve, settle } = await newAccount(store);
      await reserve(10, 'a', 'key-1');
      await store.accounts.revokeKey(account, 'key-1');
      expect(await reserve(10, 'b', 'key-1')).toEqual({ status: 'revoked' });
      expect(await reserve(10, 'c', 'key-2')).toMatchObject({ status: 'held' });
      expect(await settle('a', 10)).toMatchObject({ charged: 10 });
    });
  });

  test('numbers of every size in bounds stay exact', async () => {
    const { reserve, settle } = await newAccount(store, 1_000_000_000_000);
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
    ['a short request id', { requestId: 'abcdefg' }],
    ['a long request id', { requestId: 'a'.repeat(65) }],
    ['a request id of other characters', { requestId: 'pk_live_abc' }],
    ['a request id with a blank', { requestId: 'request 1' }],
    ['no credits', { max: 0 }],
    ['a fraction of a credit', { max: 1.5 }],
    ['too many credits', { max: 1_000_000_001 }],
    ['a negative limit', { limit: -1 }],
  ])('a reservation with %s is a fault of the caller', async (__, change) => {
    const request = {
      account: 'a',
      op: 'o',
      keyId: 'k',
      endpoint: '/x',
      requestId: 'request-1',
      max: 1,
      limit: 1,
    };
    await expect(store.ledger.reserve({ ...request, ...change })).rejects.toThrow(RangeError);
  });

  test('an account cannot have more calls under way than bounded', async () => {
    const { reserve } = await newAccount(store, 1_000_000);
    // In groups of a hundred, so that the last reply arrives before the client's timeout.
    for (let held = 0; held < OPEN_HOLDS_MAX; held += 128) {
      const some = await Promise.all(Array.from({ length: 128 }, () => reserve(1)));
      expect(new Set(some.map(({ status }) => status))).toEqual(new Set(['held']));
    }
    expect(await reserve(1)).toMatchObject({ status: 'unavailable' });
    store.advance(TIMES.holdMs);
    expect(await reserve(1)).toMatchObject({ status: 'held', balance: { held: 1 } });
  });
});
