import { randomUUID } from 'node:crypto';
import { bucketOfAccount } from '@vcds/credentials';
import { type CreditLedger, healBucket, type LedgerTimes } from '@vcds/metering';
import { createRedisLedger } from '@vcds/metering/redis';
import { closeRedis } from '@vcds/service-kit';
import { createTestRedis } from '@vcds/test-kit';
import { createModelLedger } from '../model/model-ledger.ts';
import { memoryStore } from './memory-store.ts';
import { connectRedis } from './redis-client.ts';

/** A ledger under test, with a clock that can be moved. */
export interface StoreUnderTest extends CreditLedger {
  nowMs(): number;
  advance(ms: number): void;
  setClock(instant: string): void;
  close(): Promise<void>;
}

export const TIMES: LedgerTimes = {
  ...{ holdMs: 60_000, lateMs: 600_000, outcomeMs: 60_000 },
  onceMs: 86_400_000,
};
export const NOON = '2026-03-10T12:00:00Z';

/** The ledger in Redis and its model: one suite runs over both. */
export const STORES: readonly [
  name: string,
  open: (times?: LedgerTimes) => Promise<StoreUnderTest>,
][] = [
  ['of the model', openModel],
  ['in Redis', openRedis],
];

/** The id of a new account whose bucket is open. */
export async function openAccount({ stream }: CreditLedger): Promise<string> {
  const account = randomUUID();
  await healBucket(stream, memoryStore(stream.buckets), bucketOfAccount(account, stream.buckets));
  return account;
}

async function openModel(times: LedgerTimes = TIMES): Promise<StoreUnderTest> {
  let nowMs = Date.parse(NOON);
  const credit = createModelLedger({ nowMs: () => nowMs, times });
  return {
    ...credit,
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
    setClock: (instant) => {
      nowMs = Date.parse(instant);
    },
    close: async () => undefined,
  };
}

// Redis' own clock runs on beneath the offset: what depends on it is tested in steps of seconds.
async function openRedis(times: LedgerTimes = TIMES): Promise<StoreUnderTest> {
  const database = await createTestRedis();
  const redis = await connectRedis(database.url);
  let offsetMs = Date.parse(NOON) - Date.now();
  const credit = createRedisLedger({ redis, times, clockOffsetMs: () => offsetMs });
  return {
    ...credit,
    nowMs: () => Date.now() + offsetMs,
    advance: (ms) => {
      offsetMs += ms;
    },
    setClock: (instant) => {
      offsetMs = Date.parse(instant) - Date.now();
    },
    close: async () => {
      await closeRedis(redis);
      await database.drop();
    },
  };
}
