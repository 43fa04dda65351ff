import type { PlanId } from '@vcds/credentials';
import type { Balance, Ledger } from '@vcds/metering';
import { ApiError, type Logger } from '@vcds/service-kit';
import type { Accounts } from '../accounts/account.ts';
import type { History } from '../accounts/history.ts';
import { JournalError } from '../accounts/journal.ts';
import { LIVE_KEYS_MAX, TooManyKeys } from '../accounts/key.ts';
import { planOf } from '../accounts/state.ts';
import { readBalance } from '../credits/usage-route.ts';
import type { AccountKeys } from '../keys/account-keys.ts';
import type { EmailAddress } from './email-address.ts';
import { LIMITS } from './limits.ts';
import type { RegistrationId } from './redis-keys.ts';
import type { RegistrationStore } from './registration-store.ts';

/** A key for a proved address, and the balance of its account. */
export type Issued = Awaited<ReturnType<typeof issueKeyFor>>;

/** The account that a mailed link signed in to, and the key issued with it, if one was requested. */
export type Landed = Awaited<ReturnType<typeof landOn>>;

export interface IssuanceOptions {
  readonly registrations: RegistrationStore;
  readonly accounts: Pick<Accounts, 'create' | 'issueKey'>;
  readonly history: Pick<History, 'findAccount'>;
  readonly ledger: Pick<Ledger, 'balance'>;
  /** Issues the keys of those who use the link. */
  readonly accountKeys: Pick<AccountKeys, 'create'>;
  readonly logger: Logger;
}

type Standing = Pick<IssuanceOptions, 'accounts' | 'history' | 'ledger'>;

/**
 * Issues a key for a registration that was just granted. On an error it reopens the registration,
 * so that the same code or link works again.
 *
 * @throws ApiError `too_many_keys`; `unavailable` with the error as its cause.
 */
export async function issueOrReopen<T>(
  { registrations, logger }: IssuanceOptions,
  id: RegistrationId,
  issue: (email: EmailAddress) => Promise<T>,
): Promise<T> {
  try {
    return await issue(await registrations.addressOf(id));
  } catch (cause) {
    await registrations
      .reopen(id)
      .catch((error: unknown) =>
        logger.warn({ error }, 'failed to reopen a registration whose key was not issued'),
      );
    if (cause instanceof TooManyKeys) throw tooManyKeys(cause);
    const message = 'The key could not be issued. Retry later with the same code or link.';
    throw new ApiError('unavailable', message, {}, { cause });
  }
}

/** The error for an account that may have no further key. */
export function tooManyKeys(cause?: TooManyKeys): ApiError {
  const message =
    `The account of this address has ${LIVE_KEYS_MAX} valid keys, the maximum. Open the link in the ` +
    'message, revoke keys that are no longer needed, and verify again with the same code; or use ' +
    'one of the keys.';
  return new ApiError('too_many_keys', message, {}, { cause });
}

/**
 * Issues a key for an address that was proved by a code, and creates its account at the first one:
 * one account per address, one allowance per account. The key is the last step, so that no earlier
 * failure leaves a key behind.
 *
 * @throws ApiError `unavailable` without a balance; any other error is one of PostgreSQL or Redis.
 */
export async function issueKeyFor(options: Standing, email: EmailAddress) {
  const { accountId, balance } = await standingOf(options, email);
  const key = await options.accounts.issueKey({
    accountId,
    origin: 'registration',
    expiresInSeconds: LIMITS.keySeconds,
  });
  return { key, email, balance };
}

/**
 * The same for an address that was proved by the link. The key, if one is requested, is one of the
 * account page: it does not expire, and its limits may reject it.
 */
export async function landOn(options: IssuanceOptions, email: EmailAddress, wantsKey: boolean) {
  const { accountId, balance } = await standingOf(options, email);
  const creation = wantsKey ? await options.accountKeys.create({ accountId }) : undefined;
  return { accountId, email, balance, creation };
}

async function standingOf(
  { accounts, history, ledger }: Standing,
  email: EmailAddress,
): Promise<{ accountId: string; balance: Balance }> {
  const { id: accountId, plan } = await accountOf({ accounts, history }, email);
  return { accountId, balance: await readBalance(ledger, accountId, plan) };
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
    // A concurrent registration of the address created it.
    const made = error instanceof JournalError ? await find() : undefined;
    if (made === undefined) throw error;
    return made;
  }
}
