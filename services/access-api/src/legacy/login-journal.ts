import { bucketOfAccount, bucketOfDigest, type KeyDigest } from '@vcds/credentials';
import type { Transaction } from '../store/database.ts';
import {
  issueKey,
  JournalError,
  lockBuckets,
  type Recorded,
  record,
  requireAccount,
  revokeKey,
} from '../store/journal.ts';
import type { PasswordHash } from './password.ts';

/** User name and password an account is to have, and the key that stands for them. */
export interface NewLogin {
  readonly accountId: string;
  /** In lower case. */
  readonly userName: string;
  readonly passwordHash: PasswordHash;
  readonly keyId: string;
  readonly digest: KeyDigest;
}

/** A change of a login as committed, and the keys that died with it. */
export interface LoginRecorded {
  readonly recorded: Recorded;
  readonly revoked: readonly KeyDigest[];
}

/**
 * The journal's step that gives an account a user name and password in place of those it had. The
 * key of the old ones is revoked, so that every token made from them dies.
 *
 * @throws JournalError when there is no such account, or another one has the user name.
 */
export async function setLogin(tx: Transaction, login: NewLogin, at: Date): Promise<LoginRecorded> {
  const { accountId, userName, passwordHash, keyId, digest } = login;
  await lockBuckets(tx, [bucketOfAccount(accountId), bucketOfDigest(digest)]);
  await requireAccount(tx, accountId);
  const holder = await tx.login.findUnique({ where: { userName } });
  if (holder !== null && holder.accountId !== accountId) throw userNameTaken(userName);
  const revoked = await endLogin(tx, accountId, at);
  const label = `Password of ${userName}`;
  const key = { id: keyId, accountId, digest, hint: 'password', label, origin: 'login' } as const;
  const { owner } = await issueKey(tx, { ...key, scopes: null, expiresAt: null }, at);
  await tx.login.create({ data: { accountId, userName, passwordHash, keyId, setAt: at } });
  const detail = { userName };
  const recorded = await record(tx, { accountId, kind: 'login_set', detail, at, keyId });
  return { recorded: { ...recorded, ...(owner && { owner }) }, revoked };
}

/** The step that takes it away. Undefined: the account has none. */
export async function removeLogin(
  tx: Transaction,
  accountId: string,
  at: Date,
): Promise<LoginRecorded | undefined> {
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const login = await tx.login.findUnique({ where: { accountId } });
  if (login === null) return undefined;
  const revoked = await endLogin(tx, accountId, at);
  const { userName, keyId } = login;
  const detail = { userName };
  const recorded = await record(tx, { accountId, kind: 'login_removed', detail, at, keyId });
  return { recorded, revoked };
}

async function endLogin(tx: Transaction, accountId: string, at: Date): Promise<KeyDigest[]> {
  const login = await tx.login.findUnique({ where: { accountId } });
  if (login === null) return [];
  const { account } = await revokeKey(tx, login.keyId, at);
  await tx.login.delete({ where: { accountId } });
  return account.keys.filter(({ keyId }) => keyId === login.keyId).map(({ digest }) => digest);
}

/** The refusal of a user name that another account has. */
export function userNameTaken(userName: string): JournalError {
  return new JournalError(`Another account has the user name '${userName}'.`);
}
