import { bucketOfAccount, type Scope } from '@vcds/credentials';
import type { Transaction } from '../store/database.ts';
import { lockBuckets, type Recorded, readSnapshot, record } from '../store/journal.ts';
import { keyStateOf } from '../store/snapshot.ts';
import { narrowed } from './narrowing.ts';

/** What came of narrowing a key. `wider`: the wish is empty or reaches further than the key. */
export type Narrowing =
  | { readonly status: 'narrowed' | 'unchanged'; readonly recorded: Recorded }
  | { readonly status: 'not_found' | 'ended' | 'wider' };

export interface NarrowWish {
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
}

/**
 * The journal's step that narrows a live key of the account (docs/spec/plans.md 13.3,
 * docs/spec/authentication.md 2.6): decided and committed under the lock of the account's bucket,
 * so that of two at once each can only take away.
 */
export async function narrowKey(
  tx: Transaction,
  { accountId, keyId, scopes }: NarrowWish,
  at: Date,
): Promise<Narrowing> {
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const key = await tx.apiKey.findUnique({ where: { id: keyId } });
  if (key === null || key.accountId !== accountId) return { status: 'not_found' };
  const { scopes: held, expiresAt, revokedAt } = keyStateOf(key);
  if (revokedAt !== null || (expiresAt !== null && expiresAt <= at)) return { status: 'ended' };
  const left = narrowed(held, scopes);
  if (left === undefined) return { status: 'wider' };
  if (left === null || left.length === held?.length) {
    return { status: 'unchanged', recorded: { account: await readSnapshot(tx, accountId) } };
  }
  await tx.apiKey.update({
    where: { id: keyId },
    data: { scopes: [...left], isNarrowed: true },
  });
  const detail = { from: held, to: left };
  const recorded = await record(tx, { accountId, kind: 'key_narrowed', detail, at, keyId });
  return { status: 'narrowed', recorded };
}
