import {
  type Balance,
  type Charging,
  type Ledger,
  type NotCharged,
  type Once,
  PLANS,
  periodOf,
  resetOf,
} from '@vcds/metering';
import type { Clock } from '@vcds/service-kit';
import { LRUCache } from 'lru-cache';
import { isExhausted } from './caller.ts';

const KEYS_MAX = 10_000;
const KEY_MS_MAX = 86_400_000;

/**
 * A ledger that charges nothing: every account has the whole allowance of its plan, and the account of
 * `credits_exhausted` none. It stores idempotency keys, 10,000 of the last day, in this process.
 */
export function sandboxLedger(clock: Clock): Ledger {
  const once = new LRUCache<string, string>({ max: KEYS_MAX, ttl: KEY_MS_MAX });
  const balanceOf = (account: string): Balance => {
    const limit = PLANS.scale.creditsPerMonth;
    const period = periodOf(clock.wallMs());
    const remaining = isExhausted(account) ? 0 : limit;
    const fixed = { limit, used: limit - remaining, held: 0, purchased: 0, key: null };
    return { ...fixed, remaining, period, resetAt: resetOf(period) };
  };
  const settled = (account: string) =>
    Promise.resolve({ status: 'settled', charged: 0, balance: balanceOf(account) } as const);
  const found = (account: string, { key, request }: Once): NotCharged | undefined => {
    const before = once.get(`${account} ${key}`);
    if (before === undefined) return undefined;
    if (before !== request) return { status: 'mismatch' };
    return { status: 'repeated', charged: 0, balance: balanceOf(account) };
  };
  return {
    reserve: ({ account, max }) => {
      const balance = balanceOf(account);
      return Promise.resolve(
        isExhausted(account)
          ? { status: 'exhausted', required: max, balance }
          : { status: 'held', amount: max, expiresAt: balance.resetAt, balance },
      );
    },
    settle: ({ account }) => settled(account),
    release: ({ account }) => settled(account),
    charge: async (request): Promise<Charging> => {
      const { account, max } = request;
      if (isExhausted(account)) {
        return { status: 'exhausted', required: max, balance: balanceOf(account) };
      }
      const repeated = request.once && found(account, request.once);
      if (repeated !== undefined) return repeated;
      if (request.once) once.set(`${account} ${request.once.key}`, request.once.request);
      return settled(account);
    },
    balance: (account) => Promise.resolve({ status: 'known', balance: balanceOf(account) }),
    balanceFor: (account, _limit, key) =>
      Promise.resolve(found(account, key) ?? { status: 'known', balance: balanceOf(account) }),
  };
}
