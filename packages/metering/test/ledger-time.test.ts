// Tests docs/spec/credits.md 10.7.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newAccount } from './support/account.ts';
import { STORES, type StoreUnderTest, TIMES } from './support/stores.ts';

describe.each(STORES)('time, for the ledger %s', (_, open) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  describe('a hold without a settlement or release', () => {
    test('falls back to the account when its time is over', async () => {
      const { reserve, balance } = await newAccount(store);
      const fromMs = store.nowMs();
      const held = await reserve(500, 'a');
      const heldMs = held.status === 'held' ? held.expiresAt.getTime() - TIMES.holdMs : Number.NaN;
      expect(heldMs).toBeGreaterThanOrEqual(fromMs);
      expect(heldMs).toBeLessThanOrEqual(store.nowMs());
      store.advance(TIMES.holdMs - 10_000);
      expect(await reserve(1)).toMatchObject({ status: 'exhausted' });
      store.advance(10_000);
      expect(await balance()).toMatchObject({ balance: { held: 0, remaining: 500 } });
    });

    test('can be settled late in full while the account still has as much', async () => {
      const { reserve, settle, charges } = await newAccount(store);
      await reserve(100, 'a');
      store.advance(TIMES.holdMs);
      expect(await settle('a', 60)).toMatchObject({ charged: 60, balance: { used: 60, held: 0 } });
      expect(await settle('a', 60)).toMatchObject({ charged: 60, balance: { used: 60 } });
      expect(await charges()).toHaveLength(1);
    });

    test('is charged late at most what the account still has', async () => {
      const { reserve, settle } = await newAccount(store);
      await reserve(100, 'a');
      store.advance(TIMES.holdMs);
      await reserve(450, 'b');
      expect(await settle('a', 90)).toMatchObject({ charged: 50, balance: { remaining: 0 } });
      expect(await settle('b', 450)).toMatchObject({ charged: 450, balance: { used: 500 } });
    });

    test('is given back once, whatever the clock does: set back, it is still late', async () => {
      const { reserve, settle, release, balance } = await newAccount(store);
      await reserve(400, 'a');
      await reserve(50, 'b');
      store.advance(TIMES.holdMs);
      expect(await balance()).toMatchObject({ balance: { held: 0, remaining: 500 } });
      store.advance(-10_000);
      expect(await reserve(400, 'a')).toMatchObject({ status: 'finished', charged: 0 });
      expect(await release('a')).toMatchObject({ balance: { held: 0, remaining: 500 } });
      await reserve(480, 'c');
      expect(await settle('b', 50)).toMatchObject({ charged: 20, balance: { held: 480 } });
    });

    test('has ended for a repeated call, and its record expires', async () => {
      const { reserve, settle } = await newAccount(store);
      await reserve(100, 'a');
      store.advance(TIMES.holdMs);
      expect(await reserve(100, 'a')).toMatchObject({ status: 'finished', charged: 0 });
      store.advance(TIMES.lateMs);
      expect(await settle('a', 100)).toMatchObject({ charged: 0, balance: { used: 0 } });
    });
  });

  describe('the month', () => {
    test('refills the allowance once, on the first', async () => {
      const { reserve, settle, balance } = await newAccount(store);
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
      const { reserve, settle, charges } = await newAccount(store);
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
      const { reserve, settle } = await newAccount(store);
      store.setClock('2026-03-31T23:58:50Z');
      await reserve(480, 'a');
      await settle('a', 480);
      await reserve(20, 'b');
      store.setClock('2026-04-01T00:00:10Z');
      expect(await settle('b', 20)).toMatchObject({ charged: 20, balance: { used: 0 } });
    });

    test('is not turned back with the clock', async () => {
      const { reserve, settle, balance } = await newAccount(store);
      store.setClock('2026-04-01T00:00:10Z');
      await reserve(300, 'a');
      await settle('a', 300);
      store.setClock('2026-03-31T23:00:00Z');
      expect(await balance()).toMatchObject({ balance: { period: 202604, remaining: 200 } });
      store.setClock('2026-04-02T00:00:00Z');
      expect(await balance()).toMatchObject({ balance: { period: 202604, remaining: 200 } });
    });

    test('may pass without a call', async () => {
      const { reserve, settle, balance } = await newAccount(store);
      await reserve(300, 'a');
      await settle('a', 300);
      store.setClock('2028-02-29T12:00:00Z');
      expect(await balance()).toMatchObject({
        balance: { period: 202802, remaining: 500, resetAt: new Date('2028-03-01') },
      });
    });
  });
});
