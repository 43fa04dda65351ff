import { type Change, JournalError } from './journal.ts';
import type { Stores } from './stores.ts';

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
export function grantCredits(
  { journal }: Pick<Stores, 'journal'>,
  input: PurchaseInput,
): Promise<Purchased> {
  return journal.change(input.accountId, (change) => purchase(change, input));
}

// If two accounts use one operation id concurrently, one fails on the primary key.
async function purchase(change: Change, input: PurchaseInput): Promise<Purchased> {
  const { tx, at, account } = change;
  const { operationId, accountId, credits, note = null } = input;
  const known = await tx.purchase.findUnique({ where: { operationId } });
  if (known !== null) {
    if (known.accountId !== accountId || Number(known.credits) !== credits) {
      throw new JournalError(`Operation ${operationId} belongs to another purchase.`);
    }
    return { total: Number(account.purchasedCredits), repeated: true };
  }
  const total = Number(account.purchasedCredits) + credits;
  if (total > PURCHASED_MAX) {
    throw new JournalError(`An account may purchase at most ${PURCHASED_MAX} credits.`);
  }
  await tx.purchase.create({ data: { operationId, accountId, credits, note, recordedAt: at } });
  const detail = { operationId, credits, total, note };
  const columns = { purchasedCredits: total };
  await change.record({ kind: 'credits_purchased', detail, columns });
  return { total, repeated: false };
}
