import { bucketOfAccount } from '@vcds/credentials';
import type { Transaction } from '../store/database.ts';
import {
  JournalError,
  lockBuckets,
  type Recorded,
  record,
  requireAccount,
  unchanged,
} from '../store/journal.ts';
import type { Stores } from '../store/stores.ts';

/** The maximum sum of the purchases of an account: the limit of the ledger. */
export const PURCHASED_MAX = 1_000_000_000_000;

/** Credits granted to an account. */
interface PurchaseInput {
  /** Identifies the purchase: a repetition counts once. 1 to 100 visible ASCII characters. */
  readonly operationId: string;
  readonly accountId: string;
  /** A whole number above 0. */
  readonly credits: number;
  readonly note?: string | undefined;
}

interface Purchased {
  /** The sum of all purchases, including this one. */
  readonly total: number;
  /** The purchase was already recorded; nothing was added. */
  readonly repeated: boolean;
}

/**
 * Adds purchased credits, which are spent after the monthly allowance and do not expire; they can be
 * spent when this resolves. After an error, a repetition with the same operation id is safe and
 * applies a purchase that was recorded.
 *
 * @throws JournalError if the account does not exist, the operation id belongs to another purchase,
 *   or the account's total would exceed 10^12.
 */
export async function grantCredits(
  { journal }: Pick<Stores, 'journal'>,
  input: PurchaseInput,
): Promise<Purchased> {
  const { recorded, repeated } = await journal.change((tx, at) => purchase(tx, input, at));
  return { total: recorded.account.purchasedCredits, repeated };
}

// If two accounts use one operation id concurrently, one fails on the primary key.
async function purchase(
  tx: Transaction,
  { operationId, accountId, credits, note }: PurchaseInput,
  at: Date,
): Promise<{ recorded: Recorded; repeated: boolean }> {
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const account = await requireAccount(tx, accountId);
  const known = await tx.purchase.findUnique({ where: { operationId } });
  if (known !== null) {
    if (known.accountId !== accountId || Number(known.credits) !== credits) {
      throw new JournalError(`Operation ${operationId} belongs to another purchase.`);
    }
    return { recorded: unchanged(account), repeated: true };
  }
  const total = Number(account.purchasedCredits) + credits;
  if (total > PURCHASED_MAX) {
    throw new JournalError(`An account may purchase at most ${PURCHASED_MAX} credits.`);
  }
  const text = note ?? null;
  await tx.purchase.create({
    data: { operationId, accountId, credits, note: text, recordedAt: at },
  });
  const detail = { operationId, credits, total, note: text };
  const change = { purchasedCredits: total };
  const kind = 'credits_purchased';
  const recorded = await record(tx, { accountId, kind, detail, at, change });
  return { recorded, repeated: false };
}
