// Tests docs/spec/credits.md 10.10.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BUCKETS, bucketOfAccount } from '@vcds/credentials';
import { createLedgerSyncer, drainBucket, healBucket, type LedgerStore } from '@vcds/metering';
import { memoryStore } from './support/memory-store.ts';
import { requestOf } from './support/request.ts';
import { openAccount, STORES, type StoreUnderTest } from './support/stores.ts';

describe.each(STORES)('healing a ledger %s', (_, open) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const reserve = (account: string, op: string, max: number) =>
    store.ledger.reserve(requestOf(account, { op, max }));
  const charge = async (account: string, op: string, credits: number): Promise<void> => {
    await reserve(account, op, credits);
    await store.ledger.settle({ account, op }, credits);
  };

  /** A ledger during whose every reading of totals one more call under way is settled. */
  const busy = (account: string, rounds: number): LedgerStore => {
    const kept = memoryStore();
    let settled = 0;
    return {
      ...kept,
      totals: async function* (bucket) {
        if (settled < rounds) await store.ledger.settle({ account, op: `${++settled}` }, 1);
        yield* kept.totals(bucket);
      },
    };
  };

  test('does not open a bucket before its last charge is drained', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    await charge(account, 'a', 10);
    await store.stream.close(bucket);
    const totals = { account, period: 202603, used: 10, spent: 0, seq: 1, purchased: 0, keys: [] };
    expect(await store.stream.restore(bucket, [totals])).toBe('moved');
    expect(await store.stream.open(bucket, 1)).toBe('moved');
    await healBucket(store.stream, memoryStore(), bucket);
    expect(await store.ledger.balance(account, 500)).toMatchObject({ balance: { used: 10 } });
  });

  test('raises accounts to the ledger, lowers none, and brings purchases back', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    await charge(account, 'a', 10);
    const kept = memoryStore();
    await drainBucket(store.stream, kept, bucket);
    const [entry] = kept.of(account);
    if (entry === undefined) throw new Error('The charge was not drained.');
    const lost = { ...entry, op: 'lost', charged: 40, purchased: 15, seq: 2, bucketSeq: 2 };
    await kept.commit(bucket, [lost]);
    kept.purchases.set(account, 100);
    await healBucket(store.stream, kept, bucket);
    expect(await store.ledger.balance(account, 500)).toMatchObject({
      balance: { used: 35, purchased: 85, remaining: 550 },
    });
    await charge(account, 'b', 1);
    expect(await drainBucket(store.stream, kept, bucket)).toMatchObject({ isBehind: false });
    expect(kept.of(account).at(-1)).toMatchObject({ op: 'b', seq: 3, bucketSeq: 3 });
    // An older or smaller ledger changes nothing.
    await healBucket(store.stream, memoryStore(), bucket);
    expect(await store.ledger.balance(account, 500)).toMatchObject({ balance: { used: 36 } });
  });

  test('reaches last month, and leaves a month that is over alone', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    const totals = { account, used: 70, spent: 0, seq: 1, purchased: 0, keys: [] };
    await store.stream.close(bucket);
    for (const period of [202602, 202603, 202512]) {
      expect(await store.stream.restore(bucket, [{ ...totals, period }])).toBe('done');
    }
    await store.stream.open(bucket, 0);
    expect(await store.ledger.balance(account, 500)).toMatchObject({
      balance: { period: 202603, used: 70, remaining: 430 },
    });
  });

  test('restores only accounts of the bucket, and a bounded number', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    const totals = { account, period: 202603, used: 1, spent: 0, seq: 1, purchased: 0, keys: [] };
    const elsewhere = (bucket + 1) % BUCKETS;
    await expect(store.stream.restore(elsewhere, [totals])).rejects.toThrow(RangeError);
    const many = Array.from({ length: 501 }, () => totals);
    await expect(store.stream.restore(bucket, many)).rejects.toThrow(RangeError);
  });

  test('waits for calls under way to settle, and counts them', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    for (let op = 1; op <= 5; op++) await reserve(account, `${op}`, 2);
    await healBucket(store.stream, busy(account, 5), bucket);
    expect(await store.ledger.balance(account, 500)).toMatchObject({
      balance: { used: 5, held: 0 },
    });
  });

  test('gives up on a bucket that never comes to rest, and leaves it closed', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    for (let op = 1; op <= 100; op++) await reserve(account, `${op}`, 2);
    const healing = healBucket(store.stream, busy(account, 100), bucket);
    await expect(healing).rejects.toThrow('keeps being charged');
    expect(await store.stream.standing(bucket)).toMatchObject({ isOpen: false });
    await healBucket(store.stream, memoryStore(), bucket);
    expect(await store.ledger.balance(account, 500)).toMatchObject({ balance: { used: 100 } });
  });

  test('acknowledges nothing that was not committed', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    const kept = memoryStore();
    let broken = true;
    const failing: LedgerStore = {
      ...kept,
      commit: async (number, entries) => {
        if (broken && number === bucket) throw new Error('PostgreSQL is away.');
        return kept.commit(number, entries);
      },
    };
    await createLedgerSyncer(store.stream, kept).pass();
    const syncer = createLedgerSyncer(store.stream, failing);
    await charge(account, 'a', 5);
    expect(await syncer.pass()).toMatchObject({
      committed: 0,
      failed: [{ bucket, error: new Error('PostgreSQL is away.') }],
    });
    expect(await store.stream.standing(bucket)).toMatchObject({ pending: 1 });
    broken = false;
    expect(await syncer.pass()).toEqual({ committed: 1, healed: [], failed: [] });
    expect(kept.of(account)).toHaveLength(1);
  });
});
