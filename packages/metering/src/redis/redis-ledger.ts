import { BUCKETS } from '@vcds/credentials';
import {
  AMOUNT_MAX,
  assertAmount,
  assertCharge,
  assertId,
  assertKey,
  assertOnce,
  assertOperation,
  assertReserve,
  assertTimes,
  LEDGER_TIMES,
  type LedgerTimes,
  LIMIT_MAX,
} from '../ledger/bounds.ts';
import type { CreditLedger } from '../ledger/credit-ledger.ts';
import { keyBalance } from '../ledger/key-balance.ts';
import type {
  Balance,
  BalanceAnswer,
  ChargeRequest,
  Charging,
  KeyShare,
  Ledger,
  NotCharged,
  Once,
  Reservation,
  ReserveRequest,
  SettledOperation,
  Settlement,
  Unavailable,
} from '../ledger/ledger.ts';
import {
  closedBucket,
  moreThanHeld,
  reservedBefore,
  tooManyHolds,
} from '../ledger/ledger-errors.ts';
import { resetOf } from '../ledger/month.ts';
import type { RedisClient, Script } from './define-script.ts';
import { creditKeys } from './ledger-keys.ts';
import { redisStream } from './redis-stream.ts';
import { RedisUnavailable, type Reply, runScript, withRetry } from './run-script.ts';
import { BALANCE, CHARGE, RESERVE, SET_PURCHASED, SETTLE } from './scripts.ts';

export interface RedisLedgerOptions {
  /**
   * A client that fails fast and never retries: no offline queue, no resending, a time limit on
   * commands. While Redis does not respond it may reject commands unsent, with an error named
   * `CircuitOpenError`. The ledger neither opens nor closes it.
   */
  readonly redis: RedisClient;
  readonly times?: LedgerTimes;
  /** Added to Redis' own time, in milliseconds. For tests; 0 otherwise. */
  readonly clockOffsetMs?: () => number;
  /** 1 to 256, the default. For tests: all users of one Redis must have the same number. */
  readonly buckets?: number;
}

type Context = Required<RedisLedgerOptions>;

/**
 * The credit ledger in Redis, or in a Redis Cluster, shared by every process.
 * Each call is one script and one round trip. Without a reply it is sent once more, which the
 * operation's id makes safe. While Redis is unreachable every call gets `unavailable`.
 */
export function createRedisLedger(options: RedisLedgerOptions): CreditLedger {
  const { redis, times = LEDGER_TIMES, clockOffsetMs = () => 0, buckets = BUCKETS } = options;
  assertTimes(times);
  assertAmount('buckets', buckets, 1, BUCKETS);
  const context = { redis, times, clockOffsetMs, buckets };
  const ledger: Ledger = {
    reserve: (request) => reserve(context, request),
    settle: (operation, actual) => settle(context, operation, actual),
    release: (operation) => settle(context, operation, 0),
    charge: (request) => charge(context, request),
    balance: async (account, limit, key) => known(await balance(context, { account, limit, key })),
    balanceFor: (account, limit, once, key) => balance(context, { account, limit, once, key }),
  };
  return {
    ledger,
    stream: redisStream(redis, buckets),
    accounts: {
      revokeKey: async (account, keyId) => {
        assertId('account', account);
        assertId('keyId', keyId);
        await withRetry(redis, () => redis.sadd(creditKeys(account, buckets).revoked, keyId));
      },
      setPurchased: async (account, total) => {
        assertId('account', account);
        assertAmount('total', total, 0, LIMIT_MAX);
        await runScript(redis, SET_PURCHASED, [creditKeys(account, buckets).credits], [total]);
      },
    },
  };
}

async function reserve(context: Context, request: ReserveRequest): Promise<Reservation> {
  assertReserve(request);
  const { account, op, keyId, endpoint, requestId, max, limit } = request;
  const { holdMs, lateMs } = context.times;
  const { bucket, credits, holds, operation, revoked } = creditKeys(account, context.buckets);
  const keys = [bucket, credits, holds, operation(op), revoked];
  const offsetMs = context.clockOffsetMs();
  const times = [holdMs, lateMs];
  const args = [offsetMs, op, keyId, endpoint, max, limit, ...times, requestId, limitOf(request)];
  const reply = await ask(context.redis, RESERVE, keys, args);
  if ('cause' in reply) return reply;
  const [first = 0, second = 0] = reply.values;
  switch (reply.status) {
    case 'held': {
      const expiresAt = new Date(second);
      return { status: 'held', amount: first, expiresAt, balance: balanceIn(reply, request) };
    }
    case 'exhausted':
    case 'key_exhausted':
      return { status: reply.status, required: max, balance: balanceIn(reply, request) };
    case 'finished':
      return { status: 'finished', charged: first, balance: balanceIn(reply, request) };
    case 'revoked':
      return { status: 'revoked' };
    case 'too_many_holds':
      return { status: 'unavailable', cause: tooManyHolds() };
    default:
      throw unexpected(reply);
  }
}

