import { isPlanId, type PlanId } from '@vcds/credentials';
import { type Balance, type Ledger, PLANS } from '@vcds/metering';
import { ApiError } from '@vcds/service-kit';
import type { Accounts, IssuedKey } from '../accounts/accounts.ts';
import type { History } from '../journal/history.ts';
import { JournalRefusal } from '../journal/journal.ts';
import type { EmailAddress } from './email-address.ts';
import { LIMITS } from './limits.ts';

/** A key for whoever proved an address, and what its account has. */
export interface Issued {
  readonly key: IssuedKey;
  readonly email: EmailAddress;
  readonly plan: PlanId;
  readonly balance: Balance;
}

/** How the address was proved: keys from the account page do not expire (spec §5.2). */
export type Proof = 'code' | 'link';

export interface IssuanceOptions {
  readonly accounts: Pick<Accounts, 'create' | 'issueKey'>;
  readonly history: Pick<History, 'findAccount'>;
  readonly ledger: Pick<Ledger, 'balance'>;
}

/**
 * A fresh key on the account of an address, which is made at the first one: one account an
 * address, one allowance an account (spec §5.2 rule 4). The key comes last, so that whatever
 * fails, fails before there is one.
 *
 * @throws ApiError `unavailable` while the ledger does not say what the account has; anything
 *   else that is thrown comes from the journal or from Redis.
 */
export async function issueKeyFor(
  { accounts, history, ledger }: IssuanceOptions,
  email: EmailAddress,
  proof: Proof,
): Promise<Issued> {
  const { id: accountId, plan } = await accountOf({ accounts, history }, email);
  const answer = await ledger.balance(accountId, PLANS[plan].creditsPerMonth);
  if (answer.status === 'unavailable') {
    const message = 'Balances are not known at the moment; retry once later.';
    throw new ApiError('unavailable', message, {}, { cause: answer.cause });
  }
  const key = await accounts.issueKey({
    accountId,
    ...(proof === 'code'
      ? { origin: 'registration', expiresInSeconds: LIMITS.keySeconds }
      : { origin: 'account_page' }),
  });
  return { key, email, plan, balance: answer.balance };
}

async function accountOf(
  { accounts, history }: Pick<IssuanceOptions, 'accounts' | 'history'>,
  email: EmailAddress,
): Promise<{ id: string; plan: PlanId }> {
  const find = async () => {
    const found = await history.findAccount({ email });
    return found === null ? undefined : { id: found.id, plan: planIdOf(found) };
  };
  const known = await find();
  if (known !== undefined) return known;
  const plan = 'free';
  try {
    return { id: await accounts.create({ email, plan }), plan };
  } catch (error) {
    // Another registration of the address was faster.
    const made = error instanceof JournalRefusal ? await find() : undefined;
    if (made === undefined) throw error;
    return made;
  }
}

function planIdOf({ id, plan }: { readonly id: string; readonly plan: string }): PlanId {
  if (!isPlanId(plan)) throw new Error(`The journal holds an unknown plan for account ${id}.`);
  return plan;
}
