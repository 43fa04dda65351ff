import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount } from '@vcds/credentials';
import {
  createLedgerSyncer,
  drainBucket,
  type LedgerEntry,
  type LedgerStore,
  type LedgerStream,
} from '@vcds/metering';
import { newAccount } from './support/account.ts';
import { memoryStore } from './support/memory-store.ts';
import { requestOf } from './support/request.ts';
import { openAccount, STORES, type StoreUnderTest } from './support/stores.ts';

describe.each(STORES)('the ledger stream %s', (_, open) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const charge = async (account: string, op: string, credits: number): Promise<void> => {
    await store.ledger.reserve(requestOf(account, { op, max: credits }));
    await store.ledger.settle({ account, op }, credits);
  };

  /** Stores a charge that the stream lost: its number is given out a second time. */
  const lose = async (last: LedgerEntry, kept: LedgerStore): Promise<void> => {
    const bucket = bucketOfAccount(last.account);
    const bucketSeq = (await store.stream.standing(bucket)).bucketSeq + 1;
    const lost = { ...last, op: 'lost', charged: 90, seq: last.seq + 1, bucketSeq };
    await kept.commit(bucket, [lost]);
  };

  test('keeps each charge, in order, until it is acknowledged', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    for (const [op, credits] of [
      ['a', 5],
      ['b', 7],
      ['c', 9],
    ] as const) {
      await charge(account, op, credits);
    }
    const batch = await store.stream.read(bucket, 2);
    expect(batch.entries).toMatchObject([
      {
        op: 'a',
        account,
        keyId: 'key-1',
        endpoint: '/startups',
        requestId: 'request-1',
        period: 202603,
        charged: 5,
        purchased: 0,
        seq: 1,
        bucketSeq: 1,
        chargedAt: expect.any(Date),
      },
      { op: 'b', charged: 7, seq: 2, bucketSeq: 2 },
    ]);
    expect(await store.stream.read(bucket, 2)).toEqual(batch);
    await store.stream.acknowledge(bucket, batch);
    await store.stream.acknowledge(bucket, batch);
    expect(await store.stream.standing(bucket)).toEqual({ isOpen: true, bucketSeq: 3, pending: 1 });
    expect((await store.stream.read(bucket, 10)).entries).toMatchObject([{ op: 'c', seq: 3 }]);
  });

  test('drained twice is kept once', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    const kept = memoryStore();
    await charge(account, 'a', 5);
    // As a worker that crashes between commit and acknowledgement leaves it:
    await kept.commit(bucket, (await store.stream.read(bucket, 10)).entries);
    expect(await drainBucket(store.stream, kept, bucket)).toMatchObject({
      committed: 0,
      isBehind: false,
      standing: { pending: 0 },
    });
    expect(kept.of(account)).toHaveLength(1);
  });

  test('is known to be behind as soon as it counts lower than the ledger', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    const kept = memoryStore();
    await charge(account, 'a', 5);
    await drainBucket(store.stream, kept, bucket);
    expect(await drainBucket(store.stream, kept, bucket)).toMatchObject({ isBehind: false });
    const [entry] = kept.of(account);
    if (entry === undefined) throw new Error('The charge was not drained.');
    await kept.commit(bucket, [{ ...entry, op: 'lost', bucketSeq: entry.bucketSeq + 1 }]);
    expect(await drainBucket(store.stream, kept, bucket)).toMatchObject({ isBehind: true });
  });

  test('of a closed bucket rejects calls while those under way still settle', async () => {
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    await store.ledger.reserve(requestOf(account, { op: 'a' }));
    await store.stream.close(bucket);
    const rejected = { status: 'unavailable', cause: expect.any(Error) };
    expect(await store.ledger.reserve(requestOf(account))).toEqual(rejected);
    expect(await store.ledger.balance(account, 500)).toEqual(rejected);
    expect(await store.ledger.settle({ account, op: 'never-seen' }, 1)).toEqual(rejected);
    expect(await store.ledger.settle({ account, op: 'a' }, 10)).toMatchObject({ charged: 10 });
  });

  test('of a closed bucket repeats the result of an operation on record', async () => {
    const { account, reserve, charge, settle, charges } = await newAccount(store);
    const held = await reserve(20, 'a');
    const charged = await charge(10, 7, { op: 'b' });
    await store.stream.close(bucketOfAccount(account));
    expect(await charge(10, 7, { op: 'b' })).toEqual(charged);
    expect(await charge(10, 7, { op: 'c' })).toMatchObject({ status: 'unavailable' });
    expect(await reserve(20, 'a')).toMatchObject({
      ...held,
      balance: { used: 7, held: 20, remaining: 473 },
    });
    await settle('a', 5);
    expect(await reserve(20, 'a')).toMatchObject({ status: 'finished', charged: 5 });
    expect((await charges()).map(({ op }) => op)).toEqual(['b', 'a']);
  });

  test('of a closed bucket that rejects a call leaves the account in its month', async () => {
    store.setClock('2026-03-31T23:59:30Z');
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    await store.ledger.balance(account, 500);
    await store.stream.close(bucket);
    store.advance(60_000);
    const rejected = { status: 'unavailable', cause: expect.any(Error) };
    expect(await store.ledger.settle({ account, op: 'never-seen' }, 1)).toEqual(rejected);
    expect(await store.ledger.reserve(requestOf(account, { op: 'a' }))).toEqual(rejected);
    expect(await store.ledger.balance(account, 500)).toEqual(rejected);
    // Set back, as after a fail-over: had one of them refilled the account, it would stay so.
    store.advance(-60_000);
    await store.stream.open(bucket, 0);
    expect(await store.ledger.balance(account, 500)).toMatchObject({
      balance: { period: 202603 },
    });
  });

  test('is looked after pass by pass: new buckets open, charges drain, losses heal', async () => {
    const kept = memoryStore();
    const syncer = createLedgerSyncer(store.stream, kept);
    await syncer.pass();
    const accounts = Array.from({ length: 40 }, () => randomUUID());
    for (const account of accounts) await charge(account, `op-${account}`, 3);
    expect(await syncer.pass()).toEqual({ committed: 40, healed: [], failed: [] });
    expect(await syncer.pass()).toEqual({ committed: 0, healed: [], failed: [] });
    const [account = ''] = accounts;
    const [entry] = kept.of(account);
    if (entry === undefined) throw new Error('The charge was not drained.');
    const bucket = bucketOfAccount(account);
    await lose(entry, kept);
    await charge(account, 'after', 2);
    expect(await syncer.pass()).toEqual({ committed: 1, healed: [bucket], failed: [] });
    expect(await store.ledger.balance(account, 500)).toMatchObject({ balance: { used: 95 } });
    // Left closed, as by a worker that died while healing:
    await store.stream.close(bucket);
    expect(await syncer.pass()).toEqual({ committed: 0, healed: [bucket], failed: [] });
    expect(await store.stream.standing(bucket)).toMatchObject({ isOpen: true });
  });

  // The process of the first pass has ended by the second one, or runs on.
  test.each([
    ['acknowledge', 'another'],
    ['standing', 'another'],
    ['acknowledge', 'the same'],
    ['standing', 'the same'],
    ['close', 'the same'],
  ] as const)(
    'that is behind is healed if %s fails after the commit, by %s syncer',
    async (step, next) => {
      const account = await openAccount(store);
      const bucket = bucketOfAccount(account);
      const kept = memoryStore();
      let isDown = false;
      const failing: LedgerStore = {
        ...kept,
        commit: async (number, entries) => {
          const fresh = await kept.commit(number, entries);
          if (fresh.some(({ op }) => op === 'after')) isDown = true;
          return fresh;
        },
      };
      const syncer = createLedgerSyncer(
        failingStream(store.stream, step, () => isDown),
        failing,
      );
      await charge(account, 'before', 3);
      await syncer.pass();
      const [entry] = kept.of(account);
      if (entry === undefined) throw new Error('The charge was not drained.');
      await lose(entry, kept);
      await charge(account, 'after', 2);
      const { failed } = await syncer.pass();
      expect(failed.map((each) => each.bucket)).toContain(bucket);
      isDown = false;
      const healing = next === 'another' ? createLedgerSyncer(store.stream, kept) : syncer;
      expect(await healing.pass()).toMatchObject({ healed: [bucket], failed: [] });
      expect(await store.ledger.balance(account, 500)).toMatchObject({ balance: { used: 95 } });
    },
  );
});

/** A stream that rejects a step while it is down. */
function failingStream(
  stream: LedgerStream,
  step: 'acknowledge' | 'standing' | 'close',
  isDown: () => boolean,
): LedgerStream {
  const unless = async <T>(name: typeof step, run: () => Promise<T>): Promise<T> => {
    if (name === step && isDown()) throw new Error('Redis does not answer.');
    return run();
  };
  return {
    ...stream,
    acknowledge: (bucket, batch) => unless('acknowledge', () => stream.acknowledge(bucket, batch)),
    standing: (bucket) => unless('standing', () => stream.standing(bucket)),
    close: (bucket) => unless('close', () => stream.close(bucket)),
  };
}