async function settle(
  context: Context,
  { account, op, ...key }: SettledOperation,
  actual: number,
): Promise<Settlement> {
  assertOperation({ account, op });
  assertAmount('actual', actual, 0, AMOUNT_MAX);
  const { bucket, credits, holds, operation, ledger } = creditKeys(account, context.buckets);
  const keys = [bucket, credits, holds, operation(op), ledger];
  const amounts = [actual, context.times.outcomeMs];
  const args = [context.clockOffsetMs(), account, op, ...amounts, key.keyId ?? ''];
  const reply = await ask(context.redis, SETTLE, keys, args);
  if ('cause' in reply) return reply;
  const [first = 0] = reply.values;
  if (reply.status === 'more') throw moreThanHeld(actual, first);
  if (reply.status !== 'settled') throw unexpected(reply);
  return { status: 'settled', charged: first, balance: balanceIn(reply, key) };
}

async function charge(context: Context, request: ChargeRequest): Promise<Charging> {
  assertCharge(request);
  const { account, op, keyId, endpoint, requestId, period, limit, max, actual } = request;
  const { clockOffsetMs, times, buckets } = context;
  const { bucket, credits, holds, operation, ledger, revoked } = creditKeys(account, buckets);
  const keys = [bucket, credits, holds, operation(op), ledger, revoked];
  const call = [account, op, keyId, endpoint, requestId, period];
  const amounts = [limit, max, actual, times.outcomeMs, limitOf(request)];
  const args = [clockOffsetMs(), ...call, ...amounts];
  const { once } = request;
  if (once !== undefined) {
    keys.push(...onceKeysOf(account, once, buckets));
    args.push(once.request, once.key, times.onceMs);
  }
  const reply = await ask(context.redis, CHARGE, keys, args);
  if ('cause' in reply) return reply;
  const notCharged = notChargedIn(reply, request);
  if (notCharged !== undefined) return notCharged;
  const [charged = 0] = reply.values;
  switch (reply.status) {
    case 'settled':
      return { status: 'settled', charged, balance: balanceIn(reply, request) };
    case 'exhausted':
    case 'key_exhausted':
      return { status: reply.status, required: max, balance: balanceIn(reply, request) };
    case 'revoked':
      return { status: 'revoked' };
    case 'reserved':
      throw reservedBefore();
    default:
      throw unexpected(reply);
  }
}

interface BalanceRequest {
  readonly account: string;
  readonly limit: number;
  readonly once?: Once;
  readonly key?: KeyShare | undefined;
}

async function balance(
  context: Context,
  { account, limit, once, key }: BalanceRequest,
): Promise<BalanceAnswer | NotCharged> {
  assertId('account', account);
  assertAmount('limit', limit, 0, LIMIT_MAX);
  if (once !== undefined) assertOnce(once);
  if (key !== undefined) assertKey(key);
  const { bucket, credits, holds } = creditKeys(account, context.buckets);
  const keys = [bucket, credits, holds, ...onceKeysOf(account, once, context.buckets)];
  const args = [context.clockOffsetMs(), limit, key?.keyId ?? '', once?.request ?? ''];
  const reply = await ask(context.redis, BALANCE, keys, args);
  if ('cause' in reply) return reply;
  const notCharged = notChargedIn(reply, key);
  if (notCharged !== undefined) return notCharged;
  if (reply.status !== 'known') throw unexpected(reply);
  return { status: 'known', balance: balanceIn(reply, key) };
}

function known(answer: BalanceAnswer | NotCharged): BalanceAnswer {
  if (answer.status === 'known' || answer.status === 'unavailable') return answer;
  throw new Error(`A balance without an idempotency key is "${answer.status}".`);
}

function onceKeysOf(account: string, once: Once | undefined, buckets: number): string[] {
  if (once === undefined) return [];
  const keys = creditKeys(account, buckets);
  return [keys.once(once.key), keys.onceKeys];
}

function notChargedIn(reply: Reply, key?: KeyShare): NotCharged | undefined {
  const { status, values } = reply;
  if (status === 'mismatch' || status === 'too_many_keys') return { status };
  if (status !== 'repeated') return undefined;
  return { status, charged: values[0] ?? 0, balance: balanceIn(reply, key) };
}

async function ask(
  redis: RedisClient,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<Reply | Unavailable> {
  try {
    const reply = await runScript(redis, script, keys, args);
    return reply.status === 'closed' ? closed(reply) : reply;
  } catch (error) {
    if (!(error instanceof RedisUnavailable)) throw error;
    return { status: 'unavailable', cause: error };
  }
}

// The first attempt may have been executed before Redis lost its data, and its charge drained.
function closed({ isOfRetry }: Reply): Unavailable {
  const cause = closedBucket();
  if (!isOfRetry) return { status: 'unavailable', cause };
  const uncertain = new RedisUnavailable(cause.message, { cause, isUncertain: true });
  return { status: 'unavailable', cause: uncertain };
}

// The last eight values of a reply, in the order of `answer` in the prologue.
function balanceIn({ values }: Reply, key?: Pick<KeyShare, 'keyLimit'>): Balance {
  const [, , limit = 0, remaining = 0, used = 0, held = 0, purchased = 0, period = 0] = values;
  const [keyUsed = 0, keyHeld = 0] = values.slice(8);
  const ofKey = keyBalance(key?.keyLimit ?? null, keyUsed, keyHeld);
  return { limit, remaining, used, held, purchased, period, resetAt: resetOf(period), key: ofKey };
}

function limitOf({ keyLimit }: Pick<KeyShare, 'keyLimit'>): number | '-' {
  return keyLimit ?? '-';
}

function unexpected({ status }: Reply): Error {
  return new Error(`A ledger script answered "${status}".`);
}
