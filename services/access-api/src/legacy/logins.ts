import { randomUUID } from 'node:crypto';
import { digestOf, generateApiKey, type KeyDigest, parseDigest } from '@vcds/credentials';
import { orUnavailable } from '@vcds/service-kit';
import { isTaken } from '../store/database.ts';
import { bringToRedis, type Stores } from '../store/stores.ts';
import { type LoginRecorded, removeLogin, setLogin, userNameTaken } from './login-journal.ts';
import { hashPassword, type ScryptCost } from './password.ts';

/** The login of a user name. */
export interface Login {
  readonly accountId: string;
  /** The internal key of the password. */
  readonly keyId: string;
  readonly passwordHash: string;
}

/**
 * User names and passwords: created by the operator, stored only in PostgreSQL. A password has an
 * internal key, whose text is never issued: revoking it revokes every token of the password.
 */
export interface Logins {
  /**
   * Undefined if no account has that user name. One look-up in either case, so that the time does
   * not disclose it. @throws ApiError `unavailable` without PostgreSQL.
   */
  find(userName: string): Promise<Login | undefined>;
  /** The digest of the internal key of a password. @throws ApiError `unavailable`. */
  digestOf(login: Login): Promise<KeyDigest>;
  /**
   * Sets or replaces user name and password of an account. In force when it resolves.
   *
   * @throws JournalError when there is no such account, or another one has the user name.
   */
  set(accountId: string, userName: string, password: string): Promise<void>;
  /** Removes user name and password. False if the account had none. */
  remove(accountId: string): Promise<boolean>;
}

export interface LoginsOptions extends Stores {
  /** Of new passwords; by default that of the service. */
  readonly passwordCost?: ScryptCost | undefined;
}

export function createLogins(options: LoginsOptions): Logins {
  const { database, history, store, clock, passwordCost } = options;
  const now = (): Date => new Date(clock.wallMs());
  const bringIntoForce = async ({ recorded, revoked }: LoginRecorded): Promise<void> => {
    await bringToRedis({ history, store }, recorded);
    await store.announce(revoked);
  };
  return {
    find: async (userName) => {
      const where = { userName: userName.toLowerCase() };
      return (await answered(database.login.findUnique({ where }))) ?? undefined;
    },
    digestOf: async ({ keyId }) => {
      const key = await answered(history.findKey({ id: keyId }));
      const digest = parseDigest(key?.digest);
      if (digest === undefined) throw new Error(`The journal has no digest for key ${keyId}.`);
      return digest;
    },
    set: async (accountId, userName, password) => {
      const login = {
        accountId,
        userName: userName.toLowerCase(),
        passwordHash: await hashPassword(password, passwordCost),
        keyId: randomUUID(),
        digest: digestOf(generateApiKey()),
      };
      const change = database.$transaction((tx) => setLogin(tx, login, now()));
      await bringIntoForce(
        await change.catch((error: unknown) => {
          throw isTaken(error) ? userNameTaken(login.userName) : error;
        }),
      );
    },
    remove: async (accountId) => {
      const change = await database.$transaction((tx) => removeLogin(tx, accountId, now()));
      if (change !== undefined) await bringIntoForce(change);
      return change !== undefined;
    },
  };
}

function answered<T>(reply: Promise<T>): Promise<T> {
  return orUnavailable(reply, 'User names are temporarily unavailable. Retry later.');
}
