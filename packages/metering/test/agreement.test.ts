import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bucketOfAccount } from '@vcds/credentials';
import { healBucket, type Ledger, type Once, periodOf, resetOf } from '@vcds/metering';
import { runs } from '@vcds/test-kit';
import fc from 'fast-check';
import { memoryStore } from './support/memory-store.ts';
import { requestOf } from './support/request.ts';
import { STORES, type StoreUnderTest } from './support/stores.ts';

/** Steps happen at multiples of 20 s and expiries 10 s between them: real time cannot interfere. */
const TICK_MS = 20_000;
const BOUNDARY = '2026-03-31T23:58:30Z';
const BESIDE = { holdMs: 30_000, lateMs: 60_000, outcomeMs: 50_000, onceMs: 70_000 };
const OPS = ['a', 'b', 'c', 'd'] as const;

interface Asked {
  readonly op: string;
  readonly key: string;
  readonly max: number;
  readonly once?: Once | undefined;
}

type Step =
  | { readonly do: 'reserve'; readonly op: string; readonly key: string; readonly max: number }
  | { readonly do: 'settle'; readonly op: string; readonly actual: number }
  | ({ readonly do: 'charge'; readonly monthsAgo: number; readonly actual: number } & Asked)
  | { readonly do: 'release'; readonly op: string }
  | { readonly do: 'balance'; readonly once?: Once | undefined; readonly key?: string }
  | { readonly do: 'plan'; readonly limit: number }
  | { readonly do: 'limitKey'; readonly key: string; readonly limit: number | null }
  | { readonly do: 'purchase'; readonly total: number }
  | { readonly do: 'revoke'; readonly key: string }
  | { readonly do: 'wait'; readonly ticks: number }
  | { readonly do: 'setBack' }
  | { readonly do: 'close' }
  | { readonly do: 'heal' }
  | { readonly do: 'drain' };

// A closed bucket rejects just after the month's end, and the clock is set back before it.
const REJECTED_ACROSS_THE_MONTH: Step[] = [
  { do: 'wait', ticks: 4 },
  { do: 'close' },
  { do: 'wait', ticks: 1 },
  { do: 'settle', op: 'a', actual: 0 },
  { do: 'setBack' },
];

// The record of an idempotency key is over, and the clock is set back before its end.
const once1 = { key: 'i', request: 'r' };
const SET_BACK_BEFORE_ITS_END: Step[] = [
  { do: 'charge', op: 'e', key: 'key-1', max: 1, actual: 0, monthsAgo: 0, once: once1 },
  { do: 'wait', ticks: 4 },
  { do: 'balance', key: 'key-1', once: once1 },
  { do: 'setBack' },
  { do: 'charge', op: 'f', key: 'key-1', max: 1, actual: 0, monthsAgo: 0, once: once1 },
];

// The same, found by a charge with another key.
const ANOTHER_KEY_AT_ITS_END: Step[] = [
  { do: 'charge', op: 'e', key: 'key-1', max: 1, actual: 0, monthsAgo: 0, once: once1 },
  { do: 'wait', ticks: 4 },
  {
    ...{ do: 'charge', op: 'e', key: 'key-1', max: 1, actual: 0, monthsAgo: 0 },
    once: { key: 'j', request: 'r' },
  },
  { do: 'setBack' },
  { do: 'balance', once: once1 },
];

const op = fc.constantFrom(...OPS);
const key = fc.constantFrom('key-1', 'key-2');
const once = fc.option(
  fc.record({ key: fc.constantFrom('i', 'j'), request: fc.constantFrom('r', 's') }),
  { nil: undefined },
);
const steps = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: reserveStep() },
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('settle'), op, actual: fc.nat(80) }),
    },
    { weight: 6, arbitrary: chargeStep() },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('release'), op }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('balance'), once, key }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('plan'), limit: fc.nat(200) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('limitKey'), key, limit: fc.option(fc.nat(90)) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('purchase'), total: fc.nat(90) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke'), key }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('wait'), ticks: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.constant({ do: 'setBack' }) },
    { weight: 1, arbitrary: fc.constantFrom({ do: 'close' }, { do: 'heal' }, { do: 'drain' }) },
  ),
  { maxLength: 40, size: 'max' },
) as fc.Arbitrary<Step[]>;

function reserveStep() {
  return fc.record({
    do: fc.constant('reserve'),
    op,
    key,
    max: fc.integer({ min: 1, max: 80 }),
  });
}

function chargeStep() {
  const asked = { do: fc.constant('charge'), op: fc.constantFrom('e', 'f', ...OPS), key };
  const [max, monthsAgo] = [fc.integer({ min: 1, max: 80 }), fc.integer({ min: -1, max: 2 })];
  return fc.record({ ...asked, max, actual: fc.nat(80), monthsAgo, once });
}

