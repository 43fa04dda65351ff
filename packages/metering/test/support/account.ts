import { randomUUID } from 'node:crypto';
import { bucketOfAccount } from '@vcds/credentials';
import type { Charging, Reservation } from '@vcds/metering';
import { requestOf } from './request.ts';
import { NOON, openAccount, type StoreUnderTest } from './stores.ts';

/** A new account on a plan of `limit` credits a month, at noon of 10 March 2026. */
export async function newAccount(store: StoreUnderTest, limit = 500) {
  store.setClock(NOON);
  return accountOn(store, await openAccount(store), limit);
}

/** The same account, seen on a plan of `limit` credits a month. */
export function accountOn(store: StoreUnderTest, account: string, limit: number) {
  const { ledger, stream } = store;
  return {
    account,
    reserve: (max: number, op: string = randomUUID(), keyId = 'key-1'): Promise<Reservation> =>
      ledger.reserve(requestOf(account, { op, keyId, max, limit })),
    charge: (
      max: number,
      actual: number,
      { op = randomUUID() as string, keyId = 'key-1', period = 202_603 } = {},
    ): Promise<Charging> =>
      ledger.charge({ ...requestOf(account, { op, keyId, max, limit }), actual, period }),
    settle: (op: string, actual: number) => ledger.settle({ account, op }, actual),
    release: (op: string) => ledger.release({ account, op }),
    balance: () => ledger.balance(account, limit),
    charges: async () => {
      const { entries } = await stream.read(bucketOfAccount(account), 10_000);
      return entries.filter((entry) => entry.account === account);
    },
  };
}
