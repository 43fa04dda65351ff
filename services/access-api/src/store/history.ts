import type { KeyDigest, PlanId } from '@vcds/credentials';
import type { Account, ApiKey, Login } from '../generated/client.ts';
import type { Database } from './database.ts';
import { type AccountSnapshot, type KeyOwner, ownerOf, snapshotOf } from './snapshot.ts';

const PAGE_ROWS = 500;

/** An account with its keys and its password. */
export type AccountRecord = Account & { readonly keys: ApiKey[]; readonly login: Login | null };

/** Which accounts to list. */
export interface AccountPage {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly plan?: PlanId | undefined;
}

/** An account that changed, or a digest that was added. */
export type Change = AccountSnapshot | KeyOwner;

export type History = ReturnType<typeof createHistory>;

/** Reads the journal: the current state, and the changes since a position. */
export function createHistory(database: Database) {
  return {
    /** The current position of each bucket, by bucket number. */
    positions: async (): Promise<readonly number[]> => {
      const buckets = await database.bucket.findMany({ orderBy: { id: 'asc' } });
      return buckets.map(({ position }) => Number(position));
    },
    /**
     * The changes of a bucket after a position, in pages, in order of position: the current state of
     * each account that changed, under its latest change, and new digests.
     */
    changesAfter: (bucket: number, position: number): AsyncGenerator<readonly Change[]> =>
      changesAfter(database, bucket, position),
    snapshot: async (accountId: string): Promise<AccountSnapshot> =>
      snapshotOf(
        await database.account.findUniqueOrThrow({
          where: { id: accountId },
          include: { keys: true },
        }),
      ),
    findAccount: (
      where: { readonly id: string } | { readonly email: string },
    ): Promise<AccountRecord | null> =>
      database.account.findUnique({ where, include: { keys: true, login: true } }),
    /** Accounts in order of their id, `limit` (1 to 1,000) at most, after an id and on a plan. */
    listAccounts: ({ limit, after, plan }: AccountPage): Promise<readonly Account[]> =>
      database.account.findMany({
        where: {
          ...(after === undefined ? {} : { id: { gt: after } }),
          ...(plan === undefined ? {} : { plan }),
        },
        orderBy: { id: 'asc' },
        take: limit,
      }),
    findKey: (
      where: { readonly id: string } | { readonly digest: KeyDigest },
    ): Promise<ApiKey | null> => database.apiKey.findUnique({ where }),
  };
}

async function* changesAfter(database: Database, bucket: number, position: number) {
  for (let after = position; ; ) {
    const [accounts, owners] = await Promise.all([
      accountsAfter(database, bucket, after),
      ownersAfter(database, bucket, after),
    ]);
    // A full page may continue: up to the end of the shorter one, both are complete.
    const completeTo = Math.min(endOf(accounts), endOf(owners));
    const page: Change[] = [...accounts, ...owners].filter((each) => each.position <= completeTo);
    if (page.length === 0) return;
    yield page.sort((a, b) => a.position - b.position);
    if (completeTo === Number.POSITIVE_INFINITY) return;
    after = completeTo;
  }
}

function endOf(page: readonly Change[]): number {
  const last = page.at(-1);
  return page.length < PAGE_ROWS || last === undefined ? Number.POSITIVE_INFINITY : last.position;
}

// The account row is read before its keys: a snapshot may contain keys newer than its position,
// never older ones. The newer state is applied again under its own position.
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
