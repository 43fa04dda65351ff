import type { PlanId } from '@vcds/credentials';
import { type Balance, type Ledger, PLANS } from '@vcds/metering';
import { ApiError } from '@vcds/service-kit';
import type { Accounts, IssuedKey } from '../accounts/accounts.ts';
import type { AccountKeys, Creation } from '../keys/account-keys.ts';
import type { History } from '../store/history.ts';
import { JournalRefusal } from '../store/journal.ts';
import { planOf } from '../store/snapshot.ts';
import type { EmailAddress } from './email-address.ts';
import { LIMITS } from './limits.ts';

/** A key for whoever proved an address, and what its account has. */
export interface Issued {
  readonly key: IssuedKey;
  readonly email: EmailAddress;
  readonly plan: PlanId;
  readonly balance: Balance;
}

/** Whose account it is that a mailed link opened, and the key made for them. */
export interface Landed {
  readonly accountId: string;
  readonly email: EmailAddress;
  readonly balance: Balance;
  /** Undefined: no key was wanted. */
  readonly creation: Creation | undefined;
}

export interface IssuanceOptions {
  readonly accounts: Pick<Accounts, 'create' | 'issueKey'>;
  readonly history: Pick<History, 'findAccount'>;
  readonly ledger: Pick<Ledger, 'balance'>;
  /** Makes the keys of those who came by the link. */
  readonly accountKeys: Pick<AccountKeys, 'create'>;
}

type Standing = Pick<IssuanceOptions, 'accounts' | 'history' | 'ledger'>;

/**
 * A fresh key on the account of an address that was proved by a code. The account is made at the
 * first one: one account an address, one allowance an account (spec §5.2 rule 4). The key comes
 * last, so that whatever fails, fails before there is one.
 *
 * @throws ApiError `unavailable` while the ledger does not say what the account has; anything
 *   else that is thrown comes from the journal or from Redis.
 */
export async function issueKeyFor(options: Standing, email: EmailAddress): Promise<Issued> {
  const { accountId, plan, balance } = await standingOf(options, email);
  const key = await options.accounts.issueKey({
    accountId,
    origin: 'registration',
    expiresInSeconds: LIMITS.keySeconds,
  });
  return { key, email, plan, balance };
}

/**
 * The same for an address that was proved by the link: the key, unless none is wanted, is one of
 * the account page, which does not expire (spec §5.2 rule 3) and may be refused by its bounds.
 */
export async function landOn(
  options: IssuanceOptions,
  email: EmailAddress,
  wantsKey: boolean,
): Promise<Landed> {
  const { accountId, balance } = await standingOf(options, email);
  const creation = wantsKey ? await options.accountKeys.create({ accountId }) : undefined;
  return { accountId, email, balance, creation };
}

async function standingOf(
  { accounts, history, ledger }: Standing,
  email: EmailAddress,
): Promise<{ accountId: string; plan: PlanId; balance: Balance }> {
  const { id: accountId, plan } = await accountOf({ accounts, history }, email);
  const answer = await ledger.balance(accountId, PLANS[plan].creditsPerMonth);
  if (answer.status === 'unavailable') {
    const message = 'Balances are not known at the moment; retry once later.';
    throw new ApiError('unavailable', message, {}, { cause: answer.cause });
  }
  return { accountId, plan, balance: answer.balance };
}

async function accountOf(
  { accounts, history }: Pick<IssuanceOptions, 'accounts' | 'history'>,
  email: EmailAddress,
): Promise<{ id: string; plan: PlanId }> {
  const find = async () => {
    const found = await history.findAccount({ email });
    return found === null ? undefined : { id: found.id, plan: planOf(found) };
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
