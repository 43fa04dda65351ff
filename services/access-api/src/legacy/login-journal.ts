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

/** A new user name and password of an account, and their internal key. */
export interface NewLogin {
  readonly accountId: string;
  /** In lower case. */
  readonly userName: string;
  readonly passwordHash: PasswordHash;
  readonly keyId: string;
  readonly digest: KeyDigest;
}

/** A committed change of a login, and the keys that it revoked. */
export interface LoginRecorded {
  readonly recorded: Recorded;
  readonly revoked: readonly KeyDigest[];
}

/**
 * Sets user name and password of an account, in the journal. Revokes the internal key of the
 * previous password, and with it all its tokens.
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

/** Removes user name and password, in the journal. Undefined if the account has none. */
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

/** The error for a user name that another account has. */
export function userNameTaken(userName: string): JournalError {
  return new JournalError(`Another account has the user name '${userName}'.`);
}
