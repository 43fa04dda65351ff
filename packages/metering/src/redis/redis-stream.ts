import { assertAmount, assertRestore } from '../ledger/bounds.ts';
import type { LedgerEntry, LedgerStream } from '../ledger/ledger-stream.ts';
import type { RedisClient } from './define-script.ts';
import { bucketKeys, creditKeys } from './ledger-keys.ts';
import { type Reply, runScript, withRetry } from './run-script.ts';
import { OPEN, RESTORE } from './scripts.ts';

const READ_MAX = 10_000;

/** The Redis adapter of the port that a worker drains. Rejects with `RedisUnavailable`. */
export function redisStream(redis: RedisClient, buckets: number): LedgerStream {
  const keysOf = (bucket: number) => {
    assertAmount('bucket', bucket, 0, buckets - 1);
    return bucketKeys(bucket);
  };
  return {
    buckets,
    read: async (bucket, max) => {
      assertAmount('max', max, 1, READ_MAX);
      const { ledger } = keysOf(bucket);
      const rows = await withRetry(redis, () => redis.xrange(ledger, '-', '+', 'COUNT', max));
      return {
        entries: rows.map(([, fields]) => entryOf(fields)),
        receipt: rows.map(([id]) => id),
      };
    },
    acknowledge: async (bucket, { receipt }) => {
      if (receipt.length === 0) return;
      // By id and not up to an id: ids follow the clock, which may step back in a fail-over.
      await withRetry(redis, () => redis.xdel(keysOf(bucket).ledger, ...receipt));
    },
    standing: async (number) => {
      const { bucket, ledger } = keysOf(number);
      const [fields, pending] = await withRetry(redis, () =>
        Promise.all([redis.hmget(bucket, 'open', 'seq'), redis.xlen(ledger)]),
      );
      const [open, seq] = fields;
      return { isOpen: typeof open === 'string', bucketSeq: Number(seq ?? 0), pending };
    },
    close: async (number) => {
      await withRetry(redis, () => redis.hdel(keysOf(number).bucket, 'open'));
    },
    restore: async (bucket, totals) => {
      assertRestore(bucket, totals, buckets);
      const keys = totals.map(({ account }) => creditKeys(account, buckets).credits);
      const args = totals.flatMap((each) => [
        each.period,
        each.used,
        each.spent,
        each.seq,
        each.purchased,
        each.keys.length,
        ...each.keys.flatMap(({ keyId, used }) => [keyId, used]),
      ]);
      return stepOf(await runScript(redis, RESTORE, [keysOf(bucket).ledger, ...keys], args));
    },
    open: async (number, bucketSeq) => {
      const { bucket, ledger } = keysOf(number);
      return stepOf(await runScript(redis, OPEN, [bucket, ledger], [bucketSeq]));
    },
  };
}

function stepOf({ status }: Reply): 'done' | 'moved' {
  if (status === 'done' || status === 'moved') return status;
  throw new Error(`A ledger script answered "${status}".`);
}

// The format that SETTLE writes.
const ENTRY_PARTS = 11;

function entryOf([, charge = '']: readonly string[]): LedgerEntry {
  const parts = charge.split(' ');
  const [op = '', account = '', keyId = '', endpoint = '', requestId = '', ...numbers] = parts;
  const [period = 0, charged = 0, purchased = 0, seq = 0, bucketSeq = 0, at] = numbers.map(Number);
  if (parts.length !== ENTRY_PARTS || at === undefined || numbers.some(isNoWhole)) {
    throw new Error('An entry of the ledger stream is malformed.');
  }
  const chargedAt = new Date(at);
  const whole = { period, charged, purchased, seq, bucketSeq };
  return { op, account, keyId, endpoint, requestId, ...whole, chargedAt };
}

function isNoWhole(text: string): boolean {
  return !/^\d+$/.test(text);
}
