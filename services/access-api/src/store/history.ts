import type { KeyDigest, PlanId } from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';
import type { Account, ApiKey, Login, Prisma } from '../generated/client.ts';
import type { Database } from './database.ts';
import {
  type AccountSnapshot,
  type KeyOwner,
  ownerOf,
  planOf,
  snapshotKeys,
  snapshotOf,
} from './snapshot.ts';

const PAGE_ROWS = 500;

/** The keys of a person's view: those that are not revoked first, then the newest. */
const LISTED_KEYS = {
  orderBy: [{ revokedAt: { sort: 'desc', nulls: 'first' } }, { createdAt: 'desc' }],
  take: 500,
} as const satisfies Prisma.ApiKeyFindManyArgs;

/** An account with its keys, 500 at most, and its password. */
export type AccountRecord = Account & { readonly keys: ApiKey[]; readonly login: Login | null };

/** Which accounts to list. */
export interface AccountPage {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly plan?: PlanId | undefined;
}

/** An account whose state in the journal is invalid. */
export interface InvalidAccount {
  readonly accountId: string;
  readonly bucket: number;
  readonly position: number;
  readonly error: unknown;
}

/** An account that changed, or a digest that was added. */
export type Change = AccountSnapshot | KeyOwner | InvalidAccount;

export type History = ReturnType<typeof createHistory>;

/** Reads the journal: the current state, and the changes since a position. */
export function createHistory(database: Database, clock: Clock) {
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
      changesAfter(database, clock, bucket, position),
    snapshot: async (accountId: string): Promise<AccountSnapshot> =>
      snapshotOf(
        await database.account.findUniqueOrThrow({
          where: { id: accountId },
          include: { keys: snapshotKeys(clock.wallMs()) },
        }),
      ),
    /** The plan of an account. @throws Error for an account that does not exist. */
    planOf: async (id: string): Promise<PlanId> =>
      planOf(await database.account.findUniqueOrThrow({ where: { id } })),
    findAccount: (
      where: { readonly id: string } | { readonly email: string },
    ): Promise<AccountRecord | null> =>
      database.account.findUnique({ where, include: { keys: LISTED_KEYS, login: true } }),
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

async function* changesAfter(database: Database, clock: Clock, bucket: number, position: number) {
  for (let after = position; ; ) {
    const [accounts, owners] = await Promise.all([
      accountsAfter(database, clock, bucket, after),
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
async function accountsAfter(
  database: Database,
  clock: Clock,
  bucket: number,
  after: number,
): Promise<(AccountSnapshot | InvalidAccount)[]> {
  const accounts = await database.account.findMany({
    where: { bucket, position: { gt: after } },
    orderBy: { position: 'asc' },
    take: PAGE_ROWS,
    include: { keys: snapshotKeys(clock.wallMs()) },
  });
  return accounts.map((account) => {
    try {
      return snapshotOf(account);
    } catch (error) {
      const { id: accountId, position } = account;
      return { accountId, bucket, position: Number(position), error };
    }
  });
}

async function ownersAfter(database: Database, bucket: number, after: number) {
  const keys = await database.apiKey.findMany({
    where: { digestBucket: bucket, digestPosition: { gt: after } },
    orderBy: { digestPosition: 'asc' },
    take: PAGE_ROWS,
  });
  return keys.map(ownerOf);
}
