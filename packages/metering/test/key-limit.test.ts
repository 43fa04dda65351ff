import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount } from '@vcds/credentials';
import { drainBucket, healBucket } from '@vcds/metering';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { memoryStore, sum } from './support/memory-store.ts';
import { requestOf } from './support/request.ts';
import { openAccount, STORES, type StoreUnderTest } from './support/stores.ts';

const LIMIT = 300;
const KEYS = { capped: 60, other: 100, free: null } as const;
type KeyId = keyof typeof KEYS;

/** A call of a key, and how it ends. */
const calls = fc.array(
  fc.record({
    keyId: fc.constantFrom<KeyId>('capped', 'other', 'free'),
    max: fc.integer({ min: 1, max: 40 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    end: fc.constantFrom('settle', 'settle', 'release', 'expire', 'late', 'charge', 'twice'),
  }),
  { minLength: 20, maxLength: 60 },
);

describe.each(STORES)('the monthly limit of a key, in the ledger %s', (_, open) => {
  let store: StoreUnderTest;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store.close());

  const used = async (account: string, keyId: KeyId) => {
    const answer = await store.ledger.balance(account, LIMIT, { keyId, keyLimit: 1_000 });
    if (answer.status !== 'known') throw answer.cause;
    return answer.balance.key;
  };
  const request = (account: string, keyId: KeyId, max: number) =>
    requestOf(account, { op: randomUUID(), keyId, keyLimit: KEYS[keyId], max, limit: LIMIT });

  test('holds for any calls at the same time, and each key has used what it was charged', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (script) => {
        store.setClock('2026-03-10T12:00:00Z');
        const account = await openAccount(store);
        const late: (() => Promise<unknown>)[] = [];
        const run = async ({ keyId, max, share, end }: (typeof script)[number]) => {
          const asked = request(account, keyId, max);
          const actual = Math.floor(max * share);
          if (end === 'charge') return store.ledger.charge({ ...asked, actual, period: 202603 });
          const held = await store.ledger.reserve(asked);
          if (held.status !== 'held') return held;
          if (end === 'expire') return held;
          if (end === 'late') return late.push(() => store.ledger.settle(asked, actual));
          if (end === 'twice') await store.ledger.settle(asked, actual);
          return store.ledger.settle(asked, end === 'release' ? 0 : actual);
        };
        for (let i = 0; i < script.length; i += 10) {
          await Promise.all(script.slice(i, i + 10).map(run));
        }
        store.advance(61_000);
        await Promise.all(late.map((settle) => settle()));
        const kept = memoryStore();
        await drainBucket(store.stream, kept, bucketOfAccount(account));
        const entries = kept.of(account);
        const charged = (keyId: KeyId) =>
          sum(entries.filter((entry) => entry.keyId === keyId).map((entry) => entry.charged));
        expect(sum(entries.map((entry) => entry.charged))).toBeLessThanOrEqual(LIMIT);
        for (const keyId of Object.keys(KEYS) as KeyId[]) {
          expect(charged(keyId)).toBeLessThanOrEqual(KEYS[keyId] ?? LIMIT);
          expect(await used(account, keyId)).toMatchObject({ used: charged(keyId), held: 0 });
        }
      }),
      runs(15, 800),
    );
  });

  test('rejects a call beyond it, while other keys and the next month go on', async () => {
    store.setClock('2026-03-31T23:00:00Z');
    const account = await openAccount(store);
    const first = request(account, 'capped', 50);
    expect(await store.ledger.reserve(first)).toMatchObject({
      status: 'held',
      balance: { remaining: 250, key: { limit: 60, remaining: 10, held: 50 } },
    });
    expect(await store.ledger.reserve(request(account, 'capped', 11))).toMatchObject({
      status: 'key_exhausted',
      required: 11,
      balance: { remaining: 250, key: { remaining: 10 } },
    });
    const charge = { ...request(account, 'capped', 11), actual: 1, period: 202603 };
    expect(await store.ledger.charge(charge)).toMatchObject({ status: 'key_exhausted' });
    expect(await store.ledger.reserve(request(account, 'free', 250))).toMatchObject({
      status: 'held',
      balance: { key: null },
    });
    expect(await store.ledger.reserve(request(account, 'capped', 10))).toMatchObject({
      status: 'exhausted',
    });
    expect(await store.ledger.settle(first, 20)).toMatchObject({
      balance: { key: { remaining: 40, used: 20, held: 0 } },
    });
    store.setClock('2026-04-01T00:00:10Z');
    expect(await used(account, 'capped')).toMatchObject({ used: 0 });
    expect(await store.ledger.reserve(request(account, 'capped', 60))).toMatchObject({
      status: 'held',
    });
  });

  test('counts what was charged before the key had one, purchased credits too', async () => {
    store.setClock('2026-03-10T12:00:00Z');
    const account = await openAccount(store);
    await store.accounts.setPurchased(account, 100);
    const call = requestOf(account, { keyId: 'free', max: 340, limit: LIMIT });
    await store.ledger.reserve(call);
    expect(await store.ledger.settle(call, 340)).toMatchObject({ balance: { used: 300 } });
    expect(await used(account, 'free')).toMatchObject({ used: 340 });
  });

  test('survives the loss of all data: healing raises each key to what the ledger has', async () => {
    store.setClock('2026-03-10T12:00:00Z');
    const account = await openAccount(store);
    const bucket = bucketOfAccount(account);
    const call = request(account, 'capped', 5);
    await store.ledger.reserve(call);
    await store.ledger.settle(call, 5);
    const kept = memoryStore();
    await drainBucket(store.stream, kept, bucket);
    const [entry] = kept.of(account);
    if (entry === undefined) throw new Error('The charge was not drained.');
    await kept.commit(bucket, [{ ...entry, op: 'lost', charged: 50, seq: 2, bucketSeq: 2 }]);
    await healBucket(store.stream, kept, bucket);
    expect(await used(account, 'capped')).toMatchObject({ used: 55 });
    expect(await store.ledger.reserve(request(account, 'capped', 6))).toMatchObject({
      status: 'key_exhausted',
    });
    await healBucket(store.stream, memoryStore(), bucket);
    expect(await used(account, 'capped')).toMatchObject({ used: 55 });
  });
});
