import type { Journal } from '../accounts/journal.ts';
import { endKey, liveKeys } from '../accounts/key.ts';
import { endSessions } from '../accounts/session.ts';
import { removeLogin } from '../legacy/logins.ts';

/**
 * Ends all sessions of an account, revokes every key of it and removes its password, in one
 * change, which is in force when this resolves with the number of keys. The account, its plan and
 * its credits stay.
 *
 * @throws JournalError when there is no such account.
 */
export function revokeAccount(
  { journal }: { readonly journal: Journal },
  accountId: string,
): Promise<number> {
  return journal.change(accountId, async (change) => {
    await endSessions(change.tx, accountId);
    const live = await liveKeys(change);
    await removeLogin(change);
    for (const { id } of live) await endKey(change, id);
    return live.length;
  });
}
