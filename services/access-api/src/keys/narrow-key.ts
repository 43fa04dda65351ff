import { bucketOfAccount, type Scope } from '@vcds/credentials';
import type { Transaction } from '../store/database.ts';
import { lockBuckets, type Recorded, readSnapshot, record } from '../store/journal.ts';
import { keyStateOf } from '../store/snapshot.ts';
import { narrowed } from './key-rules.ts';

/** The result of narrowing a key. `wider`: the scopes are empty, or the key lacks one of them. */
export type Narrowing =
  | { readonly status: 'narrowed' | 'unchanged'; readonly recorded: Recorded }
  | { readonly status: 'not_found' | 'ended' | 'wider' };

export interface NarrowInput {
  readonly accountId: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
}

/**
 * The journal's step that narrows an active key of the account. It checks and commits under the
 * lock of the account's bucket, so that concurrent calls can only remove scopes
 * (docs/spec/plans.md 13.3).
 */
export async function narrowKey(
  tx: Transaction,
  { accountId, keyId, scopes }: NarrowInput,
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
