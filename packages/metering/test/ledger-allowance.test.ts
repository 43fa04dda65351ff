// Tests docs/spec/credits.md 10.7.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { affordableRecords, quote, rateFor } from '@vcds/metering';
import { accountOn, newAccount } from './support/account.ts';
import { STORES, type StoreUnderTest, TIMES } from './support/stores.ts';

describe.each(STORES)('what an account may spend, for the ledger %s', (_, open) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  describe('purchased credits', () => {
    test('are spent after the allowance and do not expire', async () => {
      const { account, reserve, settle, balance, charges } = await newAccount(store);
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

    test('are counted once however often a purchase is written', async () => {
      const { account, balance } = await newAccount(store);
      for (const total of [1_000, 1_000, 400]) await store.accounts.setPurchased(account, total);
      expect(await balance()).toMatchObject({ balance: { purchased: 1_000 } });
    });

    test("that last month's calls may still need are not promised again", async () => {
      const { account, reserve, settle } = await newAccount(store);
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
      const { account, reserve, settle } = await newAccount(store);
      await reserve(500, 'a');
      await settle('a', 500);
      expect(await accountOn(store, account, 10_000).reserve(600, 'b')).toMatchObject({
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
      const { account, settle, balance } = await newAccount(store);
      await store.accounts.setPurchased(account, 10);
      await accountOn(store, account, 10_000).reserve(5_000, 'a');
      expect(await balance()).toMatchObject({ balance: { limit: 500, remaining: 0, held: 5_000 } });
      expect(await settle('a', 700)).toMatchObject({
        charged: 700,
        balance: { used: 690, purchased: 0, remaining: 0 },
      });
    });
  });
});

const signals = quote(rateFor('/signals'), { ceilingRecords: 50, expands: 2, countOnly: false });
const startups = quote(rateFor('/startups'), { ceilingRecords: 25, expands: 0, countOnly: false });

describe.each(STORES)('the worked example of the README, for the ledger %s', (_, open) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  test('holds, word for word', async () => {
    const { reserve, settle, balance, charges } = await newAccount(store);
    await reserve(480, 'before');
    await settle('before', 480);

    const op = randomUUID();
    expect(signals.ceiling).toBe(19);
    expect(await reserve(signals.ceiling, op)).toMatchObject({
      status: 'held',
      balance: { remaining: 1 },
    });
    expect(await reserve(startups.ceiling)).toMatchObject({ status: 'exhausted', required: 25 });
    expect(affordableRecords(rateFor('/startups'), { credits: 1, expands: 0 })).toBe(1);

    const paid = { status: 'settled', charged: 12, balance: { used: 492, remaining: 8 } };
    expect(await settle(op, signals.settle(30))).toMatchObject(paid);
    expect(await settle(op, signals.settle(30))).toMatchObject(paid);
    expect((await charges()).filter((charge) => charge.op === op)).toHaveLength(1);

    expect(await reserve(8, 'killed')).toMatchObject({ balance: { remaining: 0 } });
    store.advance(TIMES.holdMs);
    expect(await balance()).toMatchObject({ balance: { remaining: 8 } });

    store.setClock('2026-03-31T23:59:55Z');
    expect(await reserve(8, 'late')).toMatchObject({ status: 'held' });
    store.setClock('2026-04-01T00:00:05Z');
    expect(await settle('late', 5)).toMatchObject({
      charged: 5,
      balance: { used: 0, remaining: 500 },
    });
    expect((await charges()).at(-1)).toMatchObject({ period: 202603, charged: 5 });
  });
});
