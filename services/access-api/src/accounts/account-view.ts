import type { Scope } from '@vcds/credentials';
import { type Balance, type Ledger, PLANS, type Plan } from '@vcds/metering';
import { type Clock, orUnavailable } from '@vcds/service-kit';
import type { AccountRecord, History } from './history.ts';
import { keyStateOf, planOf } from './state.ts';

/** The parts of a key that its owner may read. */
export interface KeyView {
  readonly id: string;
  readonly name: string | null;
  /** Its first characters. */
  readonly hint: string;
  readonly state: 'live' | 'expired' | 'revoked';
  /** Whether it is the connection of an assistant, whose key no program has. */
  readonly isConnection: boolean;
  /** null: everything the plan allows. */
  readonly scopes: readonly Scope[] | null;
  readonly createdAt: Date;
  /** null: never. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** Credits a month that the key may use; null: all of the account. */
  readonly creditLimit: number | null;
}

/** The parts of an account that its owner may read. */
export interface AccountView {
  readonly id: string;
  readonly email: string | null;
  readonly plan: Plan;
  /** Undefined: temporarily unavailable. */
  readonly balance: Balance | undefined;
  /** Active keys first, newest first. */
  readonly keys: readonly KeyView[];
}

export interface AccountViewOptions {
  readonly history: Pick<History, 'findAccount'>;
  readonly ledger: Pick<Ledger, 'balance'>;
  readonly clock: Clock;
}

/**
 * The account of a session, from the journal, with its balance if that is available.
 *
 * @throws ApiError `unavailable` if the journal does not respond.
 */
export async function readAccount(
  { history, ledger, clock }: AccountViewOptions,
  accountId: string,
): Promise<AccountView> {
  const record = await orUnavailable(history.findAccount({ id: accountId }));
  if (record === null)
    throw new Error(`The session belongs to account ${accountId}, which does not exist.`);
  const plan = PLANS[planOf(record)];
  const answer = await ledger.balance(accountId, plan.creditsPerMonth);
  return {
    id: accountId,
    email: record.email,
    plan,
    balance: answer.status === 'known' ? answer.balance : undefined,
    keys: record.keys.map((key) => keyViewOf(key, clock.wallMs())).sort(liveThenNewest),
  };
}

function keyViewOf(key: AccountRecord['keys'][number], nowMs: number): KeyView {
  const { scopes, expiresAt, revokedAt, creditLimit } = keyStateOf(key);
  const { id, label, hint, createdAt } = key;
  const isOver = expiresAt !== null && expiresAt.getTime() <= nowMs;
  const state = revokedAt !== null ? 'revoked' : isOver ? 'expired' : 'live';
  const ends = { createdAt, expiresAt, revokedAt };
  const isConnection = key.origin === 'oauth';
  return { id, name: label, hint, state, isConnection, scopes, creditLimit, ...ends };
}

function liveThenNewest(a: KeyView, b: KeyView): number {
  const byState = Number(b.state === 'live') - Number(a.state === 'live');
  if (byState !== 0) return byState;
  return b.createdAt.getTime() - a.createdAt.getTime() || a.id.localeCompare(b.id);
}