describe('the ledger in memory and the one in Redis', () => {
  const stores: StoreUnderTest[] = [];
  beforeAll(async () => {
    for (const [, open] of STORES) stores.push(await open(BESIDE));
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
  });

  // Op ids are made unique per run: what earlier runs left is not in the way.
  const play = async (store: StoreUnderTest, account: string, script: readonly Step[]) => {
    const bucket = bucketOfAccount(account);
    const kept = memoryStore();
    const answers: unknown[] = [];
    let limit = 100;
    const keyLimits = new Map<string, number | null>();
    let isBehind = false;
    store.setClock(BOUNDARY);
    await healBucket(store.stream, kept, bucket);
    for (const step of script) {
      if (step.do === 'plan') limit = step.limit;
      if (step.do === 'limitKey') keyLimits.set(step.key, step.limit);
      // One tick behind at most, as after a fail-over to a machine whose clock is behind.
      if (step.do === 'setBack' && isBehind) continue;
      if (step.do === 'setBack') isBehind = true;
      if (step.do === 'wait' && step.ticks > 0) isBehind = false;
      answers.push(simplified(await take(store, { account, limit, keyLimits, kept }, step)));
    }
    await healBucket(store.stream, kept, bucket);
    for (const keyId of ['key-1', 'key-2']) {
      const share = { keyId, keyLimit: 100 };
      answers.push(simplified(await store.ledger.balance(account, limit, share)));
    }
    const entries = kept.of(account).map(({ chargedAt: _, bucketSeq: __, ...rest }) => rest);
    return { answers, entries };
  };

  test('answer alike, whatever is asked in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const account = randomUUID();
        const [inMemory, inRedis] = await Promise.all(
          stores.map((store) => play(store, account, script)),
        );
        expect(inRedis).toEqual(inMemory);
        expect(JSON.stringify(inRedis)).not.toContain('"held":-');
      }),
      {
        ...runs(100, 6_000),
        examples: [
          [REJECTED_ACROSS_THE_MONTH],
          [SET_BACK_BEFORE_ITS_END],
          [ANOTHER_KEY_AT_ITS_END],
        ],
      },
    );
  });

  test('agree on the month of every instant', async () => {
    const [, redis] = stores;
    if (redis === undefined) throw new Error('Redis is not open.');
    const instants = fc.date({
      min: new Date('1970-01-01T00:00:00Z'),
      max: new Date('2399-12-31T23:59:00Z'),
      noInvalidDate: true,
    });
    const edges = ['2000-02-29', '2024-02-29', '2100-02-28', '2100-03-01', '2027-12-31'];
    await fc.assert(
      fc.asyncProperty(instants, async (drawn) => {
        const account = randomUUID();
        await healBucket(redis.stream, memoryStore(), bucketOfAccount(account));
        // Half a minute into the minute, so that Redis' own clock cannot cross into the next.
        const instant = new Date(Math.floor(drawn.getTime() / 60_000) * 60_000 + 30_000);
        redis.setClock(instant.toISOString());
        const period = periodOf(instant.getTime());
        const resetAt = resetOf(period);
        expect(await periodIn(redis.ledger, account)).toEqual({ period, resetAt });
        expect(resetAt.getTime()).toBeGreaterThan(instant.getTime());
        expect(periodOf(resetAt.getTime() - 1)).toBe(period);
      }),
      { ...runs(100, 6_000), examples: edges.map((day) => [new Date(`${day}T23:59:00Z`)]) },
    );
  });
});

async function take(
  store: StoreUnderTest,
  on: {
    account: string;
    limit: number;
    keyLimits: ReadonlyMap<string, number | null>;
    kept: ReturnType<typeof memoryStore>;
  },
  step: Step,
): Promise<unknown> {
  const { account, limit, keyLimits, kept } = on;
  const bucket = bucketOfAccount(account);
  const keyLimit = 'key' in step ? keyLimits.get(step.key ?? '') : null;
  switch (step.do) {
    case 'reserve': {
      const { op, key: keyId, max } = step;
      const requestId = `request-${op}`;
      return store.ledger.reserve(
        requestOf(account, { op, keyId, requestId, max, limit, keyLimit }),
      );
    }
    case 'charge': {
      const { op, key: keyId, max, monthsAgo } = step;
      const call = { op, keyId, requestId: `request-${op}`, max, limit, keyLimit };
      const period = periodOf(Date.UTC(2026, 2 - monthsAgo));
      const actual = Math.min(max, step.actual);
      const { once } = step;
      return store.ledger
        .charge({ ...requestOf(account, call), period, actual, ...(once && { once }) })
        .catch((error: unknown) => String(error));
    }
    case 'settle':
      return store.ledger
        .settle({ account, op: step.op }, step.actual)
        .catch((error: unknown) => String(error));
    case 'release':
      return store.ledger.release({ account, op: step.op });
    case 'balance':
      return step.once === undefined
        ? store.ledger.balance(account, limit, {
            keyId: step.key ?? 'key-1',
            keyLimit,
          })
        : store.ledger.balanceFor(account, limit, step.once);
    case 'plan':
    case 'limitKey':
      return step.limit;
    case 'purchase':
      kept.purchases.set(account, Math.max(kept.purchases.get(account) ?? 0, step.total));
      return store.accounts.setPurchased(account, step.total);
    case 'revoke':
      return store.accounts.revokeKey(account, step.key);
    case 'wait':
      return store.advance(step.ticks * TICK_MS);
    case 'setBack':
      return store.advance(-TICK_MS);
    case 'close':
      return store.stream.close(bucket);
    case 'heal':
      return healBucket(store.stream, kept, bucket);
    case 'drain': {
      const batch = await store.stream.read(bucket, 100);
      await kept.commit(bucket, batch.entries);
      return store.stream.acknowledge(bucket, batch);
    }
  }
}

// Instants to the nearest tick, as one of the clocks runs.
function simplified(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null) return answer;
  const rest: Record<string, unknown> = { ...answer };
  if (rest.expiresAt instanceof Date) {
    rest.expiresAt = Math.round(rest.expiresAt.getTime() / TICK_MS);
  }
  if (rest.cause instanceof Error) rest.cause = rest.cause.message;
  return rest;
}

async function periodIn(ledger: Ledger, account: string) {
  const answer = await ledger.balance(account, 1);
  if (answer.status !== 'known') throw answer.cause;
  const { period, resetAt } = answer.balance;
  return { period, resetAt };
}
