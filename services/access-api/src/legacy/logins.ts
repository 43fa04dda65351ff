import { randomUUID } from 'node:crypto';
import {
  bucketOfAccount,
  bucketOfDigest,
  digestOf,
  generateApiKey,
  type KeyDigest,
  parseDigest,
} from '@vcds/credentials';
import { orUnavailable } from '@vcds/service-kit';
import type { Login } from '../generated/client.ts';
import { isTaken, type Transaction } from '../store/database.ts';
import {
  issueKey,
  JournalError,
  lockBuckets,
  type Recorded,
  record,
  requireAccount,
  revokeKey,
  together,
} from '../store/journal.ts';
import type { Stores } from '../store/stores.ts';
import { hashPassword, type PasswordHash, type ScryptCost } from './password.ts';

/**
 * User names and passwords: created by the operator, stored only in PostgreSQL. A password has an
 * internal key, whose text is never issued: revoking it revokes every token of the password.
 */
export type Logins = ReturnType<typeof createLogins>;

interface LoginsOptions extends Stores {
  /** Of new passwords; by default that of the service. */
  readonly passwordCost?: ScryptCost | undefined;
}

export function createLogins(options: LoginsOptions) {
  const { database, journal, history, passwordCost } = options;
  return {
    /**
     * Undefined if no account has that user name. One look-up in either case, so that the time does
     * not disclose it. @throws ApiError `unavailable` without PostgreSQL.
     */
    find: async (userName: string): Promise<Login | undefined> => {
      const where = { userName: userName.toLowerCase() };
      return (await answered(database.login.findUnique({ where }))) ?? undefined;
    },
    /** The digest of the internal key of a password. @throws ApiError `unavailable`. */
    digestOf: async ({ keyId }: Login): Promise<KeyDigest> => {
      const key = await answered(history.findKey({ id: keyId }));
      const digest = parseDigest(key?.digest);
      if (digest === undefined) throw new Error(`The journal has no digest for key ${keyId}.`);
      return digest;
    },
    /**
     * Sets or replaces user name and password of an account. In force when it resolves.
     *
     * @throws JournalError when there is no such account, or another one has the user name.
     */
    set: async (accountId: string, userName: string, password: string): Promise<void> => {
      const login = {
        accountId,
        userName: userName.toLowerCase(),
        passwordHash: await hashPassword(password, passwordCost),
        keyId: randomUUID(),
        digest: digestOf(generateApiKey()),
      };
      await journal
        .change(async (tx, at) => ({ recorded: await setLogin(tx, login, at) }))
        .catch((error: unknown) => {
          throw isTaken(error) ? userNameTaken(login.userName) : error;
        });
    },
    /** Removes user name and password. False if the account had none. */
    remove: async (accountId: string): Promise<boolean> => {
      const { recorded } = await journal.change(async (tx, at) => {
        const removed = await removeLogin(tx, accountId, at);
        return removed === undefined ? {} : { recorded: removed };
      });
      return recorded !== undefined;
    },
  };
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'User names are temporarily unavailable. Retry later.');
}

/** A new user name, in lower case, and password of an account, and their internal key. */
interface NewLogin extends Omit<Login, 'setAt'> {
  readonly passwordHash: PasswordHash;
  readonly digest: KeyDigest;
}

/**
 * Sets user name and password of an account, in the journal. Revokes the internal key of the
 * previous password, and with it all its tokens.
 *
 * @throws JournalError when there is no such account, or another one has the user name.
 */
async function setLogin(tx: Transaction, login: NewLogin, at: Date): Promise<Recorded> {
  const { accountId, userName, passwordHash, keyId, digest } = login;
  await lockBuckets(tx, [bucketOfAccount(accountId), bucketOfDigest(digest)]);
  await requireAccount(tx, accountId);
  const holder = await tx.login.findUnique({ where: { userName } });
  if (holder !== null && holder.accountId !== accountId) throw userNameTaken(userName);
  const ended = await endLogin(tx, accountId, at);
  const label = `Password of ${userName}`;
  const key = { id: keyId, accountId, digest, hint: 'password', label, origin: 'login' } as const;
  const issued = await issueKey(tx, { ...key, scopes: null, expiresAt: null }, at);
  await tx.login.create({ data: { accountId, userName, passwordHash, keyId, setAt: at } });
  const detail = { userName };
  const recorded = await record(tx, { accountId, kind: 'login_set', detail, at, keyId });
  return together(...ended, issued, recorded);
}

/** Removes user name and password, in the journal. Undefined if the account has none. */
export async function removeLogin(
  tx: Transaction,
  accountId: string,
  at: Date,
): Promise<Recorded | undefined> {
  await lockBuckets(tx, [bucketOfAccount(accountId)]);
  const login = await tx.login.findUnique({ where: { accountId } });
  if (login === null) return undefined;
  const ended = await endLogin(tx, accountId, at);
  const { userName, keyId } = login;
  const detail = { userName };
  const recorded = await record(tx, { accountId, kind: 'login_removed', detail, at, keyId });
  return together(...ended, recorded);
}

// None if the account has no password.
async function endLogin(tx: Transaction, accountId: string, at: Date): Promise<Recorded[]> {
  const login = await tx.login.findUnique({ where: { accountId } });
  if (login === null) return [];
  const revoked = await revokeKey(tx, login.keyId, at);
  await tx.login.delete({ where: { accountId } });
  return [revoked];
}

/** The error for a user name that another account has. */
function userNameTaken(userName: string): JournalError {
  return new JournalError(`Another account has the user name '${userName}'.`);
}
