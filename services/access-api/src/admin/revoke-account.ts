import { bucketOfAccount, type KeyDigest } from '@vcds/credentials';
import { endSessions } from '../accounts/session-store.ts';
import { removeLogin } from '../legacy/logins.ts';
import type { Transaction } from '../store/database.ts';
import {
  lockBuckets,
  type Recorded,
  readSnapshot,
  requireAccount,
  revokeKey,
} from '../store/journal.ts';
import { bringToRedis, type Stores } from '../store/stores.ts';

/**
 * Ends all sessions of an account, revokes every key of it and removes its password, in one
 * change, which is in force when this resolves with the number of keys. The account, its plan and
 * its credits stay.
 *
 * @throws JournalError when there is no such account.
 */
export async function revokeAccount(
  { database, history, store, clock }: Stores,
  accountId: string,
): Promise<number> {
  const at = new Date(clock.wallMs());
  const { recorded, revoked } = await database.$transaction((tx) => revokeAll(tx, accountId, at));
  await bringToRedis({ history, store }, recorded);
  await store.announce(revoked);
  return revoked.length;
}

async function revokeAll(
  tx: Transaction,
  accountId: string,
  at: Date,
): Promise<{ recorded: Recorded; revoked: KeyDigest[] }> {
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  await requireAccount(tx, accountId);
  await endSessions(tx, accountId);
  const { keys } = await readSnapshot(tx, accountId);
  const live = keys.filter(({ revokedAt }) => revokedAt === null);
  await removeLogin(tx, accountId, at);
  for (const { keyId } of live) await revokeKey(tx, keyId, at);
  return {
    recorded: { account: await readSnapshot(tx, accountId) },
    revoked: live.map(({ digest }) => digest),
  };
}
