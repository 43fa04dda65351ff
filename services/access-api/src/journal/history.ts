import type { KeyDigest } from '@vcds/credentials';
import type { Account, ApiKey } from '../generated/client.ts';
import type { Database } from './database.ts';
import { type AccountSnapshot, type KeyOwner, ownerOf, snapshotOf } from './snapshot.ts';

const PAGE_ROWS = 500;

/** An account with its keys, as an operator looks at it. */
export type AccountRecord = Account & { readonly keys: ApiKey[] };

/** Reading the journal: what there is, and what has changed since a position. */
export interface History {
  /** The position each bucket has come to, by bucket number. */
  positions(): Promise<readonly number[]>;
  /** Accounts of a bucket changed after a position, oldest change first, in pages. */
  accountsAfter(bucket: number, position: number): AsyncGenerator<readonly AccountSnapshot[]>;
  /** Digests of a bucket added after a position, in pages. */
  ownersAfter(bucket: number, position: number): AsyncGenerator<readonly KeyOwner[]>;
  snapshot(accountId: string): Promise<AccountSnapshot>;
  findAccount(
    by: { readonly id: string } | { readonly email: string },
  ): Promise<AccountRecord | null>;
  findKey(by: { readonly id: string } | { readonly digest: KeyDigest }): Promise<ApiKey | null>;
}

export function createHistory(database: Database): History {
  return {
    positions: async () => {
      const buckets = await database.bucket.findMany({ orderBy: { id: 'asc' } });
      return buckets.map(({ position }) => Number(position));
    },
    accountsAfter: (bucket, position) => accountsAfter(database, bucket, position),
    ownersAfter: (bucket, position) => ownersAfter(database, bucket, position),
    snapshot: async (accountId) =>
      snapshotOf(
        await database.account.findUniqueOrThrow({
          where: { id: accountId },
          include: { keys: true },
        }),
      ),
    findAccount: (where) => database.account.findUnique({ where, include: { keys: true } }),
    findKey: (where) => database.apiKey.findUnique({ where }),
  };
}

// An account row is read before its keys, so a snapshot may hold keys newer than its position but
// never older ones; the newer state is then applied once more under its own position.
async function* accountsAfter(database: Database, bucket: number, position: number) {
  for (let after = position; ; ) {
    const accounts = await database.account.findMany({
      where: { bucket, position: { gt: after } },
      orderBy: { position: 'asc' },
      take: PAGE_ROWS,
      include: { keys: true },
    });
    const snapshots = accounts.map(snapshotOf);
    const last = snapshots.at(-1);
    if (last === undefined) return;
    yield snapshots;
    after = last.position;
  }
}

async function* ownersAfter(database: Database, bucket: number, position: number) {
  for (let after = position; ; ) {
    const keys = await database.apiKey.findMany({
      where: { digestBucket: bucket, digestPosition: { gt: after } },
      orderBy: { digestPosition: 'asc' },
      take: PAGE_ROWS,
    });
    const owners = keys.map(ownerOf);
    const last = owners.at(-1);
    if (last === undefined) return;
    yield owners;
    after = last.position;
  }
}
