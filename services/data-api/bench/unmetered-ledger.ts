import { type Balance, type Ledger, resetOf } from '@vcds/metering';

const PERIOD = 203_001;
const none = { used: 0, held: 0, purchased: 0, period: PERIOD, resetAt: resetOf(PERIOD) };
const balanceOf = (limit: number): Balance => ({ ...none, limit, remaining: limit });

/** A ledger that accepts every call and stores nothing, for measurements without metering. */
export const unmeteredLedger: Ledger = {
  reserve: async ({ max, limit }) => {
    const expiresAt = none.resetAt;
    return { status: 'held', amount: max, expiresAt, balance: balanceOf(limit) };
  },
  settle: async (_, actual) => ({ status: 'settled', charged: actual, balance: balanceOf(0) }),
  release: async () => ({ status: 'settled', charged: 0, balance: balanceOf(0) }),
  balance: async (_, limit) => ({ status: 'known', balance: balanceOf(limit) }),
};
