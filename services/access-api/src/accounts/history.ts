import type { KeyDigest, PlanId } from '@vcds/credentials';
import type { Clock } from '@vcds/service-kit';
import type { Account, ApiKey, Login, Prisma } from '../generated/client.ts';
import type { Database } from './database.ts';
import { type AccountSnapshot, planOf, snapshotKeys, snapshotOf } from './state.ts';

const PAGE_ACCOUNTS = 500;

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
  readonly position: number;
  readonly error: unknown;
}

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
     * The accounts of a bucket that changed after a position, in pages, in order of their latest
     * change: their current state.
     */
    changesAfter: (bucket: number, position: number) =>
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

// An account row is read before its keys: a snapshot may contain keys newer than its position, never
// older ones. The newer state is applied again under its own position.
async function* changesAfter(
  database: Database,
  clock: Clock,
  bucket: number,
  position: number,
): AsyncGenerator<readonly (AccountSnapshot | InvalidAccount)[]> {
  for (let after = position; ; ) {
    const accounts = await database.account.findMany({
      where: { bucket, position: { gt: after } },
      orderBy: { position: 'asc' },
      take: PAGE_ACCOUNTS,
      include: { keys: snapshotKeys(clock.wallMs()) },
    });
    const last = accounts.at(-1);
    if (last === undefined) return;
    yield accounts.map(snapshotOrError);
    if (accounts.length < PAGE_ACCOUNTS) return;
    after = Number(last.position);
  }
}

function snapshotOrError(account: Account & { readonly keys: ApiKey[] }) {
  try {
    return snapshotOf(account);
  } catch (error) {
    return { accountId: account.id, position: Number(account.position), error };
  }
}
