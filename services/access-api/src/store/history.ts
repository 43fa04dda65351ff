import type { KeyDigest, PlanId } from '@vcds/credentials';
import type { Account, ApiKey, Login } from '../generated/client.ts';
import type { Database } from './database.ts';
import { type AccountSnapshot, type KeyOwner, ownerOf, snapshotOf } from './snapshot.ts';

const PAGE_ROWS = 500;

/** An account with its keys and its password, as an operator looks at it. */
export type AccountRecord = Account & { readonly keys: ApiKey[]; readonly login: Login | null };

/** Which accounts to list. */
export interface AccountPage {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly plan?: PlanId | undefined;
}

/** An account that changed, or a digest that was added. */
export type Change = AccountSnapshot | KeyOwner;

/** Reading the journal: what there is, and what has changed since a position. */
export interface History {
  /** The position each bucket has come to, by bucket number. */
  positions(): Promise<readonly number[]>;
  /**
   * What has changed in a bucket after a position, in pages, in order of position: accounts as
   * they stand now, under their latest change, and digests that were added.
   */
  changesAfter(bucket: number, position: number): AsyncGenerator<readonly Change[]>;
  snapshot(accountId: string): Promise<AccountSnapshot>;
  findAccount(
    by: { readonly id: string } | { readonly email: string },
  ): Promise<AccountRecord | null>;
  /** Accounts in order of their id, `limit` (1 to 1,000) at most, after an id and on a plan. */
  listAccounts(page: AccountPage): Promise<readonly Account[]>;
  findKey(by: { readonly id: string } | { readonly digest: KeyDigest }): Promise<ApiKey | null>;
}

export function createHistory(database: Database): History {
  return {
    positions: async () => {
      const buckets = await database.bucket.findMany({ orderBy: { id: 'asc' } });
      return buckets.map(({ position }) => Number(position));
    },
    changesAfter: (bucket, position) => changesAfter(database, bucket, position),
    snapshot: async (accountId) =>
      snapshotOf(
        await database.account.findUniqueOrThrow({
          where: { id: accountId },
          include: { keys: true },
        }),
      ),
    findAccount: (where) =>
      database.account.findUnique({ where, include: { keys: true, login: true } }),
    listAccounts: ({ limit, after, plan }) =>
      database.account.findMany({
        where: {
          ...(after === undefined ? {} : { id: { gt: after } }),
          ...(plan === undefined ? {} : { plan }),
        },
        orderBy: { id: 'asc' },
        take: limit,
      }),
    findKey: (where) => database.apiKey.findUnique({ where }),
  };
}

async function* changesAfter(database: Database, bucket: number, position: number) {
  for (let after = position; ; ) {
    const [accounts, owners] = await Promise.all([
      accountsAfter(database, bucket, after),
      ownersAfter(database, bucket, after),
    ]);
    // A full page may go on; beyond the end of the shorter one the order is not known yet.
    const horizon = Math.min(endOf(accounts), endOf(owners));
    const page: Change[] = [...accounts, ...owners].filter((each) => each.position <= horizon);
    if (page.length === 0) return;
    yield page.sort((a, b) => a.position - b.position);
    if (horizon === Number.POSITIVE_INFINITY) return;
    after = horizon;
  }
}

function endOf(page: readonly Change[]): number {
  const last = page.at(-1);
  return page.length < PAGE_ROWS || last === undefined ? Number.POSITIVE_INFINITY : last.position;
}

// An account row is read before its keys, so a snapshot may hold keys newer than its position but
// never older ones; the newer state is then applied once more under its own position.
async function accountsAfter(database: Database, bucket: number, after: number) {
  const accounts = await database.account.findMany({
    where: { bucket, position: { gt: after } },
    orderBy: { position: 'asc' },
    take: PAGE_ROWS,
    include: { keys: true },
  });
  return accounts.map(snapshotOf);
}

async function ownersAfter(database: Database, bucket: number, after: number) {
  const keys = await database.apiKey.findMany({
    where: { digestBucket: bucket, digestPosition: { gt: after } },
    orderBy: { digestPosition: 'asc' },
    take: PAGE_ROWS,
  });
  return keys.map(ownerOf);
}
