import { bucketOfAccount } from '@vcds/credentials';
import { endSessions } from '../accounts/session-store.ts';
import { removeLogin } from '../legacy/logins.ts';
import type { Transaction } from '../store/database.ts';
import {
  liveKeys,
  lockBuckets,
  type Recorded,
  requireAccount,
  revokeKey,
  together,
  unchanged,
} from '../store/journal.ts';
import type { Stores } from '../store/stores.ts';

/**
 * Ends all sessions of an account, revokes every key of it and removes its password, in one
 * change, which is in force when this resolves with the number of keys. The account, its plan and
 * its credits stay.
 *
 * @throws JournalError when there is no such account.
 */
export async function revokeAccount(
  { journal }: Pick<Stores, 'journal'>,
  accountId: string,
): Promise<number> {
  const { revoked } = await journal.change((tx, at) => revokeAll(tx, accountId, at));
  return revoked;
}

async function revokeAll(
  tx: Transaction,
  accountId: string,
  at: Date,
): Promise<{ recorded: Recorded; revoked: number }> {
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const account = await requireAccount(tx, accountId);
  await endSessions(tx, accountId);
  const live = await liveKeys(tx, accountId, at);
  const login = await removeLogin(tx, accountId, at);
  const changes: Recorded[] = login === undefined ? [] : [login];
  for (const { keyId } of live) changes.push(await revokeKey(tx, keyId, at));
  return { recorded: together(unchanged(account), ...changes), revoked: live.length };
}
