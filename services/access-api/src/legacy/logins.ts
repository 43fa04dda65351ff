import { randomUUID } from 'node:crypto';
import { digestOf, generateApiKey, type KeyDigest, parseDigest } from '@vcds/credentials';
import { orUnavailable } from '@vcds/service-kit';
import { isTaken } from '../accounts/database.ts';
import { type Change, JournalError } from '../accounts/journal.ts';
import { addKey, endKey } from '../accounts/key.ts';
import type { Stores } from '../accounts/stores.ts';
import type { Login } from '../generated/client.ts';
import { hashPassword, type PasswordHash, type ScryptCost } from './password.ts';

/**
 * User names and passwords: created by the operator, stored only in PostgreSQL. A password has an
 * internal key, whose text is never issued: revoking it revokes every token of the password.
 */
export type Logins = ReturnType<typeof createLogins>;

type LoginsOptions = Pick<Stores, 'database' | 'journal' | 'history'> & {
  /** Of new passwords; by default that of the service. */
  readonly passwordCost?: ScryptCost | undefined;
};

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
        userName: userName.toLowerCase(),
        passwordHash: await hashPassword(password, passwordCost),
        keyId: randomUUID(),
        digest: digestOf(generateApiKey()),
      };
      try {
        await journal.change(accountId, (change) => setLogin(change, login));
      } catch (error) {
        throw isTaken(error) ? userNameTaken(login.userName) : error;
      }
    },
    /** Removes user name and password. False if the account had none. */
    remove: (accountId: string): Promise<boolean> => journal.change(accountId, removeLogin),
  };
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'User names are temporarily unavailable. Retry later.');
}

/** A new user name, in lower case, and password of an account, and their internal key. */
interface NewLogin extends Omit<Login, 'setAt' | 'accountId'> {
  readonly passwordHash: PasswordHash;
  readonly digest: KeyDigest;
}

// Revokes the internal key of the previous password, and with it all its tokens.
async function setLogin(change: Change, { digest, ...login }: NewLogin): Promise<void> {
  const { tx, at, account } = change;
  const { userName, keyId } = login;
  const holder = await tx.login.findUnique({ where: { userName } });
  if (holder !== null && holder.accountId !== account.id) throw userNameTaken(userName);
  await endLogin(change);
  const label = `Password of ${userName}`;
  const key = { id: keyId, digest, hint: 'password', label, origin: 'login' } as const;
  await addKey(change, { ...key, scopes: null, expiresAt: null, creditLimit: null });
  await tx.login.create({ data: { ...login, accountId: account.id, setAt: at } });
  await change.record({ kind: 'login_set', detail: { userName }, keyId });
}

/** Removes user name and password of the account. False if it has none. */
export async function removeLogin(change: Change): Promise<boolean> {
  const login = await endLogin(change);
  if (login === null) return false;
  const { userName, keyId } = login;
  await change.record({ kind: 'login_removed', detail: { userName }, keyId });
  return true;
}

// Null if the account has no password.
async function endLogin(change: Change): Promise<Login | null> {
  const where = { accountId: change.account.id };
  const login = await change.tx.login.findUnique({ where });
  if (login === null) return null;
  await endKey(change, login.keyId);
  await change.tx.login.delete({ where });
  return login;
}

/** The error for a user name that another account has. */
function userNameTaken(userName: string): JournalError {
  return new JournalError(`Another account has the user name '${userName}'.`);
}
